import HTTPServing
import JSONText
import Postgres
import ShiftDomain
import Testing

@Suite("The language of responses to a phone") struct LanguageTests {
  @Test("Every response with guidance is in the requested language and names it")
  func everywhere() async throws {  // R: B10
    try await DeviceWorld.run { world in
      let phone = try await world.phone().asking(for: "xx, de-AT;q=0.9", "fr;q=0.3")
      let french = phone.asking(for: "fr")
      var clockAction = 0
      func work(_ path: String, by phone: Phone) async throws -> Answer {
        clockAction += 1
        world.clock.move(by: .seconds(1))
        return try await phone.post(
          path, #"{"actionId":"a\#(clockAction)","sentAt":"\#(world.time())"}"#)
      }

      let answers = [
        try await phone.report("denied"),
        try await phone.post("/v1/guard/check", ""),
        try await work("/v1/clock-in", by: phone),
        try await phone.get("/v1/me"),
        try await phone.report("when_in_use"),
        try await phone.post(
          "/v1/acknowledgements", #"{"appSession":"s1","findings":["when_in_use"]}"#),
        try await work("/v1/clock-in", by: phone),
        try await work("/v1/clock-in", by: phone),
        try await work("/v1/break-start", by: phone),
        try await work("/v1/break-end", by: phone),
        try await work("/v1/take-over", by: phone),
        try await work("/v1/clock-out", by: phone),
      ]
      #expect(
        answers.map(\.status) == [201, 200, 409, 200, 201, 200, 201, 200, 200, 200, 200, 200])
      let titles: Set = [
        "Der Standortzugriff ist aus", "Standortzugriff nur, solange Sie die App verwenden",
      ]
      for answer in answers {
        #expect(answer.headers.values(of: "Content-Language") == ["de"], "\(answer.text)")
        #expect(answer.headers.values(of: "Vary") == ["Accept-Language"])
        guard case .string(let title) = answer["guidance", "banner", "title"] else {
          Issue.record("no banner in \(answer.text)")
          continue
        }
        #expect(titles.contains(title))
      }

      let repeated = try await french.post("/v1/guard/check", "")
      #expect(repeated.headers["Content-Language"] == "fr")
      #expect(
        repeated["guidance", "banner", "title"]
          == .string("La position n’est accessible que lorsque l’app est active"))
    }
  }

  @Test("A repeated clock action gets its first decision in the language requested now")
  func repeated() async throws {
    try await DeviceWorld.withPhone { _, phone in
      try await phone.report("denied")
      let first = try await phone.clockIn()
      let second = try await phone.asking(for: "pl").clockIn()
      #expect(first.headers["Content-Language"] == "en")
      #expect(second.headers["Content-Language"] == "pl")
      #expect(first.status == 409 && second.status == 409)
      #expect(second["decision"] == first["decision"])
      #expect(
        second["guidance", "remedies", 0, "title"]
          == .string("Dostęp do lokalizacji jest wyłączony"))
    }
  }

  @Test("The response to a confirmed shift end is in the requested language")
  func confirmed() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone().asking(for: "pl")
      try await phone.report("always")
      try await phone.clockIn()
      world.clock.move(by: .hours(20))
      let end = world.time(.zero - .hours(12))
      let answer = try await phone.post("/v1/confirm-end", #"{"shift":1,"endedAt":"\#(end)"}"#)
      #expect(answer.status == 200)
      #expect(answer.headers["Content-Language"] == "pl")
      #expect(answer.headers["Vary"] == "Accept-Language")
      #expect(
        answer["guidance", "banner", "title"] == .string("Trzeba ponownie sprawdzić telefon")
      )
    }
  }

  @Test("Without a known language in the request, the one requested before is used")
  func remembered() async throws {
    try await DeviceWorld.withPhone { world, phone in
      #expect(try await world.languages() == [nil])
      #expect(try await phone.report("denied").headers["Content-Language"] == "en")

      #expect(try await phone.asking(for: "pl").report("denied").status == 201)
      #expect(try await world.languages() == ["pl"])
      let answers = [
        try await phone.report("denied"), try await phone.get("/v1/me"),
        try await phone.asking(for: "xx").clockIn(),
      ]
      #expect(answers.map { $0.headers["Content-Language"] } == ["pl", "pl", "pl"])

      // A clock action stores the language too; a GET request changes nothing.
      #expect(try await phone.asking(for: "fr").get("/v1/me").headers["Content-Language"] == "fr")
      #expect(try await world.languages() == ["pl"])
      try await phone.asking(for: "de").clockIn("tap-2")
      #expect(try await world.languages() == ["de"])
    }
  }

  @Test("A phone is enrolled with the language that it requests")
  func enrolled() async throws {
    try await DeviceWorld.run { world in
      let code = try await world.code()
      let answer = try await world.post(
        "/v1/enrolments", #"{"code":"\#(code)","platform":"ios"}"#,
        headers: ["Accept-Language": "fr-CA"])
      #expect(answer.status == 201)
      #expect(try await world.languages() == ["fr"])
    }
  }

  @Test("A known language is not written again, and pings never write it")
  func unwritten() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone().asking(for: "pl")
      try await phone.report("always")
      try await phone.clockIn()
      let row = try await world.deviceRow()
      try await phone.clockOut()
      try await phone.asking(for: "de").ping()
      #expect(try await world.deviceRow() == row)
      #expect(try await world.languages() == ["pl"])
      try await phone.asking(for: "de").clockIn("tap-2")
      #expect(try await world.deviceRow() != row)
    }
  }

  @Test("Responses without guidance have no language")
  func silent() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone().asking(for: "fr")
      let answers = [
        try await phone.ping(), try await phone.clockOut(), try await phone.get("/v1/me/shifts"),
        try await phone.post("/v1/clock-in", "{"),
      ]
      #expect(answers.map(\.status) == [200, 409, 200, 400])
      for answer in answers {
        #expect(answer.headers["Content-Language"] == nil && answer.headers["Vary"] == nil)
      }
    }
  }
}

extension DeviceWorld {
  /// The stored languages, device by device.
  fileprivate func languages() async throws -> [String?] {
    try await pool.read { (session) throws(PostgresError) in
      let rows = try session.run("SELECT language FROM device ORDER BY employee_id, device_no")
      var languages: [String?] = []
      for row in 0..<rows.count { languages.append(try rows.value(row, 0)) }
      return languages
    }
  }

  /// The version of the first device's row.
  fileprivate func deviceRow() async throws -> String {
    try await pool.read { (session) throws(PostgresError) in
      try session.run("SELECT ctid::text || xmin::text FROM device").value(0, 0)
    }
  }
}
