"""A phone of a life: its clock, what it holds back, and its permission."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from records import Report, Request

# How many seconds a phone's clock is ahead.
SKEWS = (0, 0, 0, 30, -30, 400, -400, 3_600, -86_400)


@dataclass(frozen=True)
class Device:
    letter: str
    platform: str = "android"
    skew: int = 0
    has_sequence: bool = True


class Phone:
    """A phone: what it holds back, and the state of its permission."""

    def __init__(self, device: Device, random: Random) -> None:
        self.device = device
        self.random = random
        self.sequence = 0
        self.reported = 0
        self.queue: list[Request] = []
        self.held: list[Request] = []
        self.sent: list[Request] = []
        self.is_offline = False
        self.state = self.well()

    def well(self) -> dict[str, str]:
        """A phone on which all is well. A page never has more than while in use."""
        best = "when_in_use" if self.device.platform == "web" else "always"
        return {"authorization": best, "accuracy": "full", "services": "on", "mock": "unknown"}

    def report(self, time: int, exit_at: int | None = None) -> Report:
        self.sequence += 1
        sequence = self.sequence if self.device.has_sequence else None
        self.reported = time
        return Report(time, **self.state, sequence=sequence, exit_at=exit_at)

    def change(self, severe: bool) -> None:
        """The employee changes something in the settings, or the phone no longer knows."""
        pick = self.random.choice
        dimension = pick(["authorization"] * 4 + ["services"] * 2 + ["accuracy"] * 2 + ["mock"])
        values = {
            "authorization": [self.well()["authorization"]] * 3
            + ["when_in_use"] * 2
            + ["unknown"]
            + ["denied", "restricted", "not_determined"] * severe,
            "services": ["on"] * 2 + ["unknown"] + ["off"] * 2 * severe,
            "accuracy": ["full", "reduced", "unknown"],
            "mock": ["on", "off", "unknown"],
        }
        self.state[dimension] = pick(values[dimension])
        if self.random.random() < 0.3:
            mock = "off" if self.state["mock"] == "on" else self.state["mock"]
            self.state = self.well() | {"mock": mock}

    def blocks(self) -> bool:
        """Whether the standard policy lets nobody clock in with this state."""
        may = self.state["authorization"] in ("always", "when_in_use")
        return not may or self.state["services"] != "on"
