"""The connections of a running program. All of them stay on this machine unless `connect` is given
the name of another one."""

from __future__ import annotations

import codecs
import socket
import threading

LOOPBACK = "127.0.0.1"
MOST = 64 * 1024
"""How many bytes one read gives at most."""


class Connection:
    """One open connection, read as UTF-8."""

    def __init__(self, open_socket: socket.socket):
        self.socket = open_socket
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self) -> str:
        """What one read gives; empty at the end. A character is not cut in two."""
        while True:
            data = self.socket.recv(MOST)
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text


class Network:
    """The listening ports and the connections, which are known by integers."""

    def __init__(self) -> None:
        self._listening: dict[int, socket.socket] = {}
        self._connections: dict[int, Connection] = {}
        self._count = 0
        self._lock = threading.Lock()

    def listen(self, port: int) -> int:
        """Listen on a port, or on any free one for 0; gives its number."""
        listening = socket.create_server((LOOPBACK, port), backlog=socket.SOMAXCONN)
        number = listening.getsockname()[1]
        self._listening[number] = listening
        return number

    def is_listening(self, port: int) -> bool:
        return port in self._listening

    def accept(self, port: int, seconds: float | None = None) -> int:
        """The next connection to a port; TimeoutError if none comes in time."""
        import select

        listening = self._listening[port]
        ready, _, _ = select.select([listening], [], [], seconds)
        if not ready:
            raise TimeoutError
        accepted, _ = listening.accept()
        return self._add(accepted)

    def connect(self, name: str, port: int) -> int:
        return self._add(socket.create_connection((name, port)))

    def _add(self, open_socket: socket.socket) -> int:
        open_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._count += 1
            self._connections[self._count] = Connection(open_socket)
            return self._count

    def __getitem__(self, handle: int) -> Connection:
        """The open connection of a handle; KeyError if there is none."""
        return self._connections[handle]

    def close(self, handle: int) -> None:
        """Close a connection, if it is open."""
        connection = self._connections.pop(handle, None)
        if connection is not None:
            connection.socket.close()

    def close_all(self) -> None:
        for handle in list(self._connections):
            self.close(handle)
        while self._listening:
            _, listening = self._listening.popitem()
            listening.close()
