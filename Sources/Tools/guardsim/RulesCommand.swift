import CommandParsing
import Foundation
import Glibc
import GuardSimulation
import Lifecycle

/// `guardsim rules`: runs one world step by step, or many worlds on several threads.
func simulateRules(_ command: ParsedCommand) async -> (text: String, isGood: Bool) {
  let seed = UInt64(command.int("seed") ?? 1)
  if command.flag("trace") || command.int("until") != nil {
    return replayWorld(
      seed: seed, until: command.int("until") ?? Simulation.stepsOfWorld,
      isTraced: command.flag("trace"))
  }
  let run = RulesRun(seed: seed, steps: command.int("steps") ?? 1)
  let start = ContinuousClock.now
  for _ in 0..<(command.int("workers") ?? 1) {
    run.begin()
    if !OwnThread.start({ run.work() }) { run.end() }
  }
  let isWatched = isatty(STDERR_FILENO) == 1 && !command.flag("quiet")
  while run.isRunning {
    try? await Task.sleep(for: .milliseconds(200))
    if isWatched { show("\(grouped(run.steps)) steps") }
  }
  if isWatched { show("") }
  return run.report(after: ContinuousClock.now - start)
}

/// The state that the threads share: the next world and the results so far.
private final class RulesRun: Sendable {
  private struct Progress {
    var nextWorld: UInt64 = 0
    var workers = 0
    var steps = 0
    var caseCoverage = CaseCoverage()
    var violation: Violation?
  }

  private let seed: UInt64
  private let stepsWanted: Int
  private let progress = Lock(Progress())

  init(seed: UInt64, steps: Int) {
    self.seed = seed
    stepsWanted = steps
  }

  var isRunning: Bool { progress.withLock { $0.workers > 0 } }
  var steps: Int { progress.withLock { $0.steps } }

  func begin() { progress.withLock { $0.workers += 1 } }
  func end() { progress.withLock { $0.workers -= 1 } }

  /// Runs worlds until there are enough steps or one breaks a promise.
  func work() {
    defer { end() }
    while let world = nextWorld() {
      var simulation = Simulation()
      var broken: Violation?
      do throws(Violation) {
        try simulation.run(
          seed: seed &+ world, steps: min(Simulation.stepsOfWorld, stepsLeft(before: world)))
      } catch {
        broken = error
      }
      let (steps, caseCoverage, violation) = (simulation.steps, simulation.caseCoverage, broken)
      progress.withLock { progress in
        progress.steps += steps
        progress.caseCoverage.formUnion(caseCoverage)
        if let violation, progress.violation.map({ violation.seed < $0.seed }) ?? true {
          progress.violation = violation
        }
      }
    }
  }

  private func nextWorld() -> UInt64? {
    progress.withLock { progress in
      guard progress.violation == nil, stepsLeft(before: progress.nextWorld) > 0
      else { return nil }
      progress.nextWorld += 1
      return progress.nextWorld - 1
    }
  }

  private func stepsLeft(before world: UInt64) -> Int {
    stepsWanted - Int(world) * Simulation.stepsOfWorld
  }

  func report(after time: Duration) -> (text: String, isGood: Bool) {
    let progress = progress.withLock { $0 }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = Int(Double(progress.steps) / max(seconds, 0.001) * 60)
    let figures =
      "\(grouped(progress.steps)) steps in \(grouped(Int(progress.nextWorld))) worlds from seed "
      + "\(seed), \(String(format: "%.1f", seconds)) s: \(grouped(rate)) steps a minute"
    if let violation = progress.violation {
      let way = "guardsim rules --seed \(violation.seed) --until \(violation.step) --trace"
      return ("\(violation)\nto reproduce: \(way)\n\(figures)", false)
    }
    let missing = progress.caseCoverage.missing
    let remark = missing.isEmpty ? "" : "\nnever occurred: \(missing.joined(separator: ", "))"
    return ("no promise broken\n\(figures)\(remark)", true)
  }
}

/// Runs a single world.
private func replayWorld(
  seed: UInt64, until step: Int, isTraced: Bool
) -> (text: String, isGood: Bool) {
  var world = World(seed: seed, listener: isTraced ? { printLine($0) } : nil)
  if let violation = world.live(until: step) { return ("\(violation)", false) }
  return ("seed \(seed): no promise broken by step \(world.steps)", true)
}

/// Prints a line at once, so that later output does not come before it.
private func printLine(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// `1,000,000`
private func grouped(_ number: Int) -> String {
  var text = ""
  for (place, digit) in String(number).reversed().enumerated() {
    if place > 0, place.isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

/// Shows one line on a terminal, overwritten by the next.
private func show(_ text: String) {
  FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
}
