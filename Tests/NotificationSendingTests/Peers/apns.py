"""Apple's push notification service.

The device token is SCENARIO/ID in hexadecimal. SCENARIO is a status, a reason and a timestamp
(`410-Unregistered-1700000000000`), or a failure that push.py simulates.
"""

import json
import re
import time

import push
import tokens
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from journal import note

key = ec.generate_private_key(ec.SECP256R1())
seen = {}


def prepare(files):
    files.write(
        "apns.p8",
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def answer(connection, headers, body):
    token = bytes.fromhex(headers[":path"].removeprefix("/3/device/")).decode()
    scenario, _, id = token.partition("/")
    before = seen.setdefault(id, [])
    before.append(headers.get("authorization", ""))
    reason = fault(connection, headers, body)
    note(
        id,
        connection=connection.number,
        headers=headers,
        body=body.decode(),
        bytes=len(body),
        fault=reason,
    )
    if reason:
        status = {"PayloadTooLarge": 413, "TooManyProviderTokenUpdates": 429}
        return refusal(status.get(reason, 403 if "Token" in reason else 400), reason)
    connection.welcome()
    apns_id = [("apns-id", headers["apns-id"])]
    match scenario.split("-"):
        case ["200"]:
            return push.Answer(200, apns_id)
        case ["200", "huge"]:
            return push.Answer(200, apns_id, b" " * 1_000_000)
        case [status, "html"]:
            return push.Answer(int(status), apns_id, b"<html>" + b"sorry " * 1000)
        case [status, "after", seconds]:
            return push.Answer(int(status), [("retry-after", seconds)])
        case ["expired"]:
            # A different token is accepted.
            if len(set(before)) == 1:
                return refusal(403, "ExpiredProviderToken")
            return push.Answer(200, apns_id)
        case ["once", trouble]:
            return push.Answer(200, apns_id, trouble=trouble if len(before) == 1 else "")
        case [status, reason]:
            return refusal(int(status), reason)
        case [status, reason, timestamp]:
            return refusal(int(status), reason, timestamp=int(timestamp))
    return push.Answer(200, apns_id, trouble=scenario)


def refusal(status, reason, **more):
    return push.Answer(status, body=json.dumps({"reason": reason, **more}).encode())


def fault(connection, headers, body):
    authorization = headers.get("authorization", "")
    if not authorization.startswith("bearer "):
        return "MissingProviderToken"
    token = authorization.removeprefix("bearer ")
    read = tokens.read(token, key.public_key())
    if read is None or read[0] != {"alg": "ES256", "kid": "ABC1234567"}:
        return "InvalidProviderToken"
    if set(read[1]) != {"iss", "iat"} or read[1]["iss"] != "TEAM123456":
        return "InvalidProviderToken"
    if type(read[1]["iat"]) is not int or abs(time.time() - read[1]["iat"]) > 3600:
        return "ExpiredProviderToken"
    connection.tokens.add(token)
    rules = {
        "BadTopic": headers.get("apns-topic") == "org.example.shifts",
        "InvalidPushType": headers.get("apns-push-type") == "alert",
        "BadMessageId": re.fullmatch(
            "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
            headers.get("apns-id", ""),
        ),
        "BadExpirationDate": re.fullmatch("[0-9]{10}", headers.get("apns-expiration", "")),
        "BadPriority": headers.get("apns-priority") in ("10", "5"),
        "BadCollapseId": 0 < len(headers.get("apns-collapse-id", "")) <= 64,
        "PayloadEmpty": json.loads(body)["aps"]["alert"]["title"],
        "PayloadTooLarge": len(body) <= 4096,
    }
    return next((reason for reason, is_kept in rules.items() if not is_kept), "")
