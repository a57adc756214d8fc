import HTTPServing
import JSONText
import ShiftDomain

extension ScenarioPlayer {
  private func send(
    _ pings: [JSONValue], from letter: Character, isBatch: Bool
  ) async throws -> Answer {
    let whole = pings.map { timed($0).adding("recordedAt", .string(clock(of: letter).rfc3339)) }
    let body = isBatch ? ["pings": .array(whole)] : whole.first ?? .null
    return try await send(
      .device(letter), "post", "/v1/pings", dated(body, .device(letter)))
  }

  mutating func send(
    _ pings: [JSONValue], from letter: Character, isBatch: Bool, _ expects: PingExpectation,
    _ line: Int
  ) async throws {
    let answer = try await send(pings, from: letter, isBatch: isBatch)
    switch expects {
    case .answer(let words): judge(answer, words, line)
    case .results(let wanted):
      guard answer.status == 200 else {
        return judge(answer, AnswerWords(status: 200), line)
      }
      let results = (answer.json["results"] ?? .null).array.map { result in
        [result["status"], result["reason"], result["pointer"]].compactMap { $0?.text }
          .joined(separator: " ")
      }
      guard let wanted else { return }
      let isMet =
        wanted.count == results.count
        && zip(wanted, results).allSatisfy { $0 == $1 || $1.hasPrefix("\($0) ") }
      if !isMet {
        note(
          line,
          "\(timeWords(works.clock.now - scenario.day)) expected "
            + "\(wanted.joined(separator: ", ")), found \(results.joined(separator: ", "))")
      }
    }
  }

  /// The present time on a device's clock.
  private func clock(of letter: Character) -> Instant {
    works.clock.now + (scenario.devices.first { $0.letter == letter }?.skew ?? .zero)
  }

  /// The body with the device's clock, and with `@` words as instants.
  func dated(_ body: JSONValue, _ principal: Principal) -> JSONValue {
    guard case .device(let letter) = principal else { return body }
    return timed(body).adding("sentAt", .string(clock(of: letter).rfc3339))
  }

  /// `"@08:00:00"` and `"@A+1 08:00:00"` as instants.
  func timed(_ body: JSONValue) -> JSONValue {
    body.replacing { text in
      guard text.first == "@" else { return nil }
      var rest = text.dropFirst()
      var skew = TimeSpan.zero
      if let letter = rest.first, letter.isUppercase {
        skew = scenario.devices.first { $0.letter == letter }?.skew ?? .zero
        rest = rest.dropFirst()
      }
      var scanner = LineScanner(rest, file: scenario.file, line: scenario.line)
      guard let time = try? scanner.time() else { return nil }
      return (scenario.instant(time) + skew).rfc3339
    }
  }

  func send(
    _ principal: Principal, _ method: String, _ path: String, _ body: JSONValue?,
    _ more: HTTPHeaders = [:]
  ) async throws -> Answer {
    let request = try request(principal, method, path, body, more)
    return Answer(await works.take(request))
  }

  private func request(
    _ principal: Principal, _ method: String, _ path: String, _ body: JSONValue?,
    _ more: HTTPHeaders = [:]
  ) throws -> HTTPRequest {
    let methods: [String: HTTPMethod] = [
      "get": .get, "post": .post, "put": .put, "delete": .delete, "patch": .patch,
    ]
    var headers = more
    let token =
      switch principal {
      case .device(let letter): tokens[letter] ?? ""
      case .manager: manager
      case .administrator: administrator
      }
    headers["Authorization"] = "Bearer \(token)"
    if case .device(let letter) = principal {
      headers["Accept-Language"] = scenario.devices.first { $0.letter == letter }?.language
    }
    let first = "/v1/employees/1/"
    let own =
      path.hasPrefix(first) ? "/v1/employees/\(employee)/\(path.dropFirst(first.count))" : path
    return try HTTPRequest(
      methods[method] ?? .get, own, headers: headers, body: body.map { timed($0).bytes } ?? [])
  }

  mutating func open(_ letter: Character, line: Int, _ group: inout TaskGroup<Void>)
    async throws
  {
    let recipient = recipient("\(letter)")
    guard works.streams.last(of: recipient) == nil else { return }
    var headers = HTTPHeaders()
    headers["Last-Event-ID"] = lastRead[letter].map { "\($0)" }
    let response = await works.router.respond(
      to: try request(.device(letter), "get", "/v1/me/events", nil, headers))
    guard case .stream(let stream) = response.body else {
      return note(line, "the stream does not open: \(Answer(response).text)")
    }
    try await works.streams.listen(to: stream, as: recipient, in: &group)
    try await works.streams.waitUntilRead()
    try await works.deliverWhatIsDue()
  }

  mutating func push(_ device: DeviceSetup, isOn: Bool) async throws {
    let recipient = recipient("\(device.letter)")
    let target = pushTarget(of: device, employee)
    works.post.know(target.address, as: recipient)
    let answer = try await send(
      .device(device.letter), isOn ? "put" : "delete", "/v1/me/push-target",
      isOn ? target.body : nil)
    if answer.status >= 300 { note(scenario.line, "the push target is refused: \(answer.text)") }
  }
}

/// The address of a device's pushes, and the request body that sets it.
func pushTarget(of device: DeviceSetup, _ employee: Int32) -> (address: String, body: JSONValue) {
  let name = "\(employee)-\(device.letter)"
  switch device.platform {
  case "ios":
    let token = name.utf8.map { String($0, radix: 16) }.joined()
    return (token, ["channel": "apns", "token": .string(token)])
  case "web":
    // Any 65 and 16 bytes; nothing is encrypted here.
    let key = "B" + String(repeating: "A", count: 86)
    return (
      "https://push.example.com/\(name)",
      [
        "channel": "web_push", "endpoint": .string("https://push.example.com/\(name)"),
        "p256dh": .string(key), "auth": .string(String(repeating: "A", count: 22)),
      ]
    )
  default: return (name, ["channel": "fcm", "token": .string(name)])
  }
}
