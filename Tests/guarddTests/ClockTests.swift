import BackgroundOperations
import DeviceOperations
import GuardRules
import HTTPAPI
import HTTPServing
import IngestPipeline
import InsightOperations
import ManagerAPI
import NotificationOperations
import OperationCore
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import guardd

@Suite("Clocks and readiness") struct ClockTests {
  /// Two instances on one database, of which the second has this much more on its clock.
  private func withInstances(
    ahead span: TimeSpan, _ body: (TestOperations, TestOperations, Pool) async throws -> Void
  ) async throws {
    try await withDatabase(size: 4) { pool in
      let right = TestOperations(pool: pool, now: wallClock)
      let other = TestOperations(pool: pool, now: { wallClock() + span })
      for (number, operations) in [right, other].enumerated() {
        // As often as it takes on a busy machine: each comparison can only make it more exact.
        let exact = number == 0 ? TimeSpan.zero : span
        var ahead = exact + .hours(1)
        while abs((ahead - exact).milliseconds) > 50 {
          ahead = try await operations.background.compareClocks()
        }
        // With a wrong clock it must not say that it can answer phones.
        guard !operations.clock.isWrong else { continue }
        try await operations.background.beat(as: Int64(number + 1))
      }
      try await body(right, other, pool)
    }
  }

  // R: W1
  @Test(
    "of two instances the one with a wrong clock answers nothing, keeps all, and is not ready",
    arguments: [TimeSpan.hours(1), .zero - .hours(1), .seconds(3)])
  func wrong(span: TimeSpan) async throws {
    try await withInstances(ahead: span) { (right, other, pool) in
      #expect(!right.clock.isWrong && other.clock.isWrong)
      #expect(right.clock.ahead == .zero)
      for (operations, status) in [(right, 401), (other, 503)] {
        let routes = managerRoutes(operations.manager, now: wallClock).map(\.route)
        let router = Router(ClockGate.guarding(routes, operations.clock))
        let answer = await router.respond(to: try HTTPRequest(.get, "/v1/board"))
        #expect(answer.status == status)
        let readiness = Readiness(
          pools: [("requests", pool)], clock: operations.clock, pings: PingPipeline(pool: pool),
          lookLasts: .zero)
        let troubles = await readiness.troubles()
        #expect(troubles.isEmpty == (status == 401), "\(troubles)")
        #expect(troubles.allSatisfy { $0.hasPrefix("clock: ") })
      }
      await #expect(throws: OperationError.self) { try await other.background.beat(as: 2) }
      // What grows old by this clock would be deleted too early.
      _ = try await right.background.maintainPings()
      await #expect(throws: OperationError.self) { try await other.background.maintainPings() }
      await #expect(throws: OperationError.self) { try await other.background.deleteOldData() }
    }
  }

  // R: W1
  @Test("a difference of a second is measured, and borne") func borne() async throws {
    try await withInstances(ahead: .seconds(1)) { (_, other, _) in
      let ahead = try #require(other.clock.ahead)
      #expect(ahead > ClockWatch.noticeable && ahead <= .seconds(1))
      #expect(!other.clock.isWrong)
    }
  }

  // R: W18
  @Test(
    "messages are due and a debounce ends by the database's clock, at every instance",
    arguments: [TimeSpan(milliseconds: 1_500), TimeSpan(milliseconds: -1_500)])
  func due(span: TimeSpan) async throws {
    try await withInstances(ahead: span) { (right, other, _) in
      let phone = try await right.addTeam(of: 1).phones[0]
      let start = wallClock()

      /// Sends a report that arrives `passed` after the start, at either instance.
      func report(
        _ authorization: Authorization, after passed: TimeSpan, toOther isOther: Bool
      ) async throws {
        let receipt = Receipt(at: start + passed + (isOther ? span : .zero), monotonic: .now)
        _ = try await (isOther ? other : right).device.report(
          .saying(authorization), sentAt: nil, from: phone.credential, receipt: receipt)
      }

      _ = try await right.device.clockIn(
        ClockAction("in") { $0.report = .saying(.always) }, from: phone.credential,
        receipt: Receipt(at: start, monotonic: .now))
      // Both instances agree that it is a flicker, whichever of them receives its end. By clocks
      // 1.5 s apart it lasts 1.9 s, or ends at the instant at which it began: then it is none.
      for (second, isOther) in [(Int64(10), true), (20, false)] {
        try await report(.denied, after: .seconds(second), toOther: true)
        let message = try #require(
          try await right.manager.notifications.notifications(of: nil, limit: 10).first)
        let wait = message.notification.dueAt - start - .seconds(second)
        #expect(wait > .milliseconds(1_600) && wait < .milliseconds(2_400), "\(wait)")
        try await report(
          .always, after: .milliseconds(second * 1_000 + 400), toOther: isOther)
        #expect(try await right.manager.notifications.notifications(of: nil, limit: 10).isEmpty)
      }
      // Half a second after the message was due, they agree that it is not a flicker.
      for (second, isOther) in [(Int64(30), true), (40, false)] {
        try await report(.denied, after: .seconds(second), toOther: true)
        let end = TimeSpan.milliseconds(second * 1_000 + 2_500)
        try await report(.always, after: end, toOther: isOther)
      }
      let incidents = try await right.manager.insight.incidents(of: nil, openOnly: false, limit: 10)
      let flickers: [IncidentClosing] = span > .zero ? [.flicker] : [.flicker, .flicker]
      #expect(incidents.reversed().map(\.closing) == flickers + [.restored, .restored])
    }
  }

  @Test("readiness names what has no connection, and what could not be written")
  func named() async throws {
    try await withDatabase { pool in
      let away = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 4)
      let readiness = Readiness(
        pools: [("pings", away), ("notifications", pool), ("requests", pool)], clock: ClockWatch(),
        pings: PingPipeline(pool: pool), lookLasts: .zero)
      let troubles = await readiness.troubles()
      #expect(troubles.count == 1 && troubles[0].hasPrefix("pings: "), "\(troubles)")
      await away.close()
    }
  }

  @Test("readiness says that pings could not be written, until they are")
  func unwritten() async throws {
    try await withDatabase { pool in
      let away = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 4)
      let pings = PingPipeline(pool: away)
      let readiness = Readiness(
        pools: [("requests", pool)], clock: ClockWatch(), pings: pings, lookLasts: .zero)
      #expect(await readiness.troubles().isEmpty)
      let upload = DevicePings(
        device: DeviceID(employee: EmployeeID(1), number: 1),
        tokenHash: Array(repeating: 0, count: 32), pings: [], receivedAt: wallClock())
      _ = try? await pings.store(upload)
      let troubles = await readiness.troubles()
      #expect(troubles.count == 1 && troubles[0].hasPrefix("pings: "), "\(troubles)")
      await away.close()
    }
  }
}
