import Foundation
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import ShiftStore
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("Heartbeats") struct HeartbeatTests {
  // R: W8, W9
  @Test("record an outage of the service, and no phone is called silent for it")
  func outage() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(60))
      let last = world.now
      // Ten minutes without the service. The watch polls before a heartbeat is written.
      world.move(to: .seconds(661))
      #expect(await watch.poll())
      #expect(try await world.incidents().isEmpty)
      try await world.beat()
      #expect(await watch.poll())
      #expect(try await world.outages() == [Interval(from: last, to: last + .minutes(10))])
      #expect(try await world.incidents().isEmpty)
      // All of the three minutes of allowed silence are left.
      try await world.live(to: .seconds(840))
      #expect(await watch.poll())
      #expect(try await world.incidents().isEmpty)
      try await world.live(to: .seconds(841))
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_contact inferred 841..."])
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(1), number: 1))
      #expect(
        coverage.segments.map(\.reason) == [.waitingFirstFix, .serviceUnavailable, .noContact])
      #expect(
        coverage.segments.filter { $0.reason == .serviceUnavailable }.map(\.interval) == [
          Interval(from: last, to: last + .minutes(10))
        ])
    }
  }

  // R: W8
  @Test("of one instance are enough, and a short stall is no outage")
  func oneLives() async throws {
    try await WatchWorld.run { world in
      try await world.beat(as: 1)
      try await world.beat(as: 2)
      for second in Int64(1)...30 {
        world.move(to: .seconds(5 * second))
        try await world.beat(as: 2)
      }
      // The other instance is back: one of the two was always running.
      try await world.beat(as: 1)
      #expect(try await world.outages().isEmpty)
      world.move(to: .seconds(155) + .milliseconds(1))
      try await world.beat(as: 3)
      #expect(
        try await world.outages()
          == [
            Interval(
              from: morning + .seconds(150), to: morning + .seconds(155) + .milliseconds(1))
          ])
    }
  }

  // R: W8
  @Test("of several instances that return at once record one outage")
  func together() async throws {
    try await WatchWorld.run { world in
      for round in Int64(0)..<5 {
        world.move(to: .minutes(10 * round))
        await withTaskGroup { group in
          for instance in Int64(1)...8 {
            group.addTask { try? await world.beat(as: instance) }
          }
        }
      }
      let (count, together) = (
        try await world.count("SELECT count(*) FROM outage"), try await world.outages()
      )
      #expect(count == 4)
      #expect(together == [Interval(from: morning, to: morning + .minutes(40))])
    }
  }

  // R: W8
  @Test("continue when the database is back, and no contact in memory is lost")
  func databaseAway() async throws {
    try await withCluster { cluster in
      let pool = Pool(cluster.configuration, size: 3, waitersMax: 10)
      _ = try await Migrator(directory: migrationsFolder).migrate(on: pool)
      let world = try await WatchWorld(1, pool)
      try await world.clockIn()
      let polls = RecordedPolls()
      let beats = RecordedPolls()
      let heartbeat = Heartbeat(
        operations: world.operations.background, interval: .milliseconds(5),
        monitor: beats.monitor)
      try await running([heartbeat, world.silenceWatch(polls)]) {
        await beats.next(isWell: true)
        await polls.next(isWell: true)
        try await cluster.stop()
        await beats.next(isWell: false)
        await polls.next(isWell: false)
        let heard = morning + .minutes(10)
        world.operations.lastSeen.note(
          Pulse(
            device: world.phones[0].device, tokenHash: world.phones[0].credential.secretHash,
            receivedAt: heard, fixAt: heard, positionAt: heard))
        // The instance runs all the time: only its failed heartbeats show that it cannot answer.
        for second in stride(from: Int64(5), through: 660, by: 5) {
          world.move(to: .seconds(second))
          world.operations.availability.noteRunning()
        }
        try await cluster.start()
        await beats.next(isWell: true)
        await beats.next(isWell: true)
        await polls.next(isWell: true)
        await polls.next(isWell: true)
        #expect(try await world.incidents().isEmpty)
        #expect(
          try await world.outages() == [Interval(from: morning, to: morning + .minutes(11))])
        #expect(
          try await world.count(
            "SELECT count(*) FROM device_contact WHERE last_received_at = \(heard)") == 1)
      }
      await pool.close()
    }
  }

  @Test("are deleted after a day")
  func forgotten() async throws {
    try await WatchWorld.run { world in
      try await world.beat(as: 1)
      world.move(to: .hours(25))
      try await world.beat(as: 2)
      #expect(try await world.count("SELECT count(*) FROM heartbeat") == 1)
      #expect(try await world.outages().map(\.length) == [.hours(25)])
    }
  }
}

extension WatchWorld {
  /// The outages of the service.
  func outages() async throws -> [Interval] {
    try await pool.read { (session) throws(PostgresError) in
      try ShiftStore.outages(
        from: morning - .hours(1), to: morning + .hours(100), on: &session
      ).intervals
    }
  }
}
