import BackgroundOperations
import DeviceOperations
import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

/// The table of deploy/docs/silence.md, "Outages".
@Suite("What is an outage of ours") struct OutageCaseTests {
  enum Event {
    /// Tries to.
    case beats
    /// Its thread says so each second from the time of this event to the second given.
    case runs(to: Int64)
    /// Stores its pings.
    case answersPhone
    /// Or its heartbeat fails.
    case refusesPhone
    /// Something happens to the database.
    case database(Trouble?)
    case clock(isWrong: Bool)
    /// A phone sends something that needs no write.
    case reads(Reading)
    /// A phone's pings, sent to the instance.
    case pings
  }

  /// What the database cannot do.
  enum Trouble: String, CaseIterable {
    case writing, writingPings, writingPingsInTime, readingShifts

    /// Which Citus does not allow on a table that several nodes share.
    fileprivate var needsTrigger: Bool { self == .writingPings || self == .writingPingsInTime }

    /// For all but `writing`, by which connections differ.
    fileprivate var script: String {
      switch self {
      case .writing: ""
      case .writingPings: refusing("RAISE EXCEPTION 'no room' USING ERRCODE = '53100'")
      case .writingPingsInTime: refusing("PERFORM pg_sleep(600)")
      case .readingShifts: "ALTER TABLE guard_state RENAME TO guard_state_away"
      }
    }

    fileprivate var repair: String {
      switch self {
      case .writing: ""
      case .writingPings, .writingPingsInTime: "DROP FUNCTION refuse CASCADE"
      case .readingShifts: "ALTER TABLE guard_state_away RENAME TO guard_state"
      }
    }

