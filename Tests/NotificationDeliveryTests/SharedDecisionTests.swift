import BackgroundOperations
import GuardRules
import NotificationQueue
import NotificationSending
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import NotificationDelivery

@Suite("Decisions about several employees") struct SharedDecisionTests {
  private func turns(_ numbers: Int32...) -> [DeliveryTurn] {
    numbers.map { DeliveryTurn(of: EmployeeID($0)) }
  }

  /// Each phone has lost the permission, and the notification about it is due.
  private func loseAll(in world: DeliveryWorld) async throws {
    try await world.clockIn()
    world.move(to: .seconds(10))
    for phone in world.phones.indices { try await world.report(.denied, from: phone) }
    world.move(to: .seconds(12))
  }

  @Test("share a transaction of three round trips, and so do the results of what is sent")
  func together() async throws {
    try await DeliveryWorld.run(3) { world in
      try await loseAll(in: world)
      let background = world.operations.background
      let before = world.pool.roundTrips
      let decisions = try await background.decideDeliveries(turns(3, 1, 2))
      #expect(world.pool.roundTrips == before + 3)
      let sendings = decisions.map { $0.sendings ?? [] }
      #expect(sendings.map { $0.map(\.attempt.id.employee.rawValue) } == [[3], [1], [2]])
      let later = sendings.map { sendings in
        DeliveryTurn(
          of: sendings[0].attempt.id.employee,
          after: sendings.map { SendingResult(of: $0, .accepted) })
      }
      let rest = try await background.decideDeliveries(later)
      #expect(world.pool.roundTrips == before + 6)
      #expect(rest == [.send([]), .send([]), .send([])])
      for employee in 1...3 as ClosedRange<Int32> {
        #expect(try await world.attempts(of: employee) == ["push 1 accepted"])
      }
    }
  }

  @Test("are each made on the employee's own facts")
  func ownFacts() async throws {
    try await DeliveryWorld.run(3) { world in
      try await world.write(["DELETE FROM push_target WHERE employee_id = 2"])
      try await loseAll(in: world)
      try await world.open()
      let decisions = try await world.operations.background.decideDeliveries(turns(1, 2, 3))
      let sent = decisions.map { decision in
        decision.sendings?.map { "\($0.attempt.id.employee.rawValue) \($0.address.channel.code)" }
      }
      #expect(sent == [[], ["2 email"], ["3 fcm"]])
      let shown = "\(EscalationStep.inApp.code) 1 \(DeliveryOutcome.accepted.code)"
      #expect(try await world.attempts(of: 1) == [shown])
    }
  }

