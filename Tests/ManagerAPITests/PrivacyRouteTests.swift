import Foundation
import HTTPServing
import InstallationOperations
import OperationCore
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

// R: W11
@Suite("Export, erasure and the privacy notice over HTTP") struct PrivacyRouteTests {
  private func run(_ body: (TwoTeamsWorld, HTTPHeaders) async throws -> Void) async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      try await all.write("DELETE FROM audit_entry")
      try await body(all, page)
    }
  }

  /// The response to an export and the pieces of its body.
  private func export(_ all: TwoTeamsWorld, _ headers: HTTPHeaders) async throws
    -> (HTTPResponse, [[UInt8]])
  {
    let request = try HTTPRequest(.get, "/v1/employees/7/export", headers: headers)
    let response = await all.router.respond(to: request)
    guard case .file(let stream) = response.body else { return (response, []) }
    var pieces: [[UInt8]] = []
    for try await piece in stream { pieces.append(piece) }
    return (response, pieces)
  }

  /// The lines of each file in an archive, as tar reads it.
  private func files(in archive: [UInt8]) async throws -> [String: [Substring]] {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tar")
    try Data(archive).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    var files: [String: [Substring]] = [:]
    let names = try await ChildProgram(["tar", "-tf", path.path]).output()
    for name in names.split(separator: "\n") {
      let text = try await ChildProgram(["tar", "-xOf", path.path, String(name)]).output()
      files[String(name)] = text.split(separator: "\n")
    }
    return files
  }

  @Test("an export is an archive that tar reads, with all rows, in pieces, and is recorded")
  func export() async throws {
    try await run { all, page in
      // Ten positions a second, from a phone whose clock is far off.
      try await all.write(
        """
        INSERT INTO ping (
          recorded_at, effective_at, employee_id, shift_no, latitude_e7, longitude_e7, arrived_ms,
          device_no, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
        SELECT \(all.now) + n * interval '100 ms', \(all.now) + n * interval '100 ms',
          7, 1, 10000000, n, 800, 1, 10, 120, 90, 40, 80
        FROM generate_series(1, 3000) AS n
        """)
      let (response, pieces) = try await export(all, page)
      #expect(response.status == 200 && response.headers["Content-Type"] == "application/x-tar")
      #expect(response.headers["Cache-Control"] == "no-store")
      #expect(
        response.headers["Content-Disposition"]
          == #"attachment; filename="employee-7-2026-11-20.tar""#)
      #expect(pieces.count > 10 && pieces.allSatisfy { $0.count < 80_000 })
      let files = try await files(in: Array(pieces.joined()))
      let whole = Set(
        try await all.pool.strings("SELECT relname::text FROM pg_class WHERE NOT relispartition"))
      let kept = try await all.pool.rows(of: 7).filter { whole.contains($0.key) }
      #expect(kept["ping"] == 3_000 && kept["shift"] == 1 && kept["audit_entry"] == 1)
      let exported = files.filter { $0.key.hasPrefix("tables/") }
      #expect(exported.count == kept.count)
      for (table, count) in kept {
        #expect(exported["tables/\(table).jsonl"]?.count == Int(count), "\(table)")
      }
      #expect(files["track.gpx"]?.count { $0.hasPrefix("<trkpt") } == 3_000)
      #expect(files["README.txt"]?.first?.contains("employee 7") == true)
      let log = try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(log.map(\.action) == [.employeeExported] && log.first?.actor == "boss")
    }
  }

  @Test("an export is sent only to an administrator whose own page asks for it")
  func refusedExports() async throws {
    try await run { all, page in
      try await all.hire("mate", teams: [1: .all])
      try await all.write("DELETE FROM audit_entry")
      let path = "/v1/employees/7/export"
      var foreign = page
      foreign["Sec-Fetch-Site"] = "cross-site"
      #expect(try await all.send(.get, path, "", foreign).text.contains("cross_site_request"))
      #expect(try await all.send(.head, path, "", page).status == 405)
      #expect(try await all.send(.get, path, "", try await all.page(of: "mate")).status == 403)
      #expect(try await all.send(.get, "/v1/employees/99/export", "", page).status == 404)
      let log = try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 9)
      #expect(log.isEmpty)
    }
  }

  @Test("an export keeps its place among heavy reads until it is sent; a refused one gives it back")
  func places() async throws {
    try await run { all, page in
      let gate = all.operations.manager.heavyReads.gate
      let request = try HTTPRequest(.get, "/v1/employees/7/export", headers: page)
      var response: HTTPResponse? = await all.router.respond(to: request)
      #expect(response?.status == 200 && gate.load == (1, 0))
      response = nil
      #expect(response == nil && gate.load == (0, 0))
      #expect(try await export(all, page).0.status == 200)
      #expect(try await all.send(.get, "/v1/employees/99/export", "", page).status == 404)
      #expect(gate.load == (0, 0))
    }
  }

  @Test("an export that finds the line full is refused, and not recorded")
  func fullLine() async throws {
    try await run { all, page in
      let gate = all.operations.manager.heavyReads.gate
      let request = try HTTPRequest(.get, "/v1/employees/7/export", headers: page)
      let held = await all.router.respond(to: request)
      #expect(held.status == 200)
      let waiting = (0..<16).map { _ in Task { await all.router.respond(to: request) } }
      while gate.load.waiting < waiting.count { await Task.yield() }
      let recorded = try await all.operations.installation.auditEntries(about: nil, limit: 99).count
      let busy = await all.router.respond(to: request)
      #expect(busy.status == 503 && busy.headers["Retry-After"] != nil)
      let after = try await all.operations.installation.auditEntries(about: nil, limit: 99).count
      #expect(after == recorded)
      for task in waiting { task.cancel() }
      for task in waiting { #expect(await task.value.status == 499) }
      withExtendedLifetime(held) {}
    }
  }

  @Test("an erasure leaves nothing, and waits for the end of the shift unless it may end it")
  func erasure() async throws {
    try await run { all, page in
      let path = "/v1/employees/7"
      let (before, others) = (try await all.pool.rows(of: 7), try await all.pool.rows(of: 8))
      #expect(before["shift"] == 1 && before["guard_override"] == 1 && before["device"] == 1)
      let refused = try await all.send(.delete, path, "", page)
      #expect(refused.status == 409 && refused.text.contains(#""code":"shift_open""#))
      #expect(refused.text.contains("shift 1 is open; end it first"))
      #expect(refused.text.contains(#""shift":{"employee":7,"number":1}"#))
      #expect(try await all.send(.delete, path + "?endShift=yes", "", page).status == 422)
      #expect(try await all.pool.rows(of: 7) == before)
      let erased = try await all.send(.delete, path + "?endShift=true", "", page)
      #expect(erased.status == 204 && erased.text.isEmpty)
      #expect(try await all.pool.rows(of: 7) == [:])
      #expect(try await all.pool.rows(of: 8) == others)
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      #expect(try await all.send(.get, "/v1/me", "", own).status == 401)
      #expect(try await all.send(.delete, path + "?endShift=true", "", page).status == 404)
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 9)
        .filter { $0.action == .employeeErased }
      #expect(log.map(\.target) == [7] && log.first?.actor == "boss")
      #expect(log.first?.employee == nil)
    }
  }

  @Test("an employee off shift is erased at once, by administrators only")
  func erasureOffShift() async throws {
    try await run { all, page in
      let own: HTTPHeaders = ["Authorization": "Bearer \(all.phones[7] ?? "")"]
      all.wait(.minutes(1))
      let out = try await all.send(.post, "/v1/clock-out", #"{"actionId":"out"}"#, own)
      #expect(out.status == 200)
      try await all.hire("mate", teams: [1: .all])
      let manager = try await all.page(of: "mate")
      let before = try await all.pool.rows(of: 7)
      let refused = try await all.send(.delete, "/v1/employees/7", "", manager)
      #expect(refused.status == 403 && refused.text.contains("administrator_required"))
      #expect(try await all.pool.rows(of: 7) == before)
      #expect(try await all.send(.delete, "/v1/employees/7", "", page).status == 204)
      #expect(try await all.pool.rows(of: 7) == [:])
    }
  }

  @Test("a privacy notice gets a new version for a new text, and no other")
  func privacyNotice() async throws {
    try await run { all, page in
      let path = "/v1/privacy-notice"
      #expect(try await all.send(.get, path, "", page).status == 204)
      let first = try await all.send(.post, path, #"{"text":"We keep <b>."}"#, page)
      let text = #"{"version":1,"createdAt":"2026-11-20T09:30:00.000Z","text":"We keep <b>."}"#
      #expect(first.status == 200 && first.text == text, "\(first.text)")
      all.wait(.minutes(1))
      #expect(try await all.send(.post, path, #"{"text":"We keep <b>."}"#, page).text == text)
      #expect(try await all.send(.get, path, "", page).text == text)
      for (body, place) in [
        (#"{"text":""}"#, "/text"), (#"{}"#, "/text"), (#"{"text":7}"#, "/text"),
        (#"{"text":"a\u0000"}"#, "/text"), (#"{"text":" \n "}"#, "must not be blank"),
        (#"{"text":"x","version":3}"#, "/version"),
        (#"{"text":"\#(String(repeating: "x", count: 20_001))"}"#, "/text"),
      ] {
        let refused = try await all.send(.post, path, body, page)
        #expect(refused.status == 422 && refused.text.contains(place), "\(refused.text)")
      }
      let longest = String(repeating: #"\ud83d\ude00"#, count: 20_000)
      let second = try await all.send(.post, path, #"{"text":"\#(longest)"}"#, page)
      #expect(second.status == 200 && second.text.hasPrefix(#"{"version":2,"#))
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 9)
        .filter { $0.action == .privacyNoticeChanged }
      #expect(log.map(\.target) == [2, 1] && log.allSatisfy { $0.actor == "boss" })
    }
  }
}
