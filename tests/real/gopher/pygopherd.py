"""Serves a folder with pygopherd from its unpacked package, on the listening socket that is its standard input.

The arguments: the packaged configuration, a file of media types, the folder (with gopher/, cert.pem and key.pem)."""

import configparser
import socket
import socketserver
import sys
import tempfile

packaged, types, folder = sys.argv[1:]
listening = socket.socket(fileno=0)
config = configparser.ConfigParser()
config.read(packaged)
settings = {
    "detach": "no", "port": "0", "interface": "127.0.0.1", "servername": "127.0.0.1", "usechroot": "no",
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


def adopt(server):
    """In place of binding: the socket is bound already, and nobody else can have its port."""
    server.socket.close()
    server.socket = listening
    server.server_address = listening.getsockname()


socketserver.TCPServer.server_bind = adopt
# The backlog of 5 makes bursts wait for seconds.
socketserver.TCPServer.request_queue_size = 512

from pygopherd import initialization  # noqa: E402, with the socket in place

with tempfile.NamedTemporaryFile("w", suffix=".conf") as out:
    config.write(out)
    out.flush()
    server = initialization.initialize(out.name)
print("ready", flush=True)
server.serve_forever()
