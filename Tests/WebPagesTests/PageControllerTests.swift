import HTTPAPI
import HTTPServing
import Postgres
import ShiftDomain
import ShiftTestKit
import TestPrograms
import Testing

@testable import WebPages

// R: W11
@Suite("The routes of pages") struct PageControllerTests {
  private static func controller() throws -> PageController {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    let now: @Sendable () -> Instant = { Instant(milliseconds: 0) }
    let operations = TestOperations(pool: pool, now: now)
    return PageController(
      PageSettings(authenticatingBy: operations.manager, now: now), operations: operations.manager)
  }

  @Test("builds no page nor form that is for anybody or for phones")
  func mixedUp() async throws {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().page("/nowhere", .anybody) { _, _ in .seeOther("/") }
    }
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().form("/nowhere", .device) { _, _, _ in .seeOther("/") }
    }
    let page = try Self.controller().page("/audit", .administrator) { _, _ in .seeOther("/") }
    #expect(page.route.pattern == "/audit" && page.access == .administrator)
  }

  @Test("builds no route that accepts long bodies from anybody")
  func longBodies() async {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = AccessRoute(.post, "/nowhere", .anybody, bodyMax: 16_385) { _ in HTTPResponse() }
    }
  }
}
