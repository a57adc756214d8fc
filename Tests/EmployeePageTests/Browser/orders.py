"""What all scripts share: their arguments, and orders to the server."""

import json
import sys
import time
import urllib.request

address, story, folder = sys.argv[1:]
PLACE = {"latitude": 43.5081, "longitude": 16.4402, "accuracy": 12}


def order(name, argument=""):
    """Makes others do something, as `PageWorld` says."""
    request = urllib.request.Request(
        f"{address}/test/{name}", data=argument.encode(), method="POST")
    with urllib.request.urlopen(request, timeout=600) as response:
        return response.read().decode()


def requests(path):
    """The requests to the API so far that were sent to `path`."""
    return [one for one in json.loads(order("requests")) if one["path"] == path]


def awaited(path, page=None):
    """The requests to `path`, once there is one. Meanwhile `page` works on."""
    for _ in range(3_000):
        if sent := requests(path):
            return sent
        page.wait_for_timeout(100) if page else time.sleep(0.1)
    raise AssertionError(f"nothing was sent to {path}")


def first_report():
    """The first permission report that the server got, once it has one."""
    return awaited("/v1/permission-reports")[0]["body"]["reports"][0]
