"""Compiles a mutant into a library of rules, and runs the tests on it."""

import os
import signal
import subprocess
import sys
import threading

from places import ROOT, RULES

SCRATCH = ROOT / ".build/mutants"
# The slowest tests run last, when most mutants are already killed.
SLOW_TESTS = "Property|Walk|SecondReader"
MEMORY_MAX = 4 << 30  # bytes
WAIT_MAX = 300  # seconds

RULES_PACKAGE = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "rules",
  products: [.library(name: "Rules", type: .dynamic, targets: ["ShiftDomain", "GuardRules"])],
  targets: [
    .target(name: "ShiftDomain"), .target(name: "GuardRules", dependencies: ["ShiftDomain"]),
  ],
  swiftLanguageModes: [.v6])
"""
TESTS_PACKAGE = """// swift-tools-version: 6.2
import PackageDescription
let rules = Target.Dependency.product(name: "Rules", package: "rules")
let package = Package(
  name: "tests", dependencies: [.package(path: "../rules")],
  targets: [
    .systemLibrary(name: "CSpawn", path: "Sources/TestKits/CSpawn"), .target(name: "Lifecycle"),
    .target(
      name: "TestPrograms", dependencies: ["CSpawn", "Lifecycle"],
      path: "Sources/TestKits/TestPrograms"),
    .target(name: "TestNumbers", path: "Sources/TestKits/TestNumbers"),
    .testTarget(name: "ShiftDomainTests", dependencies: [rules]),
    .testTarget(
      name: "GuardRulesTests", dependencies: [rules, "TestNumbers", "TestPrograms"],
      resources: [.copy("Fixtures"), .copy("coverage_reference.py")]),
  ],
  swiftLanguageModes: [.v6])
"""
BUILT = SCRATCH / "tests/.build/debug"


class Stopped(Exception):
    """The script was asked to end."""


class Runner:
    """Compiles mutants and runs the tests on them."""

    def __init__(self, environment, limit):
        # A crash kills a mutant; its backtrace is not needed.
        self.environment = environment | {"SWIFT_BACKTRACE": "enable=no"}
        self.limit = limit
        self.running, self.lock, self.is_stopped = set(), threading.Lock(), False

    def build(self):
        for name, manifest, folders in [
            ("rules", RULES_PACKAGE, ["Sources"]), ("tests", TESTS_PACKAGE, ["Sources", "Tests"]),
        ]:
            package = SCRATCH / name
            package.mkdir(parents=True, exist_ok=True)
            (package / "Package.swift").write_text(manifest)
            for folder in folders:
                if not (package / folder).is_symlink():
                    (package / folder).symlink_to(ROOT / folder)
        # Optimised tests need a fifth of the time; file by file, so that no rule is inlined.
        command = ["swift", "build", "--build-tests", "-Xswiftc", "-O"]
        subprocess.run(
            command, cwd=SCRATCH / "tests", env=self.environment, check=True, stdout=sys.stderr)

    def judge(self, mutant):
        """The outcome for `mutant`, and the choice that was used."""
        folder = SCRATCH / f"worker-{threading.get_ident()}"
        folder.mkdir(exist_ok=True)
        for choice in mutant.choices:
            if self.compile(folder, mutant.file, mutant.mutated(choice)):
                return self.test(folder), choice
        return "not compiling", mutant.choices[0]

    def compile(self, folder, file, text):
        """Compiles only the changed file; the others are linked as they were built."""
        (folder / file).write_text(text)
        others = [path for path in RULES.glob("*.swift") if path.name != file]
        command = ["swiftc", "-frontend", "-c", "-primary-file", folder / file, *others]
        command += ["-Onone", "-swift-version", "6", "-suppress-warnings", "-parse-as-library"]
        command += ["-module-name", "GuardRules", "-I", BUILT / "Modules", "-o", folder / "rule.o"]
        objects = [BUILT / f"GuardRules.build/{path.name}.o" for path in others]
        objects += [folder / "rule.o", *(BUILT / "ShiftDomain.build").glob("*.o")]
        link = ["swiftc", "-emit-library", "-Xlinker", "-soname=libRules.so"]
        link += ["-o", folder / "libRules.so", *objects]
        return all(
            self.run(step, self.environment, lambda line: False)[0] == 0
            for step in (command, link))

    def test(self, folder):
        """Runs the tests until the first failure."""
        environment = self.environment | {"LD_LIBRARY_PATH": str(folder)}
        tests = [BUILT / "testsPackageTests.xctest", "--testing-library", "swift-testing"]
        for choice in ["--skip", "--filter"]:
            status, is_cut = self.run(
                [*tests, choice, SLOW_TESTS], environment,
                lambda line: "recorded an issue" in line)
            if is_cut:
                return "killed"
            if status in (-signal.SIGXCPU, -signal.SIGKILL):
                return "timed out"
            if status != 0:
                return "killed"
        return "survived"

    def run(self, command, environment, ends):
        """The status, and whether a line of output ended it early. Limited in processor time, so
        that a busy machine is not taken for an endless loop, and in memory."""
        with self.lock:
            if self.is_stopped:
                raise Stopped
            process = subprocess.Popen(
                ["prlimit", f"--cpu={self.limit}", f"--as={MEMORY_MAX}", *command],
                env=environment, text=True, errors="replace", start_new_session=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.running.add(process)
        # Ends a process that waits without using processor time.
        timer = threading.Timer(WAIT_MAX, end, [process])
        timer.start()
        is_cut = False
        for line in process.stdout:
            if ends(line):
                is_cut = True
                end(process)
        status = process.wait()
        timer.cancel()
        with self.lock:
            self.running.remove(process)
        return status, is_cut

    def stop(self):
        with self.lock:
            self.is_stopped = True
            for process in self.running:
                end(process)


def end(process):
    """Ends a process and its descendants."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