    private func refusing(_ statement: String) -> String {
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN \(statement); RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON ping FOR EACH ROW EXECUTE FUNCTION refuse();
      """
    }
  }

  enum Reading: CaseIterable { case check, clockInAgain, reportAgain }

  /// At which second after the morning, which instance.
  typealias Step = (at: Int64, instance: Int, event: Event)
  typealias Row = (name: String, steps: [Step], outages: [ClosedRange<Int64>])

  static let rows: [Row] = [
    ("killed and started again", [(0, 1, .beats), (30, 2, .beats)], [0...30]),
    ("paused", [(0, 1, .beats), (30, 1, .beats)], [0...30]),
    (
      "paused, and a phone is answered first",
      [
        (0, 1, .beats), (30, 1, .answersPhone), (31, 1, .beats),
      ], [0...30]
    ),
    ("stopped and started again within 5 s", [(0, 1, .beats), (5, 2, .beats)], []),
    (
      "the database is away or frozen",
      [
        (0, 1, .beats), (1, 1, .runs(to: 30)), (6, 1, .refusesPhone), (30, 1, .beats),
      ], [0...30]
    ),
    (
      "the database is away, and the last phone was answered before",
      [
        (0, 1, .beats), (1, 1, .runs(to: 30)), (3, 1, .answersPhone), (8, 1, .refusesPhone),
        (25, 1, .answersPhone), (26, 1, .refusesPhone), (30, 1, .beats),
      ], [3...25]
    ),
    (
      "the heartbeat waits for the processor while phones are answered",
      [
        (0, 1, .beats), (1, 1, .runs(to: 20)), (2, 1, .answersPhone), (17, 1, .answersPhone),
        (20, 1, .beats),
      ], []
    ),
    (
      "the heartbeat waits for the processor, and no phone sends anything",
      [
        (0, 1, .beats), (1, 1, .runs(to: 20)), (20, 1, .beats),
      ], []
    ),
    (
      "some phones are refused and others answered",
      [
        (0, 1, .beats), (1, 1, .runs(to: 12)), (2, 1, .refusesPhone), (4, 1, .answersPhone),
        (5, 1, .refusesPhone), (9, 1, .answersPhone), (10, 1, .refusesPhone), (12, 1, .beats),
      ], []
    ),
    (
      "one of two instances is paused",
      [
        (0, 1, .beats), (0, 2, .beats), (4, 2, .beats), (8, 2, .beats), (9, 1, .beats),
      ], []
    ),
    (
      "an instance starts while the heartbeat of another is late",
      [
        (0, 1, .beats), (1, 1, .runs(to: 11)), (5, 1, .answersPhone), (10, 2, .beats),
        (11, 1, .beats),
      ], []
    ),
    (
      "the database only reads, and requests that need no write are answered",
      [
        (0, 1, .beats), (1, 1, .runs(to: 30)), (1, 1, .database(.writing)), (2, 1, .beats),
        (5, 1, .reads(.reportAgain)), (8, 1, .reads(.check)), (11, 1, .reads(.clockInAgain)),
        (14, 1, .reads(.reportAgain)), (17, 1, .reads(.check)), (20, 1, .reads(.clockInAgain)),
        (23, 1, .reads(.reportAgain)), (26, 1, .reads(.check)), (29, 1, .database(nil)),
        (30, 1, .beats),
      ], [0...30]
    ),
    (
      "no ping can be stored, but heartbeats can",
      beats(1, 0...30) + [
        (3, 1, .database(.writingPings)), (10, 1, .refusesPhone), (21, 1, .refusesPhone),
        (29, 1, .database(nil)),
      ], [3...30]
    ),
    (
      "no ping can be stored in time, but heartbeats can",
      [
        (0, 1, .beats), (1, 1, .runs(to: 30)), (3, 1, .database(.writingPingsInTime)),
        (9, 1, .refusesPhone), (10, 1, .beats), (29, 1, .database(nil)), (30, 1, .beats),
      ], [0...30]
    ),
    (
      "the tables that uploads read are locked, but heartbeats can be stored",
      beats(1, 0...30) + [
        (3, 1, .database(.readingShifts)), (10, 1, .refusesPhone), (29, 1, .database(nil)),
      ], [3...30]
    ),
    (
      "no ping can be stored, and other requests of a phone are answered",
      beats(1, 0...30) + [
        (3, 1, .database(.writingPings)), (10, 1, .refusesPhone), (12, 1, .reads(.check)),
        (16, 1, .reads(.clockInAgain)), (20, 1, .reads(.reportAgain)), (24, 1, .reads(.check)),
        (29, 1, .database(nil)),
      ], [3...30]
    ),
    (
      "no ping can be stored, and no phone sends to the instance",
      beats(1, 0...30) + [(3, 1, .database(.writingPings)), (29, 1, .database(nil))], [3...30]
    ),
    (
      "the only phone that sends is refused for its own fault, or on purpose",
      beats(1, 0...30)
        + (1...30).map { (at: $0, instance: 1, event: .refusesPhone) }
        + [(31, 1, .pings), (32, 1, .beats)], []
    ),
    (
      "the clock is wrong",
      beats(1, 0...30) + [(3, 1, .clock(isWrong: true)), (29, 1, .clock(isWrong: false))],
      [3...30]
    ),
    (
      "the clock of one of two instances is wrong",
      beats(1, 0...30) + beats(2, 0...30) + [
        (3, 1, .clock(isWrong: true)), (29, 1, .clock(isWrong: false)),
      ], []
    ),
    (
      "pings are stored before any heartbeat again",
      [
        (0, 1, .beats), (1, 1, .runs(to: 30)), (1, 1, .refusesPhone), (20, 1, .pings),
        (23, 1, .pings), (26, 1, .refusesPhone), (28, 1, .pings), (30, 1, .beats),
      ], [0...20]
    ),
    (
      "the same, but the other one could not answer at first",
      [
        (0, 1, .beats), (1, 1, .runs(to: 11)), (1, 1, .refusesPhone), (8, 1, .answersPhone),
        (10, 2, .beats), (11, 1, .beats),
      ], [0...8]
    ),
  ]

  /// Heartbeats each second, of an instance that runs.
  private static func beats(_ instance: Int, _ seconds: ClosedRange<Int64>) -> [Step] {
    seconds.map { (at: $0, instance: instance, event: .beats) }
  }

  // R: W8
  @Test(
    "is what phones could not be answered in, whatever the heartbeat",
    arguments: rows.filter { row in
      !isOnCitus
        || !row.steps.contains { step in
          if case .database(let trouble?) = step.event { trouble.needsTrigger } else { false }
        }
    })
  func cases(_ row: Row) async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 8, waitersMax: 100)
      let readOnly = Pool(
        try ConnectionConfiguration(
          "\(database.configuration) options='-c default_transaction_read_only=on'"),
        size: 2, waitersMax: 8)
      let found = try await OutageCase.play(row.steps, pool, readOnly)
      #expect(found == row.outages)
      await pool.close()
      await readOnly.close()
    }
  }
}

/// One row, played on two instances.
private struct OutageCase {
  let world: WatchWorld
  let instances: [Int: TestOperations]
  /// Connections whose transactions only read.
  let readOnly: Pool
  var trouble: OutageCaseTests.Trouble?

  /// Returns the outages, in seconds after the morning.
  static func play(_ steps: [OutageCaseTests.Step], _ pool: Pool, _ readOnly: Pool)
    async throws -> [ClosedRange<Int64>]
  {
    let world = try await WatchWorld(1, pool)
    let other = TestOperations(pool: pool, clock: world.clock)
    var play = OutageCase(
      world: world, instances: [1: world.operations, 2: other], readOnly: readOnly)
    try await world.clockIn()
    try await world.phones[0].report(.always, sequence: 1)
    // In the order of time: an instance runs also while something else happens to it.
    var moments = steps.map { (at: $0.at, instance: $0.instance, event: $0.event) }
    for case (let from, let instance, .runs(let end)) in steps {
      moments += (from...end).map { (at: $0, instance: instance, event: .runs(to: $0)) }
    }
    for moment in moments.enumerated().sorted(by: {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }).map(\.element) {
      world.move(to: .seconds(moment.at))
      try await play.perform(moment.event, on: moment.instance)
    }
    return try await world.outages().map { outage in
      (outage.start - morning).seconds...(outage.end - morning).seconds
    }
  }

  private mutating func perform(_ event: OutageCaseTests.Event, on instance: Int) async throws {
    let operations = try #require(instances[instance])
    switch event {
    case .beats: try await beat(operations, as: Int64(instance))
    case .runs: operations.availability.noteRunning()
    case .answersPhone: operations.availability.noteSuccess()
    case .refusesPhone: operations.availability.noteFailure()
    case .clock(let isWrong): operations.clock.note(isWrong ? .seconds(5) : .zero)
    case .reads(let reading): try await read(reading, operations)
    case .pings: try await world.ping()
    case .database(let trouble):
      if let script = (trouble?.script ?? self.trouble?.repair), !script.isEmpty {
        try await world.pool.script(script)
      }
      self.trouble = trouble
    }
  }

  private func beat(_ operations: TestOperations, as instance: Int64) async throws {
    operations.availability.noteRunning()
    if trouble == .writing {
      let background = operations.background.using(readOnly)
      return await Heartbeat(operations: background, monitor: RecordedPolls().monitor).beat()
    }
    // As the worker does, which would also compare the clocks.
    do throws(OperationError) {
      try await operations.background.beat(as: instance)
    } catch {
      try #require(error.isUnavailable, "\(error)")
      operations.availability.noteFailure()
    }
  }

  private func read(_ reading: OutageCaseTests.Reading, _ operations: TestOperations) async throws {
    let device = trouble == .writing ? operations.device.using(readOnly) : operations.device
    let phone = world.phones[0]
    switch reading {
    case .check: _ = try await device.snapshot(for: phone.credential)
    case .clockInAgain:
      _ = try await device.clockIn(
        ClockAction("in") { $0.report = .saying(.always) }, from: phone.credential,
        receipt: phone.receipt)
    case .reportAgain:
      _ = try await device.report(
        IncomingReport(.state(.init(authorization: .always)), sequence: 1), sentAt: nil,
        from: phone.credential, receipt: phone.receipt)
    }
  }
}

extension Pool {
  fileprivate func script(_ text: String) async throws {
    try await transaction { (session) throws(PostgresError) in try session.script(text) }
  }
}
