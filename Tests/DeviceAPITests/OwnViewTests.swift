import JSONText
import ManagerCore
import ReviewOperations
import ShiftDomain
import Testing

@Suite("The employee's own view") struct OwnViewTests {
  /// A shift of ten minutes.
  private func worked(_ world: DeviceWorld) async throws -> Phone {
    let phone = try await world.phone()
    try await phone.report("always")
    #expect(try await phone.clockIn().status == 201)
    try await phone.ping()
    world.clock.move(by: .minutes(10))
    #expect(try await phone.clockOut().status == 200)
    return phone
  }

  // R: W10
  @Test("lists the employee's own shifts, newest first, and no others")
  func list() async throws {
    try await DeviceWorld.run(employees: [7, 8]) { world in
      let phone = try await worked(world)
      world.clock.move(by: .minutes(1))
      try await phone.report("always")
      #expect(try await phone.clockIn("tap-2").status == 201)
      let shifts = try await phone.get("/v1/me/shifts")
      #expect(shifts.status == 200)
      #expect(shifts["shifts", 0, "number"] == .integer(2))
      #expect(shifts["shifts", 0, "endedAt"] == nil)
      #expect(shifts["shifts", 1, "endedBy"] == "employee")
      #expect(shifts["shifts", 1, "review"] == .bool(false))
      let one = try await phone.get("/v1/me/shifts?limit=1")
      #expect(one["shifts", 0, "number"] == .integer(2) && one["shifts", 1] == nil)
      let other = try await world.phone(of: 8)
      #expect(try await other.get("/v1/me/shifts")["shifts"] == .array([]))
      for limit in ["0", "101", "x", ""] {
        let answer = try await phone.get("/v1/me/shifts?limit=\(limit)")
        #expect(answer.status == 422 && answer.code == "invalid_query", "\(limit)")
      }
      #expect(try await world.send(.get, "/v1/me/shifts", token: nil).status == 401)
    }
  }

