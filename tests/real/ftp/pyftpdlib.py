"""Serves a folder with pyftpdlib on the listening socket that is its standard input, with listings as DOS servers write them.

The argument: the folder."""

import os
import socket
import sys
import time

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.filesystems import AbstractedFS
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer


class Dos(AbstractedFS):
    def format_list(self, basedir, listing, ignore_err=True):
        for name in listing:
            path = os.path.join(basedir, name)
            try:
                stat = os.stat(path)
            except OSError:
                continue
            date = time.strftime("%m-%d-%y  %I:%M%p", time.gmtime(stat.st_mtime))
            size = "       <DIR>          " if os.path.isdir(path) else "%21d " % stat.st_size
            yield ("%s%s%s\r\n" % (date, size, name)).encode("utf8", "surrogateescape")


authorizer = DummyAuthorizer()
authorizer.add_anonymous(sys.argv[1])
authorizer.override_perm("anonymous", os.path.join(sys.argv[1], "incoming"), "elrw")


class Handler(FTPHandler):
    abstracted_fs = Dos
    banner = "Wayfarer test archive ready"
    # A DOS server of the time knows no MLSD.
    proto_cmds = {name: how for name, how in FTPHandler.proto_cmds.items() if name not in ("MLSD", "MLST")}


Handler.authorizer = authorizer
# Descriptor 0 is taken for none.
import logging

logging.disable()
server = FTPServer(socket.socket(fileno=os.dup(0)), Handler)
print("ready", flush=True)
server.serve_forever()
