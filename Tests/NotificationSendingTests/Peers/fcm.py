"""Google's token endpoint, and Firebase Cloud Messaging.

The account's name before the hyphen decides how the token endpoint answers. The registration is
SCENARIO/ID; SCENARIO is a status and a code (`404-UNREGISTERED`), a status and a kind of answer, or
a failure that push.py simulates.
"""

import json
import time
import urllib.parse

import push
import tokens
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from journal import note

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
issued = []
seen = {}


def prepare(files):
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    account = {
        "type": "service_account",
        "project_id": "shifts-1",
        "private_key_id": "key-1",
        "private_key": pem.decode(),
        "client_email": "good@shifts-1.example",
    }
    files.write("account.json", json.dumps(account).encode())


def answer(connection, headers, body):
    if headers[":path"] == "/token":
        return give_token(headers, body)
    return take_message(headers, body)


def reply(status, content, *headers, trouble=""):
    return push.Answer(status, list(headers), json.dumps(content).encode(), trouble)


def give_token(headers, body):
    form = dict(urllib.parse.parse_qsl(body.decode()))
    read = tokens.read(form["assertion"], key.public_key())
    if read is None:
        return reply(400, {"error": "invalid_grant", "error_description": "Invalid signature"})
    header, claims = read
    account = claims["iss"]
    now = time.time()
    is_right = (
        form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        and header == {"alg": "RS256", "typ": "JWT", "kid": "key-1"}
        and claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
        and claims["aud"] == f"https://{headers[':authority']}/token"
        and claims["exp"] - claims["iat"] <= 3600
        and abs(now - claims["iat"]) < 300
    )
    note(f"token of {account}", right=is_right)
    if not is_right:
        return reply(400, {"error": "invalid_grant"})
    match account.partition("@")[0].partition("-")[0]:
        case "revoked":
            return reply(400, {"error": "invalid_grant", "error_description": "x" * 1000})
        case "busy":
            return push.Answer(503, [("retry-after", "20")], b"<html>sorry")
        case "silent":
            return push.Answer(trouble="silent")
        case "odd":
            return reply(200, {"access_token": "a\r\nb"})
        case "huge":
            return push.Answer(200, [], b" " * 60_000)
    issued.append(f"ya29.{len(issued)}")
    return reply(200, {"access_token": issued[-1], "expires_in": 3599, "token_type": "Bearer"})


def failure(status, code, *headers):
    detail = {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}
    kind = {"@type": "type.googleapis.com/google.rpc.BadRequest"}
    error = {"code": status, "status": "SOME_KIND", "message": "m", "details": [kind, detail]}
    return reply(status, {"error": error}, *headers)


def blame(message, *fields):
    """A 400 as Google documents it: for an invalid address, or for invalid fields."""
    own = {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
           "errorCode": "INVALID_ARGUMENT"}
    wrong = {"@type": "type.googleapis.com/google.rpc.BadRequest",
             "fieldViolations": [{"field": field, "description": "d"} for field in fields]}
    return reply(400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": message,
                                 "details": [wrong, own] if fields else [own]}})


def take_message(headers, body):
    message = json.loads(body)["message"]
    scenario, _, id = message.get("token", message.get("fid")).partition("/")
    token = headers["authorization"].removeprefix("Bearer ")
    before = seen.setdefault(id, [])
    before.append(token)
    note(id, path=headers[":path"], token=token, body=body.decode(), bytes=len(body))
    if token not in issued or headers["content-type"] != "application/json":
        return reply(401, {"error": {"code": 401, "status": "UNAUTHENTICATED"}})
    if not all(isinstance(value, str) for value in message["data"].values()):
        return failure(400, "INVALID_ARGUMENT")
    name = {"name": f"projects/shifts-1/messages/0:15%3{len(before)}"}
    match scenario.split("-"):
        case ["200"]:
            return reply(200, name)
        case ["200", "huge"]:
            return push.Answer(200, [], b" " * 1_000_000)
        case ["blame", "none"]:
            return blame("The registration token is not a valid FCM registration token")
        case ["blame", "other"]:
            return blame("Request contains an invalid argument.")
        case ["blame", *fields]:
            return blame("Request contains an invalid argument.", *fields)
        case ["stale"]:
            return reply(401 if len(set(before)) == 1 else 200, name)
        case ["plain", status, kind]:
            return reply(int(status), {"error": {"code": int(status), "status": kind}})
        case [status, "html"]:
            return push.Answer(int(status), [], b"<html>" + b"sorry " * 1000)
        case [status, code]:
            return failure(int(status), code)
        case [status, code, seconds]:
            return failure(int(status), code, ("retry-after", seconds))
        case [trouble]:
            return push.Answer(trouble=trouble)