  @Test("has the times of a shift, which the employee confirms as they saw them")
  func times() async throws {
    try await DeviceWorld.run(employees: [7, 8]) { world in
      let phone = try await worked(world)
      let times = try await phone.get("/v1/me/shifts/1")
      #expect(times["times", "workedMinutes"] == .integer(10))
      #expect(times["times", "paidMinutes"] == .integer(10))
      #expect(times["times", "state"] == "ready")
      guard case .string(let revision)? = times["times", "revision"] else {
        throw NoRevision()
      }
      #expect(try await phone.get("/v1/me/shifts")["shifts", 0, "times"] == times["times"])
      let path = "/v1/me/shifts/1/confirm-times"
      let changed = try await phone.post(path, #"{"revision":"other"}"#)
      #expect(changed.status == 409 && changed.code == "changed_meanwhile")
      #expect(changed["times", "revision"] == .string(revision))
      let confirmed = try await phone.post(path, #"{"revision":"\#(revision)"}"#)
      #expect(confirmed.status == 200 && confirmed["timesConfirmedAt"] != nil)
      #expect(try await phone.post(path, #"{"revision":"\#(revision)"}"#).status == 200)
      #expect(try await phone.post(path, "{}").status == 422)
      #expect(
        try await phone.post("/v1/me/shifts/2/confirm-times", #"{"revision":"x"}"#).status == 404)
      let other = try await world.phone(of: 8)
      #expect(try await other.post(path, #"{"revision":"\#(revision)"}"#).status == 404)
      let objecting = "/v1/me/shifts/1/object-to-times"
      let words = #"{"revision":"\#(revision)","reason":"Until five"}"#
      for body in ["{}", #"{"revision":"\#(revision)","reason":" "}"#] {
        #expect(try await phone.post(objecting, body).status == 422)
      }
      #expect(try await other.post(objecting, words).status == 404)
      let objected = try await phone.post(objecting, words)
      #expect(objected.status == 200 && objected["state"] == "in_review")
      let shown = try await phone.get("/v1/me/shifts/1")
      #expect(shown["objection", "reason"] == "Until five" && shown["review"] == .bool(true))
      #expect(shown["timesConfirmedAt"] == nil)
      let late = try await phone.post(objecting, #"{"revision":"\#(revision)","reason":"Six"}"#)
      #expect(late.status == 409 && late.code == "times_not_final")
    }
  }

  // R: W10
  @Test("shows every detail of an own shift, but no location")
  func story() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      _ = try await world.operations.reviews.giveOverride(
        to: EmployeeID(7), FindingSet(.denied), reason: "phone in repair",
        by: AuditActor(name: "Mira"))
      #expect(try await phone.clockIn().status == 201)
      world.clock.move(by: .minutes(5))
      try await phone.report("always")
      try await phone.ping()
      world.clock.move(by: .minutes(1))
      try await phone.report("denied")
      world.clock.move(by: .minutes(4))
      #expect(try await phone.clockOut().status == 200)
      let note =
        #"{"from":"\#(world.time(.minutes(-4)))","to":"\#(world.time())","text":"repair shop"}"#
      #expect(try await phone.post("/v1/me/shifts/1/notes", note).status == 201)

      let story = try await phone.get("/v1/me/shifts/1")
      #expect(story.status == 200)
      #expect(story["shift", "number"] == .integer(1) && story["endedBy"] == "employee")
      #expect(story["overridden", 0] == "denied")
      #expect(story["overriddenBy", "by"] == "Mira")
      #expect(story["overriddenBy", "reason"] == "phone in repair")
      #expect(story["coverage", "totals", "denied"] == .integer(540_000))
      #expect(story["coverage", "totals", "tracked"] == .integer(60_000))
      // The override covers the first incident, so only the second has a notification.
      #expect(story["incidents", 0, "origin"] == "at_clock_in")
      #expect(story["incidents", 0, "notificationDueAt"] == nil)
      #expect(story["incidents", 1, "kind"] == "denied")
      #expect(story["incidents", 1, "notificationDueAt"] == .string(world.time(.seconds(2 - 240))))
      #expect(story["notes", 0, "text"] == "repair shop")
      #expect(story["corrections"] == .array([]) && story["breaks"] == .array([]))
      for word in ["52.5", "13.4", "latitude", "longitude"] { #expect(!story.text.contains(word)) }
      for path in ["/v1/me/shifts/2", "/v1/me/shifts/x", "/v1/me/shifts/-1"] {
        #expect(try await phone.get(path).status == 404, "\(path)")
      }
    }
  }

  // R: W10
  @Test("shows no notification for an incident that was resolved in time")
  func flicker() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      #expect(try await phone.clockIn().status == 201)
      try await phone.report("denied")
      world.clock.move(by: .seconds(1))
      try await phone.report("always")
      let story = try await phone.get("/v1/me/shifts/1")
      #expect(story["incidents", 0, "closeReason"] == "flicker")
      #expect(story["incidents", 0, "notificationDueAt"] == nil)
      #expect(story["coverage", "provisional"] == .bool(true))
    }
  }

  @Test("pages through the audit log by cursor, and refuses an invalid cursor")
  func auditCursor() async throws {
    try await DeviceWorld.withPhone { _, phone in
      for cursor in ["", "x", "0", "-1", "1.5", "9223372036854775808"] {
        let answer = try await phone.get("/v1/me/audit?before=\(cursor)")
        #expect(answer.status == 422 && answer.code == "invalid_query", "\(cursor)")
      }
      #expect(try await phone.get("/v1/me/audit?before=1").status == 200)
      #expect(try await phone.get("/v1/me/audit?action=nothing").status == 422)
    }
  }

  // R: W10
  @Test("accepts a note on a time span of a shift")
  func note() async throws {
    try await DeviceWorld.run(employees: [7, 8]) { world in
      let phone = try await worked(world)
      let (start, end) = (world.time(.minutes(-10)), world.time())
      let body = #"{"from":"\#(start)","to":"\#(end)","text":"Lift broken, \"no\" signal ☔️"}"#
      let added = try await phone.post("/v1/me/shifts/1/notes", body)
      #expect(added.status == 201 && added["number"] == .integer(1))
      #expect(added["text"] == #"Lift broken, "no" signal ☔️"#)
      let again = try await phone.post("/v1/me/shifts/1/notes", body)
      #expect(again.status == 200 && again["number"] == .integer(1))
      for path in [
        "/v1/me/shifts/2/notes", "/v1/me/shifts/x/notes", "/v1/me/shifts/99999999999/notes",
      ] {
        let answer = try await phone.post(path, body)
        #expect(answer.status == 404 && answer.code == "not_found", "\(path)")
      }
      // Employee 8 cannot add a note to employee 7's shift 1.
      let other = try await world.phone(of: 8)
      #expect(try await other.post("/v1/me/shifts/1/notes", body).status == 404)
    }
  }

  @Test("names the invalid field of a note")
  func faults() async throws {
    try await DeviceWorld.run { world in
      let phone = try await worked(world)
      let (start, end) = (world.time(.minutes(-10)), world.time())
      let faults: [(body: String, pointer: String)] = [
        (#"{"to":"\#(end)","text":"x"}"#, "/from"), (#"{"from":"\#(start)","text":"x"}"#, "/to"),
        (#"{"from":"\#(start)","to":"\#(end)"}"#, "/text"),
        (#"{"from":"\#(start)","to":"\#(end)","text":""}"#, "/text"),
        (#"{"from":"\#(start)","to":"\#(end)","text":"  "}"#, "/text"),
        (#"{"from":"\#(start)","to":"\#(end)","text":"a\u0000"}"#, "/text"),
        (
          #"{"from":"\#(start)","to":"\#(end)","text":"\#(String(repeating: "x", count: 501))"}"#,
          "/text"
        ),
        (#"{"from":"\#(end)","to":"\#(start)","text":"x"}"#, "/to"),
        (#"{"from":"yesterday","to":"\#(end)","text":"x"}"#, "/from"),
        (#"{"from":"\#(world.time(.minutes(-11)))","to":"\#(end)","text":"x"}"#, "/from"),
        (#"{"from":"\#(start)","to":"\#(world.time(.minutes(1)))","text":"x"}"#, "/from"),
      ]
      for fault in faults {
        let answer = try await phone.post("/v1/me/shifts/1/notes", fault.body)
        #expect(answer.status == 422, "\(fault.body)")
        #expect(answer["errors", 0, "pointer"] == .string(fault.pointer), "\(fault.body)")
      }
    }
  }
}

private struct NoRevision: Error {}
