import HTTPAPI
import HTTPServing
import Postgres
import ShiftDomain
import ShiftTestKit
import TestPrograms
import Testing

@testable import WebPages

// R: W11
@Suite("The page controller") struct PageControllerTests {
  private static func controller() throws -> PageController {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    let now: @Sendable () -> Instant = { Instant(milliseconds: 0) }
    let operations = TestOperations(pool: pool, now: now)
    return PageController(
      PageSettings(authenticatingBy: operations.manager, now: now), operations: operations.manager)
  }

  @Test("builds no page that is missing from the access table")
  func unknown() async {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().page("/nowhere") { _, _ in .seeOther("/") }
    }
  }

  @Test("builds no form that the access table has only as a page")
  func wrongMethod() async {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().form("/audit") { _, _, _ in .seeOther("/") }
    }
  }

  @Test("builds no public page with a login, and no other page without")
  func mixedUp() async throws {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().page("/login") { _, _ in .seeOther("/") }
    }
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = Route.open(.get, "/audit") { _ in HTTPResponse(status: 200) }
    }
    // A page that matches the access table is built.
    #expect(try Self.controller().page("/audit") { _, _ in .seeOther("/") }.pattern == "/audit")
  }
}
