import HTTPAPI
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Permission reports over HTTP") struct ReportTests {
  @Test("are answered with decision, guidance and settings")  // R: M1
  func answered() async throws {
    try await DeviceWorld.withPhone { _, phone in
      let answer = try await phone.report("denied", sequence: 1)
      #expect(answer.status == 201)
      #expect(answer["disposition"] == "noted")
      #expect(answer["decision", "verdict"] == "block")
      #expect(answer["decision", "findings", 0, "code"] == "denied")
      #expect(answer["decision", "findings", 0, "severity"] == "block")
      #expect(answer["guidance", "banner", "level"] == "required")
      #expect(answer["guidance", "remedies", 0, "finding"] == "denied")
      #expect(answer["report", "authorization"] == "denied")
      #expect(answer["tracking", "track"] == .bool(false))
      #expect(answer["commands"] == .array([]))
      #expect(answer.headers["Server-Timing"] == nil)
      guard case .string(let id) = answer["id"] else {
        Issue.record("the id is no string")
        return
      }
      #expect(Int64(id) != nil)
      let again = try await phone.report("denied", sequence: 1)
      #expect(again.status == 200)
      #expect(again["disposition"] == "duplicate")
      #expect(again["id"] == .string(id))
    }
  }

  @Test("an unknown word is stored as unknown, never an error and never a grant")  // R: B7
  func newWords() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let words = try await phone.post(
        "/v1/permission-reports",
        """
        {"sentAt":"\(world.time())","authorization":"granted_by_moonlight","grantPath":"?",
         "accuracy":"cosmic","services":"ON","conditions":{"powerSave":"on","notifications":""}}
        """)
      #expect(words.status == 201)
      for field: JSONStep in ["authorization", "grantPath", "accuracy", "services"] {
        #expect(words["report", field] == "unknown", "\(field)")
      }
      #expect(words["report", "conditions", "powerSave"] == "on")
      #expect(words["report", "conditions", "notifications"] == "unknown")
      #expect(words["decision", "verdict"] == "block")
    }
  }

  @Test("a downgrade in a shift opens an incident at once; the response has the detection time")
  func detected() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always", sequence: 1)
      try await phone.clockIn()
      world.clock.move(by: .minutes(10))
      let downgrade = try await phone.report("denied", sequence: 2)
      #expect(downgrade["disposition"] == "in_force")
      #expect(downgrade["incidents", 0, "kind"] == "denied")
      #expect(downgrade["incidents", 0, "origin"] == "mid_shift")
      let timing = try #require(downgrade.headers["Server-Timing"])
      let number = try #require(timing.split(separator: "=").last)
      let milliseconds = try #require(Double(number))
      #expect(timing.hasPrefix("detection;dur="))
      #expect(milliseconds > 0 && milliseconds < 5_000)
      #expect(world.metrics.lines(of: "shiftguard_detection_seconds_count").map(\.value) == [1])

      world.clock.move(by: .minutes(1))
      let restored = try await phone.report("always", sequence: 3)
      #expect(restored["incidents"] == .array([]))
      #expect(restored["commands", 0] == "send_fix_now")
      #expect(world.metrics.lines(of: "shiftguard_detection_seconds_count").map(\.value) == [1])
      #expect(try await phone.report("denied", sequence: 2)["disposition"] == "duplicate")
      // A report that comes with a clock action is measured, too.
      world.clock.move(by: .minutes(1))
      let again = try await phone.post(
        "/v1/clock-in",
        """
        {"actionId":"tap-2","sentAt":"\(world.time())","report":{"authorization":"denied",
         "services":"on"}}
        """)
      #expect(again.status == 200 && again["incidents", 0, "kind"] == "denied")
      #expect(world.metrics.lines(of: "shiftguard_detection_seconds_count").map(\.value) == [2])
    }
  }

  @Test("a report from a phone whose clock is in 2001 is accepted")
  func wrongClock() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let answer = try await phone.post(
        "/v1/permission-reports",
        """
        {"sentAt":"2001-01-01T00:00:10Z","recordedAt":"2001-01-01T00:00:00Z",
         "authorization":"always","accuracy":"full","services":"on"}
        """)
      #expect(answer.status == 201)
      #expect(answer["report", "effectiveAt"] == .string(world.time(.seconds(-10))))
      #expect(answer["decision", "verdict"] == "allow")
      #expect(answer.text.contains("clock_wrong"))
    }
  }
}
