"""HTTP/1.1 in plain text: receivers of webhooks, and a browser's push service.

The path is /KIND/SCENARIO/ID; SCENARIO is the status to answer, or one of those below.
"""

import asyncio
import email.utils
import socket
import time

import webhooks
import webpush

never = asyncio.Event()

KINDS = {"hook": webhooks.check, "push": webpush.check}


async def start(files):
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    webpush.prepare(files, port)
    return port


async def start_nobody():
    """A port that refuses connections as long as this process runs."""
    nobody = socket.socket()
    nobody.bind(("127.0.0.1", 0))
    start_nobody.socket = nobody
    return nobody.getsockname()[1]


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {}
            for line in head[1:-2]:
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            _, kind, scenario, id = path.split("/")
            refusal = KINDS[kind](id, method, headers, body)
            await answer(writer, refusal or scenario)
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


async def answer(writer, scenario):
    if scenario == "silent":
        return await never.wait()
    if scenario == "drop":
        raise ConnectionResetError
    if scenario == "garbage":
        writer.write(b"\x00\xff no protocol at all\r\n\r\n")
        raise ConnectionResetError
    status, headers, body = scenario.split("-")[0], [], b"{}"
    match scenario.split("-")[1:]:
        case ["after", seconds]:
            headers.append(f"Retry-After: {seconds}")
        case ["date", seconds]:
            # This server's clock is an hour slow; only the difference counts.
            now = time.time() - 3600
            headers.append(f"Date: {email.utils.formatdate(now, usegmt=True)}")
            later = email.utils.formatdate(now + int(seconds), usegmt=True)
            headers.append(f"Retry-After: {later}")
        case ["html"]:
            body = b"<html><body>" + b"sorry " * 1000
        case ["huge"]:
            body = b" " * 10_000_000
        case ["empty"]:
            body = b""
        case ["headers"]:
            headers += [f"X-{n}: {'x' * 4000}" for n in range(50)]
        case ["elsewhere"]:
            headers.append("Location: /hook/200/elsewhere")
        case ["close"]:
            headers.append("Connection: close")
    lines = [f"HTTP/1.1 {status} So", f"Content-Length: {len(body)}", *headers, "", ""]
    writer.write("\r\n".join(lines).encode() + body)
    await writer.drain()
