import DeviceAPI
import GuardRules
import JSONText
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A shift without buttons, by crossing a region") struct RegionCrossingTests {
  // R: M1, W1
  @Test("a crossing that a receiver dates 1,024 weeks back counts at its time")
  func weekRollover() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      let start = Instant(milliseconds: world.now.milliseconds / 1_000 * 1_000)
      _ = try await app.cross("enter", at: start - .seconds(619_315_200))
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
    }
  }

  // R: M1, W1, W4
  @Test("begins with the arrival, is tracked by the app, and ends with the departure")
  func wholeShift() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      world.wait(.minutes(1))
      let (start, began) = (world.now, try await app.cross("enter"))
      #expect(began.status == 200)
      let open = try await page.get("/v1/me")
      #expect(open["shift", "startedAt"] == .string(start.rfc3339))
      #expect(open["shift", "device"] == .integer(2))
      #expect(open["shift", "phoneApp"] == "owntracks")
      // The position of a crossing may be an old one: it is stored nowhere.
      #expect(open["trackingState", "reason"] == "waiting_first_fix")
      for _ in 1...5 {
        world.wait(.minutes(1))
        #expect(try await app.post(world.position(for: .ownTracks)).status == 200)
      }
      world.wait(.seconds(30))
      let end = world.now
      #expect(try await app.cross("leave").status == 200)
      try await world.passDeparture()
      #expect(try await page.get("/v1/me")["shift"] == nil)
      #expect(try await world.count("SELECT count(latitude_e7) FROM ping") == 5)
      #expect(
        try await world.count("SELECT count(start_fix_at) + count(end_fix_at) FROM shift") == 0)
      let own = try await page.get("/v1/me/shifts")
      let details = try await page.get("/v1/me/shifts/1")
      #expect(own["shifts", 0, "startedAt"] == .string(start.rfc3339))
      #expect(own["shifts", 0, "endedAt"] == .string(end.rfc3339))
      #expect(own["shifts", 0, "endedBy"] == "employee")
      #expect(details["coverage", "totals", "tracked"] == .integer(270_000))
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
    }
  }

  // R: W14, M1
  @Test("is left out, and its message taken, while too many clock actions wait for a review")
  func tooMany() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.app(.ownTracks)
      let then = world.time(.hours(-30))
      for number in 1...100 {
        let late = try await page.post(
          "/v1/clock-out",
          #"{"actionId":"\#(number)","occurredAt":"\#(then)","sentAt":"\#(world.time())"}"#)
        #expect(late.status == 202, "\(late.text)")
      }
      let more = try await page.post(
        "/v1/clock-out",
        #"{"actionId":"more","occurredAt":"\#(then)","sentAt":"\#(world.time())"}"#)
      #expect(more.status == 429 && more["code"] == "too_many_waiting", "\(more.text)")
      #expect(more.headers["Retry-After"] == "86400")
      for event in ["enter", "leave"] {
        #expect(try await app.cross(event, at: world.now - .minutes(10)).status == 200)
      }
      #expect(try await world.count("SELECT count(*) FROM clock_action") == 100)
    }
  }

  // R: W1, A3
  @Test("waits for the permission, for which the app is asked, and for its first position")
  func asks() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let start = world.now
      for _ in 1...2 {
        #expect(
          try await app.cross("enter", at: start).text == #"[{"_type":"cmd","action":"status"}]"#)
      }
      #expect(try await world.actions() == [])
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 1)
      world.wait(.seconds(2))
      #expect(
        try await app.send(.always).text == #"[{"_type":"cmd","action":"reportLocation"}]"#)
      #expect(try await world.actions() == ["clockedIn"])
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 0)
      // An old report is no report.
      world.wait(.minutes(10))
      _ = try await app.cross("leave")
      #expect(try await app.cross("enter").text == #"[{"_type":"cmd","action":"status"}]"#)
    }
  }

  // R: W1, A8, A11
  @Test("does not begin if the permission never comes: it is kept, and the employee notified")
  func neverAnswered() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      _ = try await app.cross("enter")
      world.wait(.seconds(50))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.actions() == [])
      world.wait(.seconds(11))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.actions() == ["blocked"])
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
      #expect(
        try await world.topics() == ["clock_action_for_review 1.1", "arrival_blocked 1.1"])
      world.wait(.minutes(2))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.actions() == ["blocked"])
    }
  }

  // R: W1
  @Test("begins and ends once, however often its crossings are sent")
  func resent() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      let start = world.now
      _ = try await app.cross("enter")
      world.wait(.seconds(20))
      _ = try await app.cross("enter", at: start)
      // Of another site.
      _ = try await app.cross("enter", "Shift Yard")
      #expect(try await world.actions() == ["clockedIn"])
      world.wait(.minutes(30))
      _ = try await app.cross("leave", "Shift Yard")
      let end = world.now
      _ = try await app.cross("leave")
      world.wait(.seconds(20))
      _ = try await app.cross("leave", at: end)
      _ = try await app.cross("enter", at: start)
      try await world.passDeparture()
      _ = try await app.cross("leave", at: end)
      _ = try await app.cross("leave")
      _ = try await app.cross("enter", at: start)
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
      #expect(try await world.ends() == [end])
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 0)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 0)
    }
  }

  // R: A8, A11, W2
  @Test("does not begin without the permission: managers see the attempt, the employee is notified")
  func blocked() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.denied)
      for _ in 1...2 {
        #expect(try await app.cross("enter", at: world.now).status == 200)
      }
      #expect(try await world.actions() == ["blocked"])
      #expect(try await world.topics() == ["clock_in_blocked 1.1", "arrival_blocked 1.1"])
      let denied = IncidentKind.denied.column
      #expect(
        try await world.count(
          "SELECT count(*) FROM notification WHERE topic = 15 AND kind = \(denied)") == 1)
      #expect(try await world.storesNoPlace())
      // Managers may open the shift from the attempt's time, as after a tap.
      let queue = try await world.operations.reviews.reviewQueue(
        for: Principal(actor: AuditActor(name: "Mira"), role: .administrator), limit: 9)
      #expect(queue.clockActions.rows.count == 1)
    }
  }

  // R: M1
  @Test("loses no location for a transition of the same second", arguments: [true, false])
  func sameSecond(isTransitionFirst: Bool) async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks)
      world.wait(.seconds(30))
      let location = world.position(for: .ownTracks).replacing("52.5201", with: "45.3")
      for isTransition in [isTransitionFirst, !isTransitionFirst] {
        _ =
          isTransition ? try await app.cross("leave", "Home") : try await app.post(location)
      }
      #expect(
        try await world.count("SELECT count(*) FROM ping WHERE latitude_e7 = 453000000") == 1)
      #expect(try await world.count("SELECT count(latitude_e7) FROM ping") == 2)
    }
  }

  // R: A8
  @Test("confirms the shift that a manager has opened")
  func confirms() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      _ = try await world.operations.reviews.openShift(
        for: EmployeeID(7), OpeningRequest(reason: "new phone"),
        by: Principal(actor: AuditActor(name: "Mira"), role: .administrator)
      ).get()
      let start = world.now
      world.wait(.minutes(10))
      // Leaving is no answer.
      _ = try await app.cross("leave")
      try await app.send(.always)
      _ = try await app.cross("enter")
      #expect(try await world.actions() == ["clockedIn"])
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 1") == 1)
    }
  }

  // R: A10, W10
  @Test("counts from its own time if it arrives hours later, and is kept if it cannot be judged")
  func late() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      let (start, position) = (world.now, world.position(for: .ownTracks))
      world.wait(.hours(3))
      _ = try await app.cross("enter", at: start)
      #expect(try await world.openShift() == start)
      #expect(try await app.post(position).status == 200)
      let end = start + .hours(1)
      _ = try await app.cross("leave", at: end)
      #expect(try await world.ends() == [])
      _ = try await app.post(world.position(for: .ownTracks, at: end + .minutes(2)))
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
      #expect(try await world.ends() == [end])
      // In the shift that has ended, nothing is new.
      _ = try await app.cross("enter", at: start + .minutes(5))
      #expect(try await world.actions().count == 2)

      // Nobody knows what the permission was; both are kept for one review.
      _ = try await app.cross("enter", at: start + .hours(2))
      _ = try await app.cross("leave", at: start + .hours(2) + .minutes(30))
      #expect(
        try await world.actions() == ["clockedIn", "clockedOut", "blocked", "clockOutKept"])
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 2)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
    }
  }

  // R: M1, W1
  @Test("is not begun or ended by other regions, a departure alone, or a break")
  func nothing() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      for name in ["Home", "Shifts", "Night shift", ""] {
        #expect(try await app.cross("enter", name).text == "[]")
      }
      _ = try await app.cross("leave")
      #expect(try await world.actions() == [])
      #expect(try await world.storesNoPlace())
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 0)

      let page = try await world.phone(platform: "web")
      _ = try await app.cross("enter", "SHIFT")
      #expect(try await world.actions() == ["clockedIn"])
      _ = try await app.cross("leave", "Home")
      world.wait(.minutes(1))
      _ = try await page.post("/v1/break-start", #"{"actionId":"lunch"}"#)
      world.wait(.minutes(5))
      _ = try await app.cross("leave")
      _ = try await app.cross("enter")
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
      _ = try await page.post("/v1/break-end", #"{"actionId":"work"}"#)
      world.wait(.minutes(5))
      // On the page beside the app.
      #expect(try await page.clockOut().status == 200)
      _ = try await app.cross("leave")
      #expect(
        try await world.actions() == ["clockedIn", "onBreak", "backAtWork", "clockedOut"])
    }
  }

  // R: W1
  @Test("that began with a button is not ended by a departure, whichever app tracks it")
  func otherPhone() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      try await page.report("always")
      try await page.clockIn()
      let app = try await world.app(.overland)
      let other = try await world.app(.ownTracks)
      world.wait(.seconds(30))
      _ = try await app.post(world.position(for: .overland))
      _ = try await other.cross("enter")
      _ = try await other.cross("leave")
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }
}

