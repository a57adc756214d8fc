import JSONText
import ShiftDomain
import Testing

@Suite("Overrides, clock actions and corrections over HTTP") struct OverrideRouteTests {
  private let overrides = "/v1/employees/7/overrides"
  private let corrections = "/v1/employees/7/shifts/1/corrections"
  private let denied = #"{"findings":["denied"],"reason":"phone in repair"}"#

  // R: W3
  @Test("an override allows the next clock-in, and the phone gets its author and reason")
  func override() async throws {
    try await ManagerWorld.run { world in
      #expect(try await world.clockIn("one", "denied").status == 409)
      let given = try await world.post(overrides, denied)
      #expect(given.status == 201, "\(given.text)")
      let expected = try JSONValue(
        parsing: Array(
          """
          {"employee":7,"number":1,"findings":["denied"],"author":"manager","by":"Mira",
           "reason":"phone in repair","createdAt":"2026-11-20T09:30:00.000Z",
           "expiresAt":"2026-11-20T21:30:00.000Z"}
          """.utf8))
      #expect(given.json == expected)
      #expect(try await world.post(overrides, denied).status == 200)
      let check = try await world.send(.post, "/v1/guard/check", "", as: world.phone)
      #expect(check.text.contains(#""verdict":"warn""#))
      #expect(check.text.contains(#""overridden":["denied"]"#))
      let by = #""overriddenBy":{"author":"manager","by":"Mira","reason":"phone in repair"}"#
      #expect(check.text.contains(by), "\(check.text)")
      let begun = try await world.clockIn("two", "denied")
      #expect(begun.status == 201 && begun.text.contains(#""overridden":["denied"]"#))
      let listed = try await world.get(overrides + "?limit=1")
      #expect(listed.text.contains(#""shift":{"employee":7,"number":1}"#), "\(listed.text)")
      let late = try await world.post(overrides + "/1/withdraw")
      #expect(late.status == 409 && late.text.contains(#""code":"override_used""#))
    }
  }

