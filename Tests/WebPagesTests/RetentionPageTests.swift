import InstallationOperations
import ManagerCore
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The retention page") struct RetentionPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  // R: W11
  @Test("changes the periods, and shortens them only after confirmation")
  func retention() async throws {
    try await withQuietServer { server in
      let (path, operations) = ("/settings/retention", server.day.operations)
      let old = try await server.tag(on: path)
      let rest = "&fixes=60&coverage=365&shifts=1830&auditLog="
      var form = "tag=\(old)\(rest)"
      #expect(try await server.get(path).1.contains(#"name="fixes" type="number""#))
      let (longer, _) = try await server.post(path, form + "500")
      #expect(longer.headers["Location"] == "/settings/retention?done=changed")
      let (stale, now) = try await server.post(path, form + "600")
      #expect(
        stale.status == 422 && now.contains("The retention has changed since you read it"))
      #expect(now.contains(#"value="500""#))
      form = "tag=\(try await server.tag(on: path))\(rest)"
      let (asked, text) = try await server.post(path, form + "400")
      #expect(asked.status == 422 && text.contains("Tick “I am sure” to confirm"))
      #expect(text.contains(#"name="sure""#) && text.contains(#"value="400""#))
      #expect(try await operations.installation.retention()[.auditLog] == 500)
      for (form, fault) in [
        (form + "7&sure=yes", "whole numbers from 8 to 36500"),
        (form + "%22%3E&sure=yes", "whole numbers from 8 to 36500"),
        ("fixes=366&coverage=365&shifts=1830&auditLog=500&sure=yes", "cannot be kept longer"),
      ] {
        let (refused, text) = try await server.post(path, form)
        #expect(refused.status == 422 && text.contains(fault), "\(form)")
      }
      #expect(try await server.post(path, form + "400&sure=yes").0.status == 303)
      #expect(try await operations.installation.retention()[.auditLog] == 400)
      let log = try await operations.installation.auditEntries(about: nil, limit: 9)
      #expect(Set(log.compactMap(\.reason)) == ["auditLog: 500 days", "auditLog: 400 days"])
    }
    try await withQuietServer(principal: manager) { server in
      let (page, _) = try await server.get("/settings/retention")
      let (form, _) = try await server.post("/settings/retention", "fixes=9")
      #expect(page.status == 404 && form.status == 404)
      let (_, settings) = try await server.get("/settings")
      #expect(
        !settings.contains("/settings/retention") && settings.contains(#"href="/statistics""#))
    }
  }
}
