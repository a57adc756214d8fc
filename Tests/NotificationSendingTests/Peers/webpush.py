"""A browser and its push service: what arrives is decrypted with the http_ece library."""

import base64
import json
import re
import secrets
import time

import http_ece
import tokens
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from journal import note

browser = ec.generate_private_key(ec.SECP256R1())
auth = secrets.token_bytes(16)
origin = ""


def unpadded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def prepare(files, port):
    global origin
    origin = f"http://127.0.0.1:{port}"
    point = browser.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    subscription = {"p256dh": unpadded(point), "auth": unpadded(auth)}
    files.write("browser.json", json.dumps(subscription).encode())


def check(id, method, headers, body):
    try:
        fields = re.fullmatch(r"vapid t=([\w.-]+), k=([\w-]+)", headers["authorization"])
        token, key = fields.groups()
        point = ec.EllipticCurvePublicKey.from_encoded_point(
            ec.SECP256R1(), tokens.unpadded(key)
        )
        header, claims = tokens.read(token, point)
        assert header == {"typ": "JWT", "alg": "ES256"}, header
        assert set(claims) == {"aud", "exp", "sub"}, claims
        assert claims["aud"] == origin, claims
        assert time.time() < claims["exp"] < time.time() + 24 * 3600, claims
        assert claims["sub"].startswith("mailto:"), claims
        assert headers["content-encoding"] == "aes128gcm"
        assert len(body) <= 4096, len(body)
        assert re.fullmatch(r"[\w-]{1,32}", headers["topic"])
        plain = http_ece.decrypt(
            body, private_key=browser, auth_secret=auth, version="aes128gcm"
        )
        note(
            id,
            body=plain.decode(),
            bytes=len(body),
            ttl=int(headers["ttl"]),
            urgency=headers["urgency"],
            token=token,
        )
    except Exception as error:
        note(id, fault=repr(error))
        return "400"
