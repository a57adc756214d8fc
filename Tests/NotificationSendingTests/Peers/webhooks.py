"""A receiver that checks signatures with the Standard Webhooks library."""

from journal import note
from standardwebhooks.webhooks import Webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def check(id, method, headers, body):
    note(id, method=method, headers=headers, body=body.decode())
    try:
        Webhook(SECRET).verify(body, headers)
    except Exception as error:
        note(id, refused=str(error))
        return "401"
