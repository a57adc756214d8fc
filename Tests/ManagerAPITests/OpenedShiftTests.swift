import InstallationOperations
import JSONText
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A shift that a manager opens over HTTP") struct OpenedShiftTests {
  private let path = "/v1/employees/7/shift"

  // R: M6, W11
  @Test("waits for the employee on board and shift, and is in the audit log")
  func opens() async throws {
    try await ManagerWorld.run { world in
      let body = #"{"startedAt":"2026-11-20T09:00:00Z","reason":"new phone"}"#
      let opened = try await world.post(path, body)
      #expect(opened.status == 201, "\(opened.text)")
      #expect(opened.text.contains(#""startedAt":"2026-11-20T09:00:00.000Z""#))
      #expect(
        opened.text.contains(
          #""openedBy":"manager","opening":{"by":"Mira","reason":"new phone"},"#
            + #""waitsForConfirmation":true"#))
      #expect(try await world.post(path, body).status == 200, "a repeat")
      let board = try await world.get("/v1/board")
      #expect(board.text.contains(#""state":"clocked_in""#))
      #expect(board.text.contains(#""waitsForConfirmation":true"#))
      #expect(board.text.contains(#""reason":"not_asked""#))
      let list = try await world.get("/v1/shifts?open=true")
      let waiting = #""openedBy":"manager","waitsForConfirmation":true,"added":false,"verdict""#
      #expect(list.text.contains(waiting))
      #expect(try await world.clockIn("yes", "always").status == 201)
      let confirmed = try await world.get("/v1/employees/7/shifts/1")
      #expect(confirmed.text.contains(#""waitsForConfirmation":false"#))
      let since = #""confirmedAt":"2026-11-20T09:30:00.000Z","added":false,"device":1"#
      #expect(confirmed.text.contains(since))
      let entries = try await world.operations.installation.auditEntries(
        about: EmployeeID(7), limit: 10)
      let entry = entries.first { $0.action == .shiftOpened }
      #expect(entry?.actor == "Mira" && entry?.shift == 1 && entry?.reason == "new phone")
      #expect(entries.filter { $0.action == .shiftOpened }.count == 1)
    }
  }

  @Test("is refused with a reason that is missing, a start that cannot be, or a shift in its way")
  func refusals() async throws {
    try await ManagerWorld.run { world in
      #expect(try await world.post(path, "{}").status == 422)
      #expect(try await world.post(path, #"{"reason":"x","from":"now"}"#).status == 422)
      func code(_ start: String) async throws -> String? {
        let answer = try await world.post(path, #"{"startedAt":"\#(start)","reason":"x"}"#)
        guard answer.status == 409, case .object(let problem) = answer.json,
          case .string(let code) = problem["code"]
        else { return nil }
        return code
      }
      #expect(try await code("2026-11-20T09:30:01Z") == "in_future")
      #expect(try await code("2026-11-19T17:30:00Z") == "too_long")
      _ = try await world.clockIn("one", "always")
      #expect(try await code("2026-11-20T09:30:00Z") == "overlaps_shift")
      let nobody = try await world.post("/v1/employees/8/shift", #"{"reason":"x"}"#)
      #expect(nobody.status == 404)
    }
  }
}
