"""HTTP/2 over TLS, as push services speak it; apns.py and fcm.py decide the answers."""

import asyncio
import json
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

import apns
import fcm

STREAMS = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS


@dataclass
class Answer:
    status: int = 200
    headers: list = field(default_factory=list)
    body: bytes = b""
    # What goes wrong: silent, drop, goaway, reset (after the headers), refused (the stream).
    trouble: str = ""


class Connection(asyncio.Protocol):
    opened = 0

    def __init__(self, streams):
        self.streams = streams

    def connection_made(self, transport):
        Connection.opened += 1
        self.number = Connection.opened
        self.transport = transport
        self.requests = {}
        self.tokens = set()
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        )
        self.h2.local_settings = h2.settings.Settings(
            client=False, initial_values={STREAMS: self.streams}
        )
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        self.transport.write(self.h2.data_to_send())

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            print(json.dumps({"id": "protocol", "error": str(error)}), flush=True)
            self.flush()
            return self.transport.close()
        for event in events:
            match event:
                case h2.events.RequestReceived():
                    self.requests[event.stream_id] = (dict(event.headers), b"")
                case h2.events.DataReceived():
                    headers, body = self.requests[event.stream_id]
                    self.requests[event.stream_id] = (headers, body + event.data)
                    self.h2.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id
                    )
                case h2.events.StreamEnded():
                    headers, body = self.requests.pop(event.stream_id)
                    kind = apns if headers[":path"].startswith("/3/device/") else fcm
                    self.answer(event.stream_id, kind.answer(self, headers, body))
        self.flush()

    def welcome(self):
        """The first valid token was seen: from now on many streams may be open at once."""
        if self.h2.local_settings.max_concurrent_streams == 1:
            self.h2.update_settings({STREAMS: 100})

    def answer(self, stream, answer):
        match answer.trouble:
            case "silent":
                return
            case "drop":
                return self.transport.abort()
            case "refused":
                return self.h2.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            case "goaway":
                self.h2.close_connection(
                    last_stream_id=stream - 2 if stream > 1 else 0,
                    additional_data=b'{"reason":"Shutdown"}',
                )
                self.flush()
                return self.transport.close()
        headers = [(":status", str(answer.status)), *answer.headers]
        self.h2.send_headers(stream, headers, end_stream=not (answer.body or answer.trouble))
        if answer.trouble == "reset":
            return self.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        if answer.body:
            window = self.h2.local_flow_control_window(stream)
            step = self.h2.max_outbound_frame_size
            body = answer.body[:window]
            for start in range(0, len(body), step):
                self.h2.send_data(stream, body[start : start + step])
            if len(body) == len(answer.body):
                self.h2.end_stream(stream)


async def start(files):
    apns.prepare(files)
    fcm.prepare(files)

    async def port(streams):
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(streams), "127.0.0.1", 0, ssl=files.context("h2")
        )
        return server.sockets[0].getsockname()[1]

    # Apple allows one stream until it has seen a valid token.
    return {"push": await port(1), "google": await port(100)}