  @Test("a withdrawn override allows no clock-in, and withdrawing it again changes nothing")
  func withdrawn() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.post(overrides, denied)
      let once = try await world.post(overrides + "/1/withdraw")
      #expect(once.status == 200 && once.text.contains(#""withdrawnAt":"2026-11-20T09:30"#))
      world.wait(.minutes(1))
      #expect(try await world.post(overrides + "/1/withdraw").text == once.text)
      #expect(try await world.clockIn("one", "denied").status == 409)
    }
  }

  // R: W3, W14
  @Test("clock actions come in pages, each once, whatever is added meanwhile")
  func pages() async throws {
    try await ManagerWorld.run { world in
      for number in 1...5 {
        _ = try await world.clockIn("\(number)", "denied")
        // Two are of the same moment.
        if number != 3 { world.wait(.seconds(1)) }
      }
      var (numbers, cursor): ([String], String) = ([], "")
      repeat {
        let page = try await world.get("/v1/clock-actions?limit=2\(cursor)")
        #expect(page.status == 200, "\(page.text)")
        numbers += page.text.matches(of: /"number":([0-9]+),"device"/).map { String($0.1) }
        cursor = page.text.firstMatch(of: /"next":"([^"]+)"/).map { "&cursor=\($0.1)" } ?? ""
        if numbers.count == 2 { _ = try await world.clockIn("more", "denied") }
      } while !cursor.isEmpty
      #expect(numbers == ["5", "4", "3", "2", "1"])
      #expect(try await world.get("/v1/clock-actions?cursor=1.2").status == 422)
    }
  }

  // R: W3
  @Test("a blocked clock-in is listed, accepted once, and the phone sees its shift")
  func accept() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("one", "denied")
      let waiting = try await world.get("/v1/clock-actions?review=true&employee=7")
      #expect(waiting.status == 200 && waiting.text.contains(#""outcome":"blocked""#))
      #expect(waiting.text.contains(#""review":true"#), "\(waiting.text)")
      world.wait(.minutes(10))
      let path = "/v1/employees/7/clock-actions/1"
      let accepted = try await world.post(path + "/accept", #"{"reason":"was there"}"#)
      #expect(accepted.status == 200, "\(accepted.text)")
      #expect(accepted.text.contains(#""review":false"#))
      #expect(accepted.text.contains(#""shift":{"employee":7,"number":1}}"#), "\(accepted.text)")
      let again = try await world.post(path + "/accept", #"{"reason":"was there"}"#)
      #expect(again.status == 200 && again.text == accepted.text)
      let other = try await world.post(path + "/dismiss", #"{"reason":"was not"}"#)
      #expect(other.status == 409 && other.text.contains(#""code":"already_reviewed""#))
      #expect(other.text.contains(#""outcome":"accepted""#))
      let one = try await world.get(path)
      #expect(one.text == accepted.text)
      #expect(try await world.get("/v1/clock-actions?review=true").text == #"{"clockActions":[]}"#)
      let me = try await world.send(.get, "/v1/me", "", as: world.phone)
      #expect(me.text.contains(#""startedAt":"2026-11-20T09:30:00.000Z""#), "\(me.text)")
    }
  }

  @Test("a blocked clock-in is dismissed with or without a body, and then stays dismissed")
  func dismiss() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("one", "denied")
      world.wait(.seconds(1))
      _ = try await world.clockIn("two", "denied")
      let path = "/v1/employees/7/clock-actions"
      #expect(try await world.post(path + "/1/dismiss").status == 200)
      #expect(try await world.post(path + "/2/dismiss", #"{"reason":"holiday"}"#).status == 200)
      let refused = try await world.post(path + "/1/accept", #"{"reason":"was there"}"#)
      #expect(refused.status == 409)
      let undone = try await world.post(path + "/1/undo-dismissal")
      #expect(undone.status == 200 && undone.text.contains(#""review":true"#), "\(undone.text)")
      #expect(try await world.post(path + "/1/dismiss").status == 200)
      let later = #"{"reason":"r","endedAt":"2026-11-20T09:00:00Z"}"#
      world.wait(.seconds(1))
      _ = try await world.clockIn("three", "denied")
      let impossible = try await world.post(path + "/3/accept", later)
      #expect(impossible.text.contains(#""code":"ends_before_start""#), "\(impossible.text)")
      world.wait(.seconds(1))
      _ = try await world.clockIn("four", "always")
      let open = try await world.post(path + "/3/accept", #"{"reason":"r"}"#)
      #expect(open.status == 409 && open.text.contains(#""code":"later_shift_open""#))
      #expect(open.text.contains(#""shift":{"employee":7,"number":1}"#))
    }
  }

  // R: W10
  @Test("a correction sets the times, returns the old ones, and the coverage follows")
  func correct() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("in", "always")
      world.wait(.hours(2))
      _ = try await world.clockOut("out")
      let input = #"{"endedAt":"2026-11-20T10:30:00Z","reason":"forgot to clock out"}"#
      let corrected = try await world.post(corrections, input)
      #expect(corrected.status == 201, "\(corrected.text)")
      let expected = try JSONValue(
        parsing: Array(
          """
          {"shift":{"employee":7,"number":1},"number":1,
           "before":{"startedAt":"2026-11-20T09:30:00.000Z",
                     "endedAt":"2026-11-20T11:30:00.000Z"},
           "after":{"startedAt":"2026-11-20T09:30:00.000Z","endedAt":"2026-11-20T10:30:00.000Z"},
           "by":"Mira","at":"2026-11-20T11:30:00.000Z","reason":"forgot to clock out"}
          """.utf8))
      #expect(corrected.json == expected)
      let again = try await world.post(corrections, input)
      #expect(again.status == 200 && again.text == corrected.text)
      let coverage = try await world.get("/v1/employees/7/shifts/1/coverage")
      #expect(coverage.text.contains(#""endedAt":"2026-11-20T10:30:00.000Z""#))
      for (body, code) in [
        (#""endedAt":"2026-11-20T10:30:00Z""#, "nothing_changed"),
        (#""endedAt":"2026-11-20T09:30:00Z""#, "ends_before_start"),
        (#""endedAt":"2026-11-21T10:30:00Z""#, "in_future"),
        (#""startedAt":"2020-01-01T00:00:00Z""#, "too_long"),
        (#""startedAt":"2026-11-20T09:31:00Z","clockAction":1"#, "nothing_to_review"),
      ] {
        let refused = try await world.post(corrections, #"{\#(body),"reason":"other"}"#)
        #expect(refused.status == 409, "\(refused.text)")
        #expect(refused.text.contains(#""code":"\#(code)""#), "\(refused.text)")
      }
    }
  }

  // R: W21
  @Test("breaks are corrected as a whole, by the tag that was read, and an end may be now")
  func breaks() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("in", "always")
      world.wait(.hours(2))
      let pause = #"{"from":"2026-11-20T10:00:00Z","to":"2026-11-20T10:30:00Z"}"#
      let corrected = try await world.post(corrections, #"{"breaks":[\#(pause)],"reason":"r"}"#)
      #expect(corrected.status == 201, "\(corrected.text)")
      let shown = #""breaksBefore":[],"breaksAfter":[{"from":"2026-11-20T10:00:00.000Z""#
      #expect(corrected.text.contains(shown), "\(corrected.text)")
      let now = try await world.get("/v1/employees/7/shifts/1")
      #expect(now.text.contains(#""breaks":[{"from""#), "\(now.text)")
      for (body, status, code) in [
        (#""breaks":[\#(pause),\#(pause)]"#, 409, "breaks_overlap"),
        (
          #""breaks":[{"from":"2026-11-20T09:00:00Z","to":"2026-11-20T10:00:00Z"}]"#, 409,
          "break_outside_shift"
        ),
        (#""breaks":[{"from":"2026-11-20T10:00:00Z"}]"#, 409, "break_without_end"),
        (#""end":"planned_end""#, 409, "no_planned_end"),
        (#""end":"later""#, 422, "invalid_body"), (#""breaks":[{"to":1}]"#, 422, "invalid_body"),
        (#""breaks":[{"from":"2026-11-20T10:00:00Z","until":1}]"#, 422, "invalid_body"),
        (#""end":"now","endedAt":"2026-11-20T10:00:00Z""#, 422, "invalid_body"),
      ] {
        let refused = try await world.post(corrections, #"{\#(body),"reason":"other"}"#)
        #expect(refused.status == status, "\(refused.text)")
        #expect(refused.text.contains(#""code":"\#(code)""#), "\(refused.text)")
      }
      let ended = try await world.post(corrections, #"{"end":"now","reason":"phone lost"}"#)
      #expect(ended.status == 201, "\(ended.text)")
      #expect(ended.text.contains(#""endedAt":"2026-11-20T11:30:00.000Z"}"#), "\(ended.text)")
    }
  }

  // R: W21
  @Test("a past shift is added once, and waits for its employee")
  func added() async throws {
    try await ManagerWorld.run { world in
      let times = #""startedAt":"2026-11-19T08:00:00Z","endedAt":"2026-11-19T16:00:00Z""#
      let pause = #"{"from":"2026-11-19T12:00:00Z","to":"2026-11-19T12:30:00Z"}"#
      let body = #"{\#(times),"breaks":[\#(pause)],"reason":"=1+1 \r\n <b>"}"#
      let added = try await world.post("/v1/employees/7/shifts", body)
      #expect(added.status == 201, "\(added.text)")
      #expect(added.text.contains(#""added":true"#) && added.text.contains(#""not_asked""#))
      #expect(try await world.post("/v1/employees/7/shifts", body).status == 200)
      let sheet = try await world.get("/v1/time-sheets?from=2026-11-19&to=2026-11-19")
      #expect(sheet.text.contains(#""workedMinutes":450"#), "\(sheet.text)")
      #expect(sheet.text.contains(#""state":"unconfirmed""#), "\(sheet.text)")
      let mine = try await world.send(.get, "/v1/me/shifts", "", as: world.phone)
      #expect(mine.text.contains(#""added":true"#), "\(mine.text)")
      for (body, status, code) in [
        (#"{\#(times),"reason":"other"}"#, 409, "overlaps_shift"),
        (#"{"startedAt":"2026-11-19T18:00:00Z","reason":"r"}"#, 422, "invalid_body"),
        (
          #"{"startedAt":"2026-08-19T18:00:00Z","endedAt":"2026-08-19T19:00:00Z","reason":"r"}"#,
          409, "too_old"
        ),
        (
          #"{"startedAt":"2026-11-19T18:00:00Z","endedAt":"2026-11-19T19:00:00Z","reason":" "}"#,
          422, "invalid_body"
        ),
      ] {
        let refused = try await world.post("/v1/employees/7/shifts", body)
        #expect(refused.status == status, "\(refused.text)")
        #expect(refused.text.contains(#""code":"\#(code)""#), "\(refused.text)")
      }
      #expect(try await world.post("/v1/employees/9/shifts", body).status == 404)
    }
  }

  // R: W10
  @Test("a correction that overlaps another shift names that shift")
  func overlaps() async throws {
    try await ManagerWorld.run { world in
      for id in ["a", "b"] {
        _ = try await world.clockIn("in \(id)", "always")
        world.wait(.hours(1))
        _ = try await world.clockOut("out \(id)")
        world.wait(.minutes(1))
      }
      let over = #"{"endedAt":"2026-11-20T11:00:00Z","reason":"r"}"#
      let refused = try await world.post(corrections, over)
      #expect(refused.status == 409 && refused.text.contains(#""code":"overlaps_shift""#))
      #expect(refused.text.contains(#""shift":{"employee":7,"number":2}"#), "\(refused.text)")
    }
  }

  static let faults: [(path: String, body: String, pointer: String, detail: String)] = [
    ("overrides", "[]", "", "must be an object"),
    ("overrides", #"{"reason":"r"}"#, "/findings", "is missing"),
    ("overrides", #"{"findings":[],"reason":"r"}"#, "/findings", "must name at least one finding"),
    ("overrides", #"{"findings":"denied","reason":"r"}"#, "/findings", "must be an array"),
    (
      "overrides", #"{"findings":["denied","x"],"reason":"r"}"#, "/findings/1",
      "must be the code of a finding"
    ),
    (
      "overrides", #"{"findings":[1],"reason":"r"}"#, "/findings/0",
      "must be the code of a finding"
    ),
    ("overrides", #"{"findings":["denied"]}"#, "/reason", "is missing"),
    ("overrides", #"{"findings":["denied"],"reason":" "}"#, "/reason", "must not be blank"),
    ("overrides", #"{"findings":["denied"],"reason":""}"#, "/reason", "must have 1 to 500"),
    ("overrides", #"{"finding":["denied"],"reason":"r"}"#, "/finding", "is not a known field"),
    (
      "shifts/1/corrections", #"{"reason":"r"}"#, "",
      "must name `startedAt`, `endedAt`, `end` or `breaks`"
    ),
    ("shifts/1/corrections", #"{"endAt":"x","reason":"r"}"#, "/endAt", "is not a known field"),
    (
      "shifts/1/corrections", #"{"endedAt":"noon","reason":"r"}"#, "/endedAt", "must be an RFC 3339"
    ),
    ("shifts/1/corrections", #"{"endedAt":"2026-11-20T10:30:00Z"}"#, "/reason", "is missing"),
    (
      "shifts/1/corrections", #"{"endedAt":"2026-11-20T10:30:00Z","reason":"r","clockAction":0}"#,
      "/clockAction", "must be a whole number"
    ),
    ("clock-actions/1/accept", "{}", "/reason", "is missing"),
    ("clock-actions/1/accept", #"{"reason":"r","until":"x"}"#, "/until", "is not a known field"),
    ("clock-actions/1/dismiss", #"{"reason":7}"#, "/reason", "must be a string"),
  ]

  @Test("an invalid body is refused with the location of the error, and nothing is stored")
  func badBodies() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("in", "always")
      for fault in Self.faults {
        let answer = try await world.post("/v1/employees/7/" + fault.path, fault.body)
        #expect(answer.status == 422, "\(fault.body): \(answer.text)")
        #expect(answer.text.contains(#""pointer":"\#(fault.pointer)""#), "\(answer.text)")
        #expect(answer.text.contains(fault.detail), "\(answer.text)")
      }
      let long = String(repeating: "r", count: 501)
      let answer = try await world.post(overrides, #"{"findings":["denied"],"reason":"\#(long)"}"#)
      #expect(answer.status == 422)
      #expect(try await world.get(overrides).text == #"{"overrides":[]}"#)
      for query in ["review=yes", "employee=x", "employee=0", "limit=0", "limit=1001", "limit="] {
        let answer = try await world.get("/v1/clock-actions?" + query)
        #expect(answer.status == 422 && answer.text.contains(#""code":"invalid_query""#))
      }
    }
  }

  @Test("unknown things are 404, and without a valid token everything is 401")
  func missing() async throws {
    try await ManagerWorld.run { world in
      let correction = #"{"endedAt":"2026-11-20T10:30:00Z","reason":"r"}"#
      let calls = [
        ("overrides", denied), ("overrides/1/withdraw", ""),
        ("shifts/1/corrections", correction), ("clock-actions/1/accept", #"{"reason":"r"}"#),
        ("clock-actions/1/dismiss", ""),
      ]
      for employee in ["8", "0", "-1", "99999999999", "x"] {
        for (path, body) in calls {
          let answer = try await world.post("/v1/employees/\(employee)/\(path)", body)
          #expect(answer.status == 404, "\(employee)/\(path): \(answer.text)")
        }
        #expect(try await world.get("/v1/employees/\(employee)/overrides").status == 404)
        #expect(try await world.get("/v1/employees/\(employee)/clock-actions/1").status == 404)
      }
      #expect(try await world.get("/v1/clock-actions?employee=8").status == 404)
      for number in ["1", "0", "x", "99999999999"] {
        #expect(try await world.post(overrides + "/\(number)/withdraw").status == 404)
        #expect(try await world.get("/v1/employees/7/clock-actions/\(number)").status == 404)
      }
      for token in [nil, "sga_1_x", world.phone] {
        for (path, body) in calls {
          let answer = try await world.send(.post, "/v1/employees/7/" + path, body, as: token)
          #expect(answer.status == 401)
        }
        #expect(try await world.send(.get, "/v1/clock-actions", "", as: token).status == 401)
      }
    }
  }
}
