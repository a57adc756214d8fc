import DeviceAPI
import GuardRules
import HTTPServing
import ManagerOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Apps from a store") struct PhoneAppTests {
  // R: M1
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

      // The employee goes back to the page.
      _ = try await page.post("/v1/take-over", #"{"actionId":"back"}"#)
      world.wait(.seconds(30))
      #expect(try await app.post(world.position(for: .ownTracks)).status == 200)
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 2)
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
      #expect(try await world.count("SELECT count(*) FROM notification") == 1)
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
      let support = try await world.operations.manager.support(of: app.device)
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
      try await world.operations.manager.revoke(device: app.device)
      #expect(try await app.post("").status == 401)
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