enum ReportedStatus: String {
  case always = "Always"
  case denied = "Denied"

  var body: String {
    let value = self == .denied ? "Denied" : "AuthorizedAlways"
    return #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":"#
      + #""kCLAuthorizationStatus\#(value)"}}"#
  }
}

extension AppPhone {
  @discardableResult
  func send(_ status: ReportedStatus) async throws -> Answer { try await post(status.body) }

  /// A transition of OwnTracks.
  func cross(
    _ event: String, _ region: String = "Shift: Depot", at instant: Instant? = nil
  ) async throws -> Answer {
    let seconds = (instant ?? world.now).milliseconds / 1_000
    return try await post(
      #"{"_type":"transition","lat":52.5201,"lon":13.4049,"tst":\#(seconds),"acc":20,"#
        + #""tid":"07","event":"\#(event)","desc":"\#(region)","t":"c","wtst":1767000000}"#)
  }
}

extension DeviceWorld {
  /// The outcomes of all clock actions.
  func actions() async throws -> [String] {
    let outcomes: String? = try await operations.pool.value(
      "SELECT string_agg(outcome::text, ' ' ORDER BY action_no) FROM clock_action")
    return (outcomes ?? "").split(separator: " ").map { outcome in
      UInt8(outcome).flatMap { ClockActionResult(rawValue: $0) }.map { "\($0)" } ?? "?"
    }
  }

  /// The topics of what waits for its delivery, with subject and ordinal.
  func topics() async throws -> [String] {
    try await operations.notifications.notifications(of: EmployeeID(7), limit: 100)
      .map(\.notification).sorted { $0.topic.rawValue < $1.topic.rawValue }
      .map { "\($0.topic.code) \($0.subject).\($0.ordinal)" }
  }

  /// The start of the open shift.
  func openShift() async throws -> Instant? {
    try await operations.pool.value(
      "SELECT max(started_at) FROM shift WHERE ended_at IS NULL")
  }

  /// Whether no table has a position.
  fileprivate func storesNoPlace() async throws -> Bool {
    let pings = try await count("SELECT count(latitude_e7) FROM ping")
    let bodies = try await count("SELECT count(body) FROM quarantined_message")
    return pings + bodies == 0
  }
}
