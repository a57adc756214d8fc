import GuardRules
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

/// The table of deploy/docs/shifts.md, "Outages".
@Suite("What is an outage of ours") struct OutageCaseTests {
  enum Event {
    case beats
    /// Its thread says so each second from the time of this event to the second given.
    case runs(to: Int64)
    case answersPhone
    /// Or its heartbeat fails.
    case refusesPhone
  }

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
      "the same, but the other one could not answer at first",
      [
        (0, 1, .beats), (1, 1, .runs(to: 11)), (1, 1, .refusesPhone), (8, 1, .answersPhone),
        (10, 2, .beats), (11, 1, .beats),
      ], [0...8]
    ),
  ]

  // R: W8
  @Test("is what phones could not be answered in, whatever the heartbeat", arguments: rows)
  func cases(_ row: Row) async throws {
    try await WatchWorld.run { world in
      let other = TestOperations(pool: world.pool, clock: world.clock)
      let instances = [1: world.operations, 2: other]
      // In the order of time: an instance runs also while something else happens to it.
      var moments = row.steps.map { (at: $0.at, instance: $0.instance, event: $0.event) }
      for case (let from, let instance, .runs(let end)) in row.steps {
        moments += (from...end).map { (at: $0, instance: instance, event: .runs(to: $0)) }
      }
      for moment in moments.enumerated().sorted(by: {
        ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
      }).map(\.element) {
        world.move(to: .seconds(moment.at))
        let operations = try #require(instances[moment.instance])
        switch moment.event {
        case .beats: try await operations.background.beat(as: Int64(moment.instance))
        case .runs: operations.availability.noteRunning()
        case .answersPhone: operations.availability.noteSuccess()
        case .refusesPhone: operations.availability.noteFailure()
        }
      }
      let found = try await world.outages().map { outage in
        (outage.start - morning).seconds...(outage.end - morning).seconds
      }
      #expect(found == row.outages)
    }
  }
}
