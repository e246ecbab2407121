"""Starts pygopherd from its unpacked package: configuration, types file, content folder and port are the arguments.

Prints "ready" when it listens."""

import configparser
import socketserver
import sys
import tempfile

packaged, types, folder, port = sys.argv[1:]
config = configparser.ConfigParser()
config.read(packaged)
settings = {
    "detach": "no", "port": port, "interface": "127.0.0.1", "servername": "127.0.0.1", "usechroot": "no",
    "root": folder + "/gopher", "mimetypes": types, "servertype": "ForkingTCPServer", "timeout": "60",
    "enable_tls": "yes", "tls_certfile": folder + "/cert.pem", "tls_keyfile": folder + "/key.pem",
    "abstract_headers": "on", "abstract_entries": "always",
}
for name, value in settings.items():
    config.set("pygopherd", name, value)
for name in ("pidfile", "setuid", "setgid"):
    config.remove_option("pygopherd", name)
config.set("logger", "logmethod", "none")
# A cache file would be written into the served folders and go stale.
config.set("handlers.dir.DirHandler", "cachetime", "0")
handlers = config.get("handlers.HandlerMultiplexer", "handlers")
config.set("handlers.HandlerMultiplexer", "handlers",
           handlers.replace("[url.HTMLURLHandler", "[url.HTMLURLHandler, scriptexec.ExecHandler", 1))
config.set("protocols.gopherp.GopherPlusProtocol", "admin", "Wayfarer Tests <tests@example.invalid>")
with tempfile.NamedTemporaryFile("w", suffix=".conf") as out:
    config.write(out)
    out.flush()
    # The backlog of 5 makes bursts wait for seconds.
    socketserver.TCPServer.request_queue_size = 512
    from pygopherd import initialization

    server = initialization.initialize(out.name)
print("ready", flush=True)
server.serve_forever()
