import HTTPServing
import InstallationOperations
import Postgres
import ShiftDomain
import ShiftTestKit

/// Plays a scenario, line by line to its end, and notes each difference.
struct ScenarioRun {
  private let scenario: Scenario
  private let works: Clockwork
  private var player: ScenarioPlayer

  /// The differences of a scenario, on a migrated database without rows.
  static func differences(of scenario: Scenario, on pool: Pool) async throws -> [Difference] {
    // Long before, so that records older than the first line have a policy and a device.
    let works = Clockwork(on: pool, at: scenario.start - .hours(10 * 24))
    let administrator = try await works.token(of: .administrator)
    var run = ScenarioRun(
      scenario: scenario, works: works,
      player: ScenarioPlayer(scenario, in: works, administrator: administrator))
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await works.streams.service.run() }
      defer { group.cancelAll() }
      do {
        try await run.setUp(&group)
        try await run.play(&group)
      } catch {
        run.player.note(scenario.line, "the run ended: \(error)")
      }
      return run.player.differences.sorted { $0.line < $1.line }
    }
  }

  private mutating func setUp(_ group: inout TaskGroup<Void>) async throws {
    let team = try await player.addTeam()
    try await player.hire(into: team, by: try await works.token(of: .manager, in: [team]))
    works.clock.now = scenario.start - .seconds(2)
    try await works.look(at: works.clock.now)
    try await player.connect(&group)
  }

  private mutating func play(_ group: inout TaskGroup<Void>) async throws {
    var downUntil: Instant?
    for step in scenario.steps {
      let at = scenario.instant(step.at)
      if let end = downUntil, end <= at {
        try await works.pass(to: end)
        try await works.look(at: end)
        downUntil = nil
      }
      try await works.pass(to: at)
      if case .outage(let until) = step.action {
        try await works.stop()
        downUntil = scenario.instant(until)
      } else if downUntil != nil, !step.isExpectation {
        player.note(step.number, "guardd is down")
      } else {
        if step.isExpectation, !step.isStatement { try await works.look(at: works.clock.now) }
        // The board shows a shift, and what came late cuts its silences, when it is rolled up.
        switch step.action {
        case .expect(.incidents), .expect(.tracking): try await works.rollUp()
        default: break
        }
        try await player.play(step, &group)
        try await works.deliverWhatIsDue()
      }
      takeFailures(step.number)
    }
    guard let last = scenario.lines.last else { return }
    try await works.pass(to: scenario.instant(last.at) + .seconds(6))
    takeFailures(last.number)
    player.judgeNotifications()
  }

  private mutating func takeFailures(_ line: Int) {
    for failure in works.failures.take() { player.note(line, "a failure inside: \(failure)") }
  }
}
