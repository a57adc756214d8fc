import DeviceAPI
import GuardRules
import HTTPServing
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Apps from a store") struct PhoneAppTests {
  // R: M1, W24
  @Test("track a shift that began on the page, from their first position on, once")
  func takesOver() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try await page.clockIn()
      let app = try await world.app(.ownTracks)
      world.wait(.seconds(30))
      // It was on its way for a moment.
      let position = world.position(for: .ownTracks)
      world.wait(.milliseconds(900))
      let first = try await app.post(position)
      #expect(first.text == #"[{"_type":"cmd","action":"status"}]"#)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 1)
      world.wait(.seconds(30))
      #expect(try await app.post(world.position(for: .ownTracks)).text == "[]")
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 2)
      let told = try await world.count(
        """
        SELECT count(*) FROM notification
        WHERE topic = \(NotificationTopic.appTookOver.column) AND subject = 1 AND ordinal = 2
        """)
      #expect(told == 1, "the employee is told at once")

      // The employee goes back to the page.
      _ = try await page.post("/v1/take-over", #"{"actionId":"back"}"#)
      world.wait(.seconds(30))
      #expect(try await app.post(world.position(for: .ownTracks)).status == 200)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 2)
    }
  }

  // R: M1, W24
  @Test("bring what they recorded since the page's last position, however late it is sent")
  func queue() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try await page.clockIn()
      let app = try await world.app(.ownTracks)
      world.wait(.minutes(2))
      try #require(try await page.ping().results == ["stored"])
      let last = world.now
      // Offline for an hour; the queue begins with what the page has recorded too.
      world.wait(.hours(1))
      for minute in -1...59 {
        let position = world.position(for: .ownTracks, at: last + .minutes(Int64(minute)))
        #expect(try await app.post(position).status == 200)
      }
      #expect(
        try await world.count("SELECT count(*) FROM take_over WHERE at = \(last + .minutes(1))")
          == 1)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 59)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 1") == 1)
    }
  }

  // R: M1, W7
  @Test("move their take-over back to an older position that arrives later")
  func movesBack() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try await page.clockIn()
      let app = try await world.app(.ownTracks)
      let start = world.now
      world.wait(.seconds(30))
      try await page.ping()
      world.wait(.seconds(50))
      for second in [70, 50, 20, 60] {
        let at = start + .seconds(Int64(second))
        #expect(try await app.post(world.position(for: .ownTracks, at: at)).status == 200)
      }
      let span = try await world.count(
        "SELECT count(*) FROM take_over WHERE at = \(start + .seconds(50))")
      #expect(span == 1)
      #expect(try await world.count("SELECT count(*) FROM take_over") == 1)
      #expect(
        try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 3,
        "not the one from before the page's last fix")
      // A page's fix from before counts, and moves nothing.
      try await page.ping(ago: .seconds(35))
      #expect(try await page.ping(ago: .seconds(25)).results == ["not_tracking_device"])
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 1") == 2)
      // Nor does what is older than the page's way back move that.
      world.wait(.seconds(30))
      _ = try await page.post("/v1/take-over", #"{"actionId":"back"}"#)
      world.wait(.seconds(30))
      for second in [48, 120] {
        let at = start + .seconds(Int64(second))
        #expect(try await app.post(world.position(for: .ownTracks, at: at)).status == 200)
      }
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 4)
      #expect(try await page.ping().results == ["stored"])
    }
  }

  // R: M1, W7, W24
  @Test("bring what they recorded before the page's clock-out or break, however late it is sent")
  func queueAfterwards() async throws {
    for end in ["clock-out", "break-start"] {
      try await DeviceWorld.run { world in
        let page = try await world.phone(platform: "web")
        _ = try await page.report("always")
        try await page.clockIn()
        let app = try await world.app(.overland)
        let start = world.now
        world.wait(.seconds(30))
        try await page.ping()
        world.wait(.seconds(270))
        #expect(try await page.clockAction(end, "end").status == 200)
        world.wait(.seconds(1))
        let items = [20, 60, 120, 290, 300].map { (second: Int64) in
          #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
            + #""properties":{"timestamp":"\#((start + .seconds(second)).rfc3339)"}}"#
        }
        for _ in 1...2 {
          let body = #"{"locations":[\#(items.joined(separator: ","))]}"#
          #expect(try await app.post(body).text.contains(#""result":"ok""#))
        }
        #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 3)
        #expect(
          try await world.count(
            "SELECT count(*) FROM take_over WHERE at = \(start + .seconds(60))") == 1)
      }
    }
  }

  // R: M1
  @Test("take over by a position, not by a sign of life")
  func signOfLife() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try await page.clockIn()
      let app = try await world.app(.traccar)
      world.wait(.seconds(30))
      _ = try await app.post("timestamp=\(world.now.milliseconds / 1_000)&batt=60")
      #expect(try await world.count("SELECT count(*) FROM take_over") == 0)
    }
  }

  // R: W1
  @Test("may have a receiver that dates fixes 1,024 weeks back", arguments: PhoneApp.allCases)
  func weekRollover(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.appOnShift(app)
      world.wait(.seconds(30))
      let now = Instant(milliseconds: world.now.milliseconds / 1_000 * 1_000)
      let body = world.position(for: app, at: now - .seconds(619_315_200))
      #expect(try await phone.post(body).status == 200)
      #expect(
        try await world.count(
          "SELECT count(latitude_e7) FROM ping WHERE effective_at = \(now)") == 1)
    }
  }

  // R: M1
  @Test("store nothing outside a shift, and are answered with success")
  func offShift() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      #expect(try await app.post(world.position(for: .ownTracks)).status == 200)
      #expect(try await app.post(#"{"_type":"secret","lat":52.5}"#).status == 200)
      #expect(try await world.count("SELECT count(*) FROM ping") == 0)
      // Its reason is kept, not the message, which may have a position in it.
      #expect(try await world.count("SELECT count(*) FROM quarantined_message") == 1)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 0)
    }
  }

  // R: M3, A11
  @Test("open an incident when the permission that they report gets worse")
  func downgrade() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks)
      _ = try await app.post(#"{"_type":"status","android":{"loc":0,"wifi":1}}"#)
      world.wait(.minutes(5))
      #expect(try await world.count("SELECT count(*) FROM incident") == 0)
      #expect(
        try await app.post(#"{"_type":"status","android":{"loc":-4,"wifi":1}}"#).text == "[]")
      #expect(try await world.count("SELECT count(*) FROM incident WHERE closed_at IS NULL") == 1)
      let alarms = try await world.count(
        """
        SELECT count(*) FROM notification WHERE topic = \(NotificationTopic.incident.column)
        """)
      #expect(alarms == 1)
    }
  }

  // R: M1
  @Test("have what cannot be read quarantined, once, for administrators")
  func keptAside() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.overland)
      world.wait(.seconds(30))
      for _ in 1...2 {
        let answer = try await app.post(
          #"{"locations":[{"type":"Feature","properties":{"timestamp":"yesterday"}},"#
            + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
            + #""properties":{"timestamp":"\#(world.now.rfc3339)"}}]}"#)
        #expect(answer.text == #"{"result":"ok"}"#)
      }
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 2)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 1)
      let support = try await world.operations.people.support(of: app.device)
      let aside = try #require(support.history.quarantine.first)
      #expect(aside.app == .overland && aside.reason == "unreadable timestamp")
    }
  }

  // R: M1
  @Test("are refused with 401 only for a token that does not open their device")
  func tokens() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.traccar)
      #expect(try await world.post(PhoneApp.traccar.path, "").status == 401)
      #expect(try await world.post(PhoneApp.traccar.path + "?id=7", "").status == 401)
      #expect(try await app.post("").status == 200)
      #expect(
        try await world.post(PhoneApp.traccar.path + "?id=\(app.token)&timestamp=1", "").status
          == 200)
      try await world.operations.people.revoke(device: app.device)
      #expect(try await app.post("").status == 401)
    }
  }

  // R: M1
  @Test("may be set up with a slash at the end of the address", arguments: PhoneApp.allCases)
  func slash(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let token = try await world.app(app).token
      let path = app.path + (app == .traccar ? "/?id=\(token)" : "/")
      #expect(try await world.post(path, world.position(for: app), token: token).status == 200)
    }
  }

  // R: M1, W12
  @Test("may have a query that is not UTF-8, which costs no position")
  func oddQuery() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.traccar)
      for odd in ["driverUniqueId=Ren%E9", "note=100%", "a%zz=1"] {
        world.wait(.seconds(30))
        let seconds = world.now.milliseconds / 1_000
        let path = app.app.path + "?id=\(app.token)&lat=1&lon=2&timestamp=\(seconds)&\(odd)"
        #expect(try await world.post(path, "").status == 200)
      }
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 4)
    }
  }

  // R: M1
  @Test("have their token blanked out of what is quarantined")
  func keepsNoToken() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.traccar)
      let answer = try await world.post(
        app.app.path, "id=\(app.token)&timestamp=yesterday&lat=52.5&lon=13.4",
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(answer.status == 200)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 1)
      #expect(
        try await world.count(
          "SELECT count(*) FROM quarantined_message WHERE body LIKE 'id=***&timestamp=yes%'")
          == 1)
    }
    // OwnTracks sends its whole configuration when it is asked for it.
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks)
      let dump = #"{"_type":"dump","configuration":{"password":"\#(app.token)","#
      #expect(try await app.post(dump).status == 200)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 1)
      #expect(
        try await world.count(
          "SELECT count(*) FROM quarantined_message WHERE body LIKE '%\(app.token)%'") == 0)
    }
  }

  // R: M1
  @Test("have nothing kept that may be from outside a shift")
  func keepsNothingOffShift() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try #require(try await page.clockIn().status == 201)
      let app = try await world.app(.overland)
      world.wait(.seconds(30))
      _ = try await app.post(world.position(for: .overland))
      let bad = #"{"type":"Feature","properties":{"timestamp":"yesterday"}}"#
      let early =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"timestamp":"\#((world.now - .hours(1)).rfc3339)"}}"#
      _ = try await app.post(#"{"locations":[\#(bad),\#(early)]}"#)
      #expect(try await world.count("SELECT count(*) FROM quarantined_message") == 1)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 0)
      world.wait(.minutes(1))
      _ = try await app.post(#"{"locations":[\#(bad.replacing("yester", with: "to"))]}"#)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 1)
      // The shift had ended before that message.
      let out = try await page.post(
        "/v1/clock-out",
        """
        {"actionId":"o","sentAt":"\(world.time())","occurredAt":"\(world.time(.seconds(-20)))"}
        """)
      #expect(out.status == 200)
      #expect(try await world.count("SELECT count(body) FROM quarantined_message") == 0)
    }
  }

  // R: M1
  @Test("may send a position with a picture of 3 MB")
  func picture() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks)
      let picture = #""image":"\#(String(repeating: "A", count: 3 << 20))","#
      let message = world.position(for: .ownTracks)
      #expect(try await app.post("{" + picture + message.dropFirst()).status == 200)
      #expect(try await world.count("SELECT count(latitude_e7) FROM ping") == 1)
    }
  }

  // R: M1
  @Test("keep the position of a second in which they also showed that they are alive")
  func signAndFix() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.traccar)
      world.wait(.seconds(30))
      let seconds = world.now.milliseconds / 1_000
      _ = try await app.post("timestamp=\(seconds)&batt=60")
      _ = try await app.post("timestamp=\(seconds)&lat=52.5&lon=13.4")
      _ = try await app.post("timestamp=\(seconds)001&lat=52.5&lon=13.4")
      #expect(
        try await world.count("SELECT count(*) FROM ping WHERE latitude_e7 = 525000000") == 2)
    }
  }

  // R: M1, W7
  @Test("take over no shift by a position that is older than it")
  func oldPosition() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.app(.ownTracks)
      _ = try await page.report("always")
      try #require(try await page.clockIn().status == 201)
      world.wait(.minutes(10))
      let old = world.position(for: .ownTracks)
      world.wait(.minutes(10))
      try #require(try await page.clockOut().status == 200)
      world.wait(.minutes(10))
      _ = try await page.report("always")
      try #require(try await page.clockAction("clock-in", "again").status == 201)
      world.wait(.minutes(1))
      _ = try await app.post(old)
      #expect(try await world.count("SELECT count(*) FROM take_over WHERE shift_no = 2") == 0)
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.count("SELECT count(*) FROM take_over WHERE shift_no = 2") == 1)
    }
  }

  // R: M1
  @Test("count as silent only after three intervals that they are set up with")
  func interval() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks, interval: .minutes(10))
      let ages = try await world.count(
        "SELECT fix_age_max_ms::bigint FROM take_over WHERE device_no = \(app.device.number)")
      #expect(ages == TimeSpan.minutes(30).milliseconds)
    }
  }
  // R: M1
  @Test("bring that interval to a shift that they begin, and not to a page that takes over")
  func intervalAtClockIn() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      let app = try await world.app(.ownTracks, interval: .minutes(10))
      try await app.send(.always)
      _ = try await app.cross("enter")
      let begun = try await world.count("SELECT fix_age_max_ms::bigint FROM shift")
      #expect(begun == TimeSpan.minutes(30).milliseconds)
      world.wait(.minutes(1))
      #expect(try await page.clockAction("take-over", "t").status == 200)
      let after = try await world.count("SELECT fix_age_max_ms::bigint FROM take_over")
      #expect(after == TimeSpan.minutes(3).milliseconds)
    }
  }
}
