import Foundation
import GuardClient
import JSONText
import ShiftDomain
import Testing

@Suite("Requests that are not queued", .timeLimit(.minutes(5))) struct AskingTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()

  init() throws { folder = try TestFolder() }

  private func session(
    _ tokens: FakeTokens = FakeTokens(), status: Int64 = 3
  ) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: .standard)),
      location: FakeLocation(status), tokens: tokens, transport: server, clock: clock.client)
  }

  private func unenrolled() throws -> GuardSession {
    let folder = folder.path + "/other"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return try GuardSession(
      GuardSettings(
        folder: folder, phone: PhoneDescription(platform: .android),
        policy: .policy(of: .standard)),
      location: FakeLocation(3), tokens: FakeTokens(nil), transport: server)
  }

  private func lastRequest() async throws -> (line: String, body: String) {
    let request = try #require(await server.requests.last)
    return (
      "\(request.method) \(request.path)", String(decoding: request.body ?? [], as: UTF8.self)
    )
  }

  @Test func `are sent as the API has them`() async throws {
    let session = try session()
    let none = GuardResponse(status: 204)
    await server.answerNext(none, none, none)
    try await session.setPushTarget(.apns(token: "0aff", isSandbox: true))
    var request = try await lastRequest()
    #expect(request.line == "PUT /v1/me/push-target")
    #expect(request.body == #"{"channel":"apns","token":"0aff","sandbox":true}"#)
    try await session.setPushTarget(nil)
    request = try await lastRequest()
    #expect(request.line == "DELETE /v1/me/push-target" && request.body.isEmpty)
    try await session.acknowledgePrivacyNotice(version: 3)
    request = try await lastRequest()
    #expect(request.line == "POST /v1/me/privacy-notice" && request.body == #"{"version":3}"#)

    await server.answerNext(.json(201, ["text": "Cellar"]), none)
    let start = Instant(milliseconds: 1_780_000_000_000)
    try await session.addNote("Cellar", to: 3, from: start, until: start + .minutes(5))
    request = try await lastRequest()
    #expect(request.line == "POST /v1/me/shifts/3/notes")
    #expect(request.body.contains(#""to":"2026-05-28T20:31:40.000Z""#))
    #expect(try await session.privacyNotice() == nil)
  }

  @Test func `give what the API gives`() async throws {
    let session = try session()
    let shift: JSONValue = [
      "employee": 7, "number": 3, "startedAt": "2026-05-28T20:00:00.000Z", "review": true,
      "endedAt": "2026-05-29T12:00:00.000Z", "endedBy": "limit", "device": 1, "verdict": "allow",
    ]
    let objected: JSONValue = [
      "employee": 7, "number": 2, "startedAt": "2026-05-27T20:00:00.000Z", "review": true,
      "endedAt": "2026-05-27T22:00:00.000Z", "endedBy": "limit",
      "objection": ["at": "2026-05-28T08:00:00.000Z", "reason": "Until ten"],
    ]
    await server.answerNext(
      .json(200, ["shifts": [shift, objected]]),
      .json(200, ["version": 2, "text": "We store positions."]))
    let shifts = try await session.ownShifts(limit: 5)
    #expect(shifts.map(\.number) == [3, 2] && shifts.map(\.needsReview) == [true, false])
    #expect(try await session.privacyNotice()?.version == 2)
    let end = Instant(milliseconds: 1_780_000_000_000)
    let status = try await session.confirmEnd(of: 3, at: end)
    #expect(status.tracking.track)
    #expect(try await lastRequest().body.contains(#""endedAt":"2026-05-28T20:26:40.000Z""#))
  }

  @Test func `give a shift in full, and what was done about the employee`() async throws {
    let session = try session()
    let times: JSONObject = [
      "startedAt": "2026-05-28T20:00:00.000Z", "endedAt": "2026-05-29T04:00:00.000Z",
      "breakMinutes": 30, "workedMinutes": 450, "paidMinutes": 465, "state": "ready",
      "revision": "8kq2",
    ]
    let segment: JSONValue = [
      "from": "2026-05-28T20:00:00.000Z", "to": "2026-05-29T04:00:00.000Z", "reason": "no_fix",
      "atRisk": [], "milliseconds": 28_800_000,
    ]
    let entry: JSONValue = [
      "id": "1", "at": "2026-05-29T08:00:00.000Z", "action": "track_viewed", "by": "Mira",
      "shift": 3, "reason": "Lost keys",
    ]
    let confirmed = times.adding(["timesConfirmedAt": "2026-05-29T09:00:00.000Z"])
    await server.answerNext(
      .json(
        200,
        [
          "startedAt": "2026-05-28T20:00:00.000Z", "review": false, "times": .object(times),
          "coverage": ["trackingRate": .number(98.2), "segments": [segment]],
        ]), .json(200, confirmed), .json(200, times), .json(200, ["entries": [entry]]))
    let shift = try await session.ownShift(3)
    #expect(try await lastRequest().line == "GET /v1/me/shifts/3")
    #expect(shift.shift.number == 3 && shift.shift.endedAt == nil && shift.trackingRate == 98.2)
    #expect(shift.segments.map(\.reason) == ["no_fix"] && shift.times.state == "ready")
    let agreed = try await session.confirmTimes(of: 3, shift.times)
    #expect(agreed.confirmedAt?.description == "2026-05-29T09:00:00.000Z")
    var request = try await lastRequest()
    #expect(request.line == "POST /v1/me/shifts/3/confirm-times")
    #expect(request.body == #"{"revision":"8kq2"}"#)
    _ = try await session.objectToTimes(of: 3, shift.times, reason: "Until five")
    request = try await lastRequest()
    #expect(request.line == "POST /v1/me/shifts/3/object-to-times")
    #expect(request.body == #"{"revision":"8kq2","reason":"Until five"}"#)
    let entries = try await session.audit(limit: 5)
    #expect(try await lastRequest().line == "GET /v1/me/audit?limit=5")
    #expect(entries.map(\.by) == ["Mira"] && entries[0].shift == 3)
  }

  @Test func `the first state knows the report of the start`() async throws {
    let session = try session()
    try await session.report(.launch)
    #expect(await session.refresh() != nil)
    let asked = "/v1/me?appSession=\(session.appSession)"
    #expect(await server.paths == ["/v1/permission-reports", asked])
    // Also while another round sends it.
    try await session.report(.foreground)
    await server.meanwhile { await server.answerNext(nil) }
    async let sent = session.send()
    _ = await (sent, session.refresh())
    #expect(await server.paths.last?.hasPrefix("/v1/me?") == true)
  }

  @Test func `say that no phone tracks any more`() async throws {
    let session = try session()
    let shift: JSONValue = [
      "number": 3, "startedAt": "2026-05-28T20:00:00.000Z", "device": 2, "deviceRevoked": true,
    ]
    await server.answerNext(
      .json(200, ["tracking": .object(await server.trackingOrder), "shift": shift]))
    #expect(await session.refresh()?.isTrackingDeviceRevoked == true)
    #expect(await session.refresh()?.isTrackingDeviceRevoked == false)
  }

  @Test func `times are those of the system, and readable`() throws {
    let instant = Instant(milliseconds: 1_780_000_000_123)
    #expect(Date(timeIntervalSince1970: instant.secondsSince1970).timeIntervalSince1970 > 1.78e9)
    #expect(Instant(secondsSince1970: instant.secondsSince1970) == instant)
    #expect(Instant(secondsSince1970: .infinity).milliseconds == .max)
    #expect(Instant(secondsSince1970: .nan).milliseconds == .min)
    #expect(TimeSpan(.milliseconds(1_500)).duration == .milliseconds(1_500))
    #expect(TimeSpan(.milliseconds(-1)) == .milliseconds(-1))
    #expect("\(instant), \(TimeSpan.seconds(90))" == "2026-05-28T20:26:40.123Z, 90.0 seconds")
  }

  @Test func `fail with the reason`() async throws {
    let session = try session()
    await server.answerNext(
      nil, .problem(409, "end_not_asked"), GuardResponse(status: 200, body: Array("<html>".utf8)),
      GuardResponse(status: 200), .problem(401, "unauthorized"))
    await #expect(throws: AskingError.noResponse) { try await session.ownShifts() }
    let error = await #expect(throws: AskingError.self) {
      try await session.confirmEnd(of: 1, at: clock.now)
    }
    guard case .refused(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.code == "end_not_asked")
    for _ in 1...2 {
      await #expect(throws: AskingError.unreadable) { try await session.setPushTarget(nil) }
    }
    await #expect(throws: AskingError.unauthorized) { try await session.ownShifts() }
    for await event in session.events {
      #expect(event == .unauthorized)
      break
    }
    await #expect(throws: AskingError.unauthorized) {
      try await unenrolled().ownShifts()
    }
  }

  @Test func `an answer to the token of an earlier enrolment ends nothing`() async throws {
    let tokens = FakeTokens("sg_9_9_old")
    let session = try session(tokens)
    await server.meanwhile { _ = try? await session.enrol(code: "7-B") }
    #expect(await session.refresh() == nil)
    try await session.signOfLife()
    #expect(await session.send() == nil)
    #expect(await server.stored.count == 1)
  }

  /// As a server sends it that knows `ClockInRules`.
  private func me(blocking: [String], warning: [String]) async -> GuardResponse {
    let rules: JSONValue = [
      "policyVersion": 4, "freshFor": 300, "selfOverride": "with_reason",
      "blocking": .array((blocking + ["newer_than_the_app"]).map { .string($0) }),
      "warning": .array(warning.map { .string($0) }),
    ]
    return .json(200, ["tracking": .object(await server.trackingOrder), "rules": rules])
  }

  @Test func `the team's rules decide offline, also after a restart`() async throws {  // R: C1
    do {
      let session = try session(status: 4)
      guard case .warning = try await session.beginClockIn() else {
        Issue.record("the preset of the settings warns")
        return
      }
      await server.answerNext(await me(blocking: ["when_in_use"], warning: []))
      let rules = try #require(await session.refresh()?.rules)
      #expect(rules.policyVersion == 4 && rules.freshFor == .minutes(5))
      #expect(rules.selfOverride == .withReason)
      #expect(await session.rules == rules)
    }
    let session = try session(status: 4)
    #expect(try await session.beginClockIn() == .explanation(before: .background))
    // An answer without rules leaves them.
    _ = await session.refresh()
    #expect(await session.rules?.policyVersion == 4)
    await server.answerNext(await me(blocking: [], warning: []))
    _ = await session.refresh()
    guard case .clockIn = try await session.beginClockIn() else {
      Issue.record("nothing blocks any more")
      return
    }
    _ = try await session.enrol(code: "7-B")
    #expect(await session.rules == nil, "another enrolment may have another team")
  }

  @Test func `an unchanged state is not sent again, and stays known`() async throws {
    let tokens = FakeTokens()
    let session = try session(tokens)
    func answer(_ status: Int, _ tag: String?, track: Bool = true) async -> GuardResponse {
      await server.track(track)
      let body: JSONObject = ["tracking": .object(await server.trackingOrder)]
      return GuardResponse(
        status: status, tag: tag, body: status == 304 ? [] : JSONValue.object(body).bytes)
    }
    await server.answerNext(
      await answer(200, "W/\"a\""), await answer(304, "W/\"b\""), await answer(304, nil), nil,
      await answer(200, "W/\"c\"", track: false), await answer(304, "W/\"d\"\r\nX: 1"),
      await answer(200, nil), await answer(304, "W/\"e\""))
    var tracks: [Bool?] = []
    for _ in 1...8 { tracks.append(await session.refresh()?.tracking.track) }
    // The last has nothing to go by.
    #expect(tracks == [true, true, true, nil, false, false, true, nil])
    let tags = await server.requests.map(\.knownTag)
    #expect(
      tags == [nil, "W/\"a\"", "W/\"b\"", "W/\"b\"", "W/\"b\"", "W/\"c\"", "W/\"c\"", nil])
    await server.answerNext(await answer(200, "W/\"f\""))
    _ = await session.refresh()
    _ = try await session.enrol(code: "7-B")
    _ = await session.refresh()
    #expect(await server.requests.last?.knownTag == nil, "another enrolment has another state")
    await server.answerNext(await answer(200, "W/\"g\""))
    _ = await session.refresh()
    let unchanged = await answer(304, "W/\"g\"")
    await server.meanwhile {
      _ = try? await session.enrol(code: "7-C")
      await server.answerNext(unchanged)
    }
    #expect(await session.refresh() == nil, "what was known is another employee's")
  }

  @Test func `the state of an earlier enrolment is not taken for the new one's`() async throws {
    let tokens = FakeTokens()
    let session = try session(tokens)
    let earlier = await me(blocking: ["when_in_use"], warning: [])
    await server.answerNext(earlier)
    _ = await session.refresh()
    let path = folder.file("shiftguard.json")
    await tokens.whenStored {
      // The app may end here.
      let kept = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      #expect(kept.contains("installation"))
      #expect(!kept.contains("rules") && !kept.contains("pingInterval"), "\(kept)")
    }
    await server.meanwhile {
      _ = try? await session.enrol(code: "7-B")
      await server.answerNext(earlier)
    }
    await #expect(throws: AskingError.unauthorized) {
      try await session.confirmEnd(of: 3, at: clock.now)
    }
    #expect(await session.rules == nil)
    #expect(await !session.isTracking)
  }

  /// A notification as a stream sends it.
  private func event(_ number: Int) -> String {
    let data =
      #"{"notification":\#(number),"topic":"incident","kind":"when_in_use","urgent":true,"#
      + #""title":"T","body":"B","steps":["S"],"action":"open_app_settings","language":"en","#
      + #""occurredAt":"2026-11-20T09:00:00.000Z","subject":{"employee":7,"shift":3}}"#
    return "id: \(number)\r\nevent: notification\r\ndata: \(data)\r\n\r\n"
  }

  @Test func `notifications arrive once, however the stream is cut`() async throws {
    let session = try session()
    await server.streamNext("retry: 1\n: welcome\n\n" + event(4) + "event: other\ndata: {}\n\n")
    await server.streamNext("retry: 1\n\nevent: state\ndata: {}\n\n" + event(4) + event(5))
    await withTaskGroup { tasks in
      tasks.addTask { await session.listen() }
      var numbers: [Int64] = []
      for await event in session.events {
        guard case .notification(let notification) = event else { continue }
        numbers.append(notification.number)
        #expect(notification.isUrgent && notification.shift == 3)
        if numbers.count == 2 {
          await session.acknowledge(notification)
          break
        }
      }
      #expect(numbers == [4, 5])
      tasks.cancelAll()
    }
    let paths = await server.paths
    #expect(paths[0] == "/v1/me/events?appSession=\(session.appSession)")
    #expect(paths[1] == paths[0] + "&lastEventId=4")
    // The state had changed.
    #expect(paths[2] == "/v1/me?appSession=\(session.appSession)")
    #expect(paths.contains("/v1/acknowledgements"))
  }

  @Test func `a stream that ends at once is not opened again at once`() async throws {
    let session = try session()
    await server.streamNext("retry: 0\nid: 3\n\n")
    await server.streamNext("retry: 0\n\n" + event(4))
    let began = ContinuousClock.now
    await withTaskGroup { tasks in
      tasks.addTask { await session.listen() }
      for await case .notification in session.events { break }
      tasks.cancelAll()
    }
    // Nothing written to the first one is lost, though no notification was read there.
    let paths = await server.paths
    #expect(paths[1] == paths[0] + "&lastEventId=3")
    // However long it took: without a pause it is a matter of milliseconds.
    #expect(ContinuousClock.now - began >= .milliseconds(500))
  }

  @Test func `listening ends when the token is not accepted`() async throws {
    let session = try session(FakeTokens("sg_7_1_old"))
    await session.listen()
    #expect(await server.requests.count == 1)
  }
}