  @Test("do not fail with one whose notification cannot be read")
  func broken() async throws {
    try await DeliveryWorld.run(8) { world in
      try await loseAll(in: world)
      try await world.write([
        """
        INSERT INTO notification (employee_id, topic, subject, ordinal, kind, urgent, due_at)
        VALUES (5, 2, 77, 1, 77, false, \(morning))
        """
      ])
      await withDiscardingTaskGroup { group in
        for phone in world.phones {
          group.addTask { await world.clerk.work(for: phone.device.employee) }
        }
      }
      #expect(
        Set(world.post.sent.map(\.outgoing.key))
          == Set(([1, 2, 3, 4, 6, 7, 8] as [Int32]).map { "e\($0)-t0-s1-o1" }))
      #expect(world.post.sent.count == 7)
      let failed = try await world.count("SELECT count(*) FROM notification WHERE failures > 0")
      let ofFive = try await world.count(
        "SELECT count(*) FROM notification WHERE failures > 0 AND employee_id = 5")
      #expect(failed == ofFive && failed > 0)
    }
  }

  @Test("about the same employee twice are made one after the other")
  func twice() async throws {
    try await DeliveryWorld.run(2) { world in
      try await loseAll(in: world)
      let background = world.operations.background
      let decisions = try await background.decideDeliveries(turns(1, 2, 1))
      #expect(decisions.map { $0.sendings?.count } == [1, 1, nil])
      guard case .alone(let turn) = decisions[2] else { return }
      #expect(try await background.decideDeliveries([turn]) == [.send([])])
    }
  }

  @Test("of several instances take each notification once")
  func instances() async throws {
    try await DeliveryWorld.run(8) { world in
      try await loseAll(in: world)
      let orders = (0..<6 as Range<Int32>).map { first in
        (0..<8 as Range<Int32>).map { DeliveryTurn(of: EmployeeID(1 + ($0 * 3 + first) % 8)) }
      }
      let taken = try await withThrowingTaskGroup(of: [Int32].self) { group in
        for turns in orders {
          group.addTask {
            try await world.operations.background.decideDeliveries(turns)
              .flatMap { $0.sendings ?? [] }.map(\.attempt.id.employee.rawValue)
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(taken.sorted() == Array(1...8))
    }
  }

  @Test("that go to managers are made alone, with the leases of the shared decision")
  func managers() async throws {
    try await DeliveryWorld.run(2) { world in
      for phone in world.phones { try await phone.clockIn("in", reporting: .denied) }
      let background = world.operations.background
      let decisions = try await background.decideDeliveries(turns(1, 2))
      #expect(decisions.map(\.sendings) == [nil, nil])
      #expect(try await background.dueNotifications(from: nil, limit: 10).employees == [])
      var sent: [[EmployeeID]] = []
      for case .alone(let turn) in decisions {
        let alone = try await background.decideDeliveries([turn])
        sent.append((alone[0].sendings ?? []).map(\.attempt.id.employee))
      }
      // The gate of the managers opens for the second a minute later.
      #expect(sent == [[EmployeeID(1)], []])
      try await world.deliver(at: .seconds(60))
      #expect(world.post.sent.contains { $0.outgoing.key.hasPrefix("e2-") })
    }
  }

  @Test("release the leases of an employee who cannot be decided on alone, unless results wait")
  func released() async throws {
    try await DeliveryWorld.run(2) { world in
      for phone in world.phones { try await phone.clockIn("in", reporting: .denied) }
      let background = world.operations.background
      for case .alone(let turn) in try await background.decideDeliveries(turns(1, 2)) {
        try await background.release(turn)
      }
      #expect(try await background.dueNotifications(from: nil, limit: 10).employees.count == 2)
      let sent = try await background.decideDeliveries(EmployeeID(1))
      let results = sent.map { SendingResult(of: $0, .accepted) }
      try await background.release(DeliveryTurn(of: EmployeeID(1), after: results))
      let due = try await background.dueNotifications(from: nil, limit: 10)
      #expect(sent.count == 1 && due.employees == [EmployeeID(2)])
    }
  }

  @Test("count the failures also of those who must be decided on alone", .enabled(if: !isOnCitus))
  func brokenAlone() async throws {
    try await DeliveryWorld.run(8) { world in
      for phone in world.phones { try await phone.clockIn("in", reporting: .denied) }
      try await world.write(["ALTER TABLE team_notification RENAME TO elsewhere"])
      await withDiscardingTaskGroup { group in
        for phone in world.phones {
          group.addTask { await world.clerk.work(for: phone.device.employee) }
        }
      }
      let failed = try await world.count(
        "SELECT count(DISTINCT employee_id) FROM notification WHERE failures > 0")
      #expect(failed == 8)
      #expect(try await world.count("SELECT count(*) FROM notification WHERE leased") == 0)
    }
  }

  @Test("are not begun for a caller who is cancelled")
  func cancelled() async throws {
    try await DeliveryWorld.run(1) { world in
      try await loseAll(in: world)
      let background = world.operations.background
      let decisions = SharedDecisions(background, Breakers())
      let sendings = await withTaskGroup(of: [Sending]?.self) { group -> [Sending]? in
        group.cancelAll()
        group.addTask { try? await decisions.sendings(for: DeliveryTurn(of: EmployeeID(1))) }
        return await group.next() ?? nil
      }
      #expect(sendings == nil)
      let due = try await background.dueNotifications(from: nil, limit: 10)
      #expect(due.employees == [EmployeeID(1)])
    }
  }

  @Test("know what the app of one was shown, however much others were shown")
  func fullInbox() async throws {
    try await DeliveryWorld.run(2) { world in
      try await loseAll(in: world)
      let background = world.operations.background
      try await world.write([
        holdStream(of: world.phones[1].device, at: 1, for: .minutes(1), from: world.now),
        """
        INSERT INTO inbox (
          employee_id, notification_no, topic, subject, ordinal, urgent, created_at)
        SELECT 1, 10000 + number, 2, number, 1, false, \(world.now)
        FROM generate_series(1, 1000) AS number
        """,
      ])
      #expect(try await background.decideDeliveries(turns(2)) == [.send([])])
      world.move(to: .seconds(14))
      let sendings = try await background.decideDeliveries(turns(1, 2)).last?.sendings
      #expect(sendings?.map(\.address.channel.code) == ["fcm"])
    }
  }

  @Test(
    "leave no trace when their connection is lost, and the results can be stored again",
    .enabled(if: !isOnCitus))
  func lostConnection() async throws {
    try await DeliveryWorld.run(2) { world in
      try await loseAll(in: world)
      let background = world.operations.background
      let sendings = try await background.decideDeliveries(turns(1, 2)).map { $0.sendings ?? [] }
      let results = sendings.map { $0.map { SendingResult(of: $0, .accepted) } }
      let later = results.map { DeliveryTurn(of: $0[0].sending.attempt.id.employee, after: $0) }
      try await world.pool.holding(
        { (session) throws(PostgresError) in
          try session.execute("SELECT FROM notification WHERE employee_id = 2 FOR UPDATE")
        },
        during: { _ in
          async let decided = background.decideDeliveries(later)
          var ended: Int64 = 0
          while ended == 0 {
            ended = try await world.count(
              """
              SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'
              """)
          }
          do {
            _ = try await decided
            Issue.record("decided without a connection")
          } catch {
            #expect((error as? OperationError)?.isUnavailable == true)
          }
        })
      for employee in 1...2 as ClosedRange<Int32> {
        #expect(try await world.attempts(of: employee) == ["push 1 ?"])
      }
      try await background.record(results.flatMap { $0 })
      for employee in 1...2 as ClosedRange<Int32> {
        #expect(try await world.attempts(of: employee) == ["push 1 accepted"])
      }
      #expect(
        try await background.dueNotifications(from: nil, limit: 10).employees.count == 2)
    }
  }
}

extension TurnDecision {
  /// `nil`: none, because it must be made alone.
  fileprivate var sendings: [Sending]? {
    guard case .send(let sendings) = self else { return nil }
    return sendings
  }
}
