"""Apps that open and close: apps.py ADDRESS PHONES FILE.

Writes the phones' tokens to FILE. Then every phone has its event stream open for 20 to 60 s at a
time, until this is stopped.
"""

import asyncio
import base64
import hashlib
import random
import sys

host, port = sys.argv[1].rsplit(":", 1)
phones, path = int(sys.argv[2]), sys.argv[3]


def token(n):
    secret = base64.urlsafe_b64encode(hashlib.sha256(str(n).encode()).digest())
    return f"sg_{n}_1_{secret.decode().rstrip('=')}"


async def app(n):
    await asyncio.sleep(random.uniform(0, 20))
    while True:
        try:
            reader, writer = await asyncio.open_connection(host, int(port), limit=65536)
            writer.write(
                f"GET /v1/me/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token(n)}\r\n\r\n"
                .encode())
            try:
                async with asyncio.timeout(random.uniform(20, 60)):
                    while await reader.read(4096):
                        pass
            except TimeoutError:
                pass
            writer.close()
        except OSError as error:
            print(f"stream {n}: {error}", file=sys.stderr)
        await asyncio.sleep(random.uniform(1, 5))


async def main():
    with open(path, "w", encoding="ascii") as file:
        file.write("".join(f"{token(n)}\n" for n in range(1, phones + 1)))
    await asyncio.gather(*(app(n) for n in range(1, phones + 1)))

asyncio.run(main())
