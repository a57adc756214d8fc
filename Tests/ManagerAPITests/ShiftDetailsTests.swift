import DeviceOperations
import JSONText
import ManagerCore
import ReviewOperations
import ShiftDomain
import Testing

@Suite("Shift details over HTTP") struct ShiftDetailsTests {
  // R: W10, W9, M6
  @Test("contain the employee's note, the correction and the corrected coverage")
  func story() async throws {
    try await Morning.run { morning in
      let employee = morning.credential.device.employee
      let receipt = Receipt(at: Morning.start + .minutes(30), monotonic: .now)
      _ = try await morning.operations.device.note(
        "No signal in the cellar", from: Morning.start + .minutes(10),
        to: Morning.start + .minutes(15), on: 1, from: morning.credential, receipt: receipt)
      let shift = ShiftID(employee: employee, number: 1)
      _ = try await morning.operations.reviews.correct(
        shift,
        CorrectionRequest(endedAt: Morning.start + .minutes(15), reason: "went home"),
        by: AuditActor(name: "Mira"))
      let response = try await morning.get("/v1/employees/7/shifts/1")
      #expect(response.status == 200)
      guard case .object(let story) = response.json else { throw NoObject(text: response.text) }
      #expect(story["name"] == .string("Zoë \"Z\" Ångström"))
      #expect(story["endedAt"] == "2026-11-20T09:45:00.000Z" && story["endedBy"] == "manager")
      for part in [
        #""text":"No signal in the cellar""#, #""by":"Mira""#, #""reason":"went home""#,
        #""endedAt":"2026-11-20T09:50:00.000Z"}"#, #""totals":{"tracked":600000,"denied":300000}"#,
        #""kind":"denied","origin":"mid_shift","accepted":false,"recomputed":false,"#,
        #""evidence":"reported""#,
        #""notificationDueAt":"2026-11-20T09:40:02.000Z""#,
      ] {
        #expect(response.text.contains(part), "\(part) in \(response.text)")
      }
      #expect(!response.text.contains("52.12") && !response.text.contains("latitude"))
      for path in [
        "/v1/employees/7/shifts/2", "/v1/employees/9/shifts/1", "/v1/employees/7/shifts/x",
      ] {
        #expect(try await morning.get(path).status == 404, "\(path)")
      }
      #expect(try await morning.get("/v1/employees/7/shifts/1", token: nil).status == 401)
    }
  }
}

private struct NoObject: Error { var text: String }
