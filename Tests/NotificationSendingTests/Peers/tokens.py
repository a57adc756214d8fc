"""JSON Web Tokens, read by a different library than the one that made them."""

import base64
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def read(token, key):
    """Header and claims, or None if the signature does not match `key`."""
    try:
        signed, signature = token.rsplit(".", 1)
        header, claims = (json.loads(unpadded(part)) for part in signed.split("."))
        signature = unpadded(signature)
        if header["alg"] == "ES256":
            if len(signature) != 64:
                return None
            numbers = [int.from_bytes(part, "big") for part in (signature[:32], signature[32:])]
            der = utils.encode_dss_signature(*numbers)
            key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        else:
            key.verify(signature, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return header, claims
    except (InvalidSignature, ValueError, KeyError):
        return None
