import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import Lifecycle
import NotificationOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Telemetry
import TestKit

@testable import BackgroundWorkers

/// When every test begins.
let morning = MovableClock.monday

/// Employees with one phone each in a separate database, and a clock that the test moves.
struct WatchWorld: MovableWorld {
  let operations: TestOperations
  let clock = MovableClock()
  let team: TeamID
  let phones: [TestPhone]

  /// How many employees a watch reads at once, so that a small team needs more than one page.
  static let pageSize = 100

  /// Runs `body` with a team of `count` employees, numbered from 1.
  static func run(
    _ count: Int32 = 1, _ body: (WatchWorld) async throws -> Void
  ) async throws {
    try await withDatabase(size: 8) { pool in try await body(try await WatchWorld(count, pool)) }
  }

  init(_ count: Int32, _ pool: Pool) async throws {
    operations = TestOperations(pool: pool, clock: clock)
    (team, phones) = try await operations.addTeam(of: count, timeZone: "Europe/Paris")
  }

  /// Every phone clocks in at this moment, or offline at an earlier one.
  func clockIn(at earlier: Instant? = nil) async throws {
    for phone in phones {
      _ = try await phone.clockIn("in") {
        ($0.occurredAt, $0.sentAt, $0.report) = (earlier, now, .saying(.always))
      }
    }
  }

  /// Writes a heartbeat of an instance at this moment; the silence watch decides by heartbeats.
  func beat(as instance: Int64 = 1) async throws {
    try await operations.background.beat(as: instance)
  }

  /// Moves the clock, with regular heartbeats, until the silence watch can decide about the moment
  /// `span` after the morning.
  func live(to span: TimeSpan) async throws {
    let end = morning + span + .seconds(1)
    while now < end {
      clock.now = min(end, now + .seconds(5))
      try await beat()
    }
  }

  /// A phone sends a ping of this moment: a fix, or a sign of life.
  func ping(_ phone: Int = 0, hasFix: Bool = true, isStationary: Bool = false) async throws {
    var ping = IncomingPing.fix(at: now)
    if !hasFix { ping = IncomingPing(recordedAt: now, fix: nil, isStationary: isStationary) }
    _ = try await phones[phone].ping([ping], sentAt: now)
  }

  /// A phone reports its permission.
  func report(_ authorization: Authorization) async throws {
    try await phones[0].report(authorization, sentAt: now)
  }

  /// The incidents, oldest first: employee, kind, evidence, the seconds after the morning at which
  /// it opened and closed, and why it closed.
  func incidents() async throws -> [String] {
    try await operations.insight.incidents(of: nil, openOnly: false, limit: 1_000).map { row in
      let end = row.closedAt.map { "\(($0 - morning).milliseconds / 1_000)" } ?? ""
      return """
        \(row.shift.employee.rawValue) \(row.kind.code) \(row.evidence.code) \
        \((row.openedAt - morning).milliseconds / 1_000)...\(end)\
        \(row.closing.map { " \($0.code)" } ?? "")
        """
    }.reversed()
  }

  /// Employee 1 begins a break at this moment.
  func beginBreak() async throws {
    let at = now
    _ = try await pool.transaction { (session) throws(PostgresError) in
      guard let record = try gather(EmployeeID(1), on: &session) else { return }
      let step = GuardRules.step(
        record.state, .breakStart(at: at), policy: record.policy, now: at)
      try session.execute(updateGuardState(step.state, after: record))
      try session.pipeline(
        insertBreak(1, of: ShiftID(employee: EmployeeID(1), number: 1), from: at, receivedAt: at))
    }
  }

  /// The notifications in the outbox: employee, topic and subject, by employee.
  @discardableResult
  func isAbsent(_ employee: Int32, _ start: TimeSpan, _ end: TimeSpan) async throws -> Absence {
    try await operations.people.addAbsence(
      of: EmployeeID(employee), Interval(from: morning + start, to: morning + end), note: nil,
      by: .arranger
    ).get().row
  }

  func outbox() async throws -> [String] {
    try await operations.notifications.notifications(of: nil, limit: 1_000)
      .map { row in
        let notification = row.notification
        return "\(row.employee.rawValue) \(notification.topic.code) "
          + "\(notification.subject).\(notification.ordinal)"
      }.sorted()
  }

  func silenceWatch(_ polls: RecordedPolls = RecordedPolls()) -> Worker { worker("silence", polls) }

  func watch(_ polls: RecordedPolls = RecordedPolls(), interval: Duration = .milliseconds(5))
    -> Worker
  {
    worker("watch", polls, every: interval)
  }

  /// The worker `name` for this team, which reports to `polls`.
  func worker(
    _ name: String, _ polls: RecordedPolls = RecordedPolls(),
    every interval: Duration = .milliseconds(5)
  ) -> Worker {
    let workers = Workers(
      operations.background, watching: operations.background, every: interval,
      pageSize: Self.pageSize, polls.monitor)
    guard let worker = workers.all.first(where: { $0.name == name }) else {
      preconditionFailure("no worker \(name)")
    }
    return worker
  }
}

extension RecordedPolls {
  /// How long the work of a watch had been due, in seconds.
  func lags(_ worker: String) -> Histogram.Counts {
    monitor.lag(worker).counts
  }
}
