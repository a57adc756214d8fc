"""The other side of every channel, for tests: simulates providers, good and bad, on loopback.

Prints its ports first, then one line of JSON for each arrival, and ends when its input ends. The
address in each request says how the peer answers, so peers need no configuration.
"""

import asyncio
import json
import os
import sys

import identity
import mail
import push
import web


async def main(folder):
    files = identity.make(folder)
    ports = {
        "web": await web.start(files),
        **await push.start(files),
        **await mail.start(files),
        "closed": await web.start_nobody(),
    }
    print(json.dumps({"ports": ports}), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    await reader.read()
    os._exit(0)


asyncio.run(main(sys.argv[1]))
