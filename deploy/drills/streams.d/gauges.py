"""The resources of the service, and queries to its database."""

import os
import re
import subprocess


class Gauges:
    """Memory and processor time of the process `process`."""

    def __init__(self, process: str):
        self.process = process

    def memory(self) -> int:
        """Resident memory in kilobytes."""
        text = open(f"/proc/{self.process}/status").read()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1])

    def worked(self) -> float:
        """Seconds of processor time so far."""
        fields = open(f"/proc/{self.process}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(sql: str) -> str:
    """The rows as psql prints them."""
    command = ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-d", os.environ["SHIFTGUARD_DATABASE"]]
    return subprocess.run(
        [*command, "-c", sql], check=True, capture_output=True, text=True).stdout.strip()
