"""A Jupyter server that answers at once: what the course asks of it where it starts one."""

import socket

from ._warnings import needs_the_lab

with needs_the_lab():
    from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
    from tornado.http1connection import HTTP1Connection
    from tornado.ioloop import IOLoop

LINGER = 10  # seconds


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The way between page and kernel without Nagle's delay: two messages in a row do not wait 40 ms for an answer."""

    def connect(self):
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def wait_for_the_proxy():
    """Let whoever asked through a Unix socket end the connection.

    The hub's proxy wants a connection for each question, and when the last byte of one is on its way it still writes
    that there is no more. On such a socket that fails if the answer came before and the door is shut already: a machine
    with much to do then says 503 of what has long been done, a kernel that runs, a notebook that is saved.
    """
    finish = HTTP1Connection._finish_request

    def finish_later(connection, future):
        stream = connection.stream
        if connection._disconnect_on_finish and not connection.is_client and stream.socket.family == socket.AF_UNIX:
            IOLoop.current().call_later(LINGER, stream.close)
            connection._disconnect_on_finish = False
        finish(connection, future)

    HTTP1Connection._finish_request = finish_later
