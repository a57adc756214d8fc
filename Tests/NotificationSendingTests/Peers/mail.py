"""Mail servers: a correct one (aiosmtpd), and some faulty ones.

The recipient is SCENARIO+ID@example.org.
"""

import asyncio
import email
import email.policy
import logging

from aiosmtpd.smtp import SMTP, AuthResult
from journal import note

logging.getLogger("mail.log").setLevel(logging.ERROR)

seen = set()


class Mailbox:
    async def handle_RCPT(self, server, session, envelope, address, options):
        scenario, _, id = address.partition("@")[0].partition("+")
        match scenario:
            case "grey" if id not in seen:
                seen.add(id)
                return "451 4.7.1 come again later"
            case "nobody":
                return f"550 5.1.1 <{address}> no such user here"
            case "moved":
                return "551 5.1.6-moved\r\n551 5.1.6 to another place"
            case "bare":
                return "550 no"
            case "policy":
                return "550 5.7.1 we do not like you"
            case "sender":
                return "550 5.1.8 no such domain"
            case "full":
                return "452 4.2.2 mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        scenario, _, id = envelope.rcpt_tos[0].partition("@")[0].partition("+")
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        note(
            id,
            headers={name.lower(): str(value) for name, value in mail.items()},
            plain=mail.get_body(("plain",)).get_content(),
            html=mail.get_body(("html",)).get_content(),
            sender=envelope.mail_from,
            content=envelope.content.decode("ascii"),
            defects=len(mail.defects),
            encrypted=session.ssl is not None,
            login=getattr(session, "auth_data", None) or "",
        )
        match scenario:
            case "lost" if id not in seen:
                seen.add(id)
                server.transport.abort()
                await asyncio.sleep(0)
                return "250 never heard"
            case "silent":
                await asyncio.sleep(3600)
            case "large":
                return "552 5.3.4 too large"
            case "closing":
                return "421 4.3.2 closing"
        return "250 2.0.0 queued as 4711"


def authenticate(server, session, envelope, mechanism, data):
    if data.password == b"open sesame":
        return AuthResult(success=True, auth_data=data.login.decode())
    return AuthResult(success=False, handled=False)


async def odd(reader, writer, files, kind):
    """Faulty servers, written by hand."""
    try:
        if kind == "busy":
            writer.write(b"421 4.3.2 too many connections\r\n")
        elif kind == "slow":
            for byte in b"220 slow.example.org\r\n" * 1000:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
        elif kind == "other":
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        elif kind == "cutting":
            writer.write(b"220 hello\r\n")
            for reply in (b"250 hello", b"250 ok", b"250 ok", b"354 go on"):
                await reader.readline()
                writer.write(reply + b"\r\n")
            await reader.readexactly(1000)
            writer.transport.abort()
            return
        elif kind == "injecting":
            # Replies before the TLS handshake must not count as replies within it.
            writer.write(b"220 hello\r\n")
            await reader.readline()
            writer.write(b"250-hello\r\n250 STARTTLS\r\n")
            await reader.readline()
            writer.write(b"220 go\r\n250-evil\r\n250 AUTH PLAIN\r\n")
            await writer.start_tls(files.context())
            line = await reader.readline()
            note("injecting", line=line.decode())
            writer.write(b"554 no\r\n")
        await writer.drain()
        await reader.read()
    except (ConnectionError, OSError):
        pass
    finally:
        writer.close()


async def start(files):
    loop = asyncio.get_running_loop()

    async def port(make):
        server = await loop.create_server(make, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    async def odd_port(kind):
        server = await asyncio.start_server(
            lambda reader, writer: odd(reader, writer, files, kind), "127.0.0.1", 0
        )
        return server.sockets[0].getsockname()[1]

    common = dict(hostname="mail.example.org", loop=loop, authenticator=authenticate)
    kinds = ("busy", "slow", "other", "injecting", "cutting")
    return {
        "mail": await port(
            lambda: SMTP(Mailbox(), tls_context=files.context(), require_starttls=True, **common)
        ),
        "mail-plain": await port(lambda: SMTP(Mailbox(), **common)),
        **{f"mail-{kind}": await odd_port(kind) for kind in kinds},
    }
