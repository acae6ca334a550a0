"""A client that talks to a collector, fed by lines: `python posting_client.py MISTAKE`.

`reporter` hands the events to our own Reporter, unchanged; the others post by themselves, which is faster.
"""

import json
import os
import sys
import tempfile
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

from hgldp import Randomizer, Reporter
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload


def fetched(connection: HTTPConnection, path: str) -> bytes:
    connection.request("GET", path)
    return connection.getresponse().read()


def main(mistake: str) -> None:
    assert input() == "hgldp-audit 1"
    url, task_id = (input().partition(" ")[2] for _ in range(2))
    connection = HTTPConnection(urlsplit(url).netloc)
    task = read_task(fetched(connection, f"/v1/tasks/{task_id}/document"))
    version = json.loads(fetched(connection, f"/v1/tasks/{task_id}/bulletin"))["bulletin"]
    bulletin = read_bulletin(fetched(connection, f"/v1/bulletins/{version}"), version)
    device, limit = Randomizer(task, max_epsilon=task.budget.epsilon), scheme_of(task).symbol_limit(bulletin)

    def post(key: str, item: object) -> None:
        upload = Upload.of(os.urandom(16), bytes.fromhex(version), [device.report(item, bulletin).symbol], limit)
        connection.request("POST", f"/v1/in/{key}", upload.encode())
        assert json.loads(connection.getresponse().read()) == {"accepted": 1}

    for line in sys.stdin:
        _, key, events = line.split(" ", 2)
        (item,) = json.loads(events)
        if mistake == "reporter":
            with (
                tempfile.TemporaryDirectory() as folder,
                Reporter(url, task_id, key, folder=folder, max_epsilon=1, allow_plain_http=True) as reporter,
            ):
                reporter.report(item)
                reporter.flush()
        elif mistake != "silent" or item == task.domain.item(0):
            time.sleep(0.2 if mistake == "late" and item != task.domain.item(0) else 0.0)
            post(key, item)
        print({"babbling": "ready", "twice": "done\ndone"}.get(mistake, "done"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
