import HTTPServing
import InstallationOperations
import JSONText
import ManagerCore
import NotificationOperations
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore

/// A difference between a scenario and the service.
struct Difference: Sendable {
  var line: Int
  var text: String
}

/// Plays a scenario, line by line to its end, and notes each difference.
struct ScenarioRun {
  let scenario: Scenario
  let works: Clockwork
  private(set) var differences: [Difference] = []
  private var tokens: [Character: String] = [:]
  private var (manager, administrator) = ("", "")
  /// The last notification that a device with a closed stream read.
  private var lastRead: [Character: Int32] = [:]
  private var expected: [(line: Int, at: Instant, NotificationWords)] = []

  private init(_ scenario: Scenario, on pool: Pool) {
    self.scenario = scenario
    // Long before, so that records older than the first line have a policy and a device.
    works = Clockwork(on: pool, at: Self.start(of: scenario) - .hours(10 * 24))
  }

  private static func start(of scenario: Scenario) -> Instant {
    scenario.instant(scenario.lines[0].at)
  }

  /// The differences of a scenario, on a migrated database without rows.
  static func differences(of scenario: Scenario, on pool: Pool) async throws -> [Difference] {
    var run = ScenarioRun(scenario, on: pool)
    let works = run.works
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await works.streams.service.run() }
      defer { group.cancelAll() }
      do {
        try await run.setUp(&group)
        try await run.play(&group)
      } catch {
        run.note(scenario.line, "the run ended: \(error)")
      }
      return run.differences
    }
  }

  private mutating func note(_ line: Int, _ text: String) {
    differences.append(Difference(line: line, text: text))
  }

  // MARK: Set-up

  private mutating func setUp(_ group: inout TaskGroup<Void>) async throws {
    let operations = works.operations.manager
    guard let preset = Preset(code: scenario.preset) else { return }
    let team = try await operations.people.addTeam(
      name: "North", timeZone: scenario.zone, preset: preset)
    let employee = try await operations.people.addEmployee(EmployeeID(1), name: "Anna", team: team)
    let year = TimeSpan.hours(24 * 365)
    administrator = try await operations.installation.createAPIToken(
      name: "Olga", role: .administrator, validFor: year
    ).token
    manager = try await operations.installation.createAPIToken(
      name: "Mira", role: .manager, teams: [team: .all], validFor: year
    ).token
    if let settings = scenario.settings {
      let answer = try await send(
        .administrator, "post", "/v1/teams/\(team.rawValue)/policies", settings)
      if answer.status > 201 { note(scenario.line, "the policy is refused: \(answer.text)") }
    }
    if scenario.hasEmail {
      try await operations.people.setEmail("employee@example.com", of: employee)
    }
    if let language = scenario.contactLanguage {
      try await addContact(language, to: team)
    }
    for name in ["employee", "contact"] {
      works.post.know("\(name)@example.com", as: Recipient(employee: 1, name: name))
    }
    for device in scenario.devices { try await enrol(device, employee) }
    works.clock.now = Self.start(of: scenario) - .seconds(2)
    try await works.look(at: works.clock.now)
    for device in scenario.devices where device.hasPush { try await push(device, isOn: true) }
    for device in scenario.devices where device.isOpen {
      try await open(device.letter, line: scenario.line, &group)
    }
  }

  private func addContact(_ language: String, to team: TeamID) async throws {
    try await works.operations.notifications.addContact("contact@example.com", to: team)
    try await works.pool.transaction { (session) throws(PostgresError) in
      let type: String? = try session.run(
        """
        SELECT max(data_type) FROM information_schema.columns
        WHERE table_name = 'team_contact' AND column_name = 'language'
        """
      ).value(0, 0)
      guard let type else { return }
      let value =
        type == "text"
        ? "'\(language)'" : "\(["en", "fr", "pl", "de"].firstIndex(of: language) ?? 0)"
      try session.script("UPDATE team_contact SET language = \(value)")
    }
  }

  private mutating func enrol(_ device: DeviceSetup, _ employee: EmployeeID) async throws {
    let operations = works.operations.manager
    let code = try await operations.people.createEnrolmentCode(for: employee, validFor: .hours(1))
    let body: JSONValue = [
      "code": .string(code.code), "platform": .string(device.platform),
      "canReport": .bool(!device.isForeign),
    ]
    var headers = HTTPHeaders()
    headers["Accept-Language"] = device.language
    let request = try HTTPRequest(.post, "/v1/enrolments", headers: headers, body: body.bytes)
    let answer = Answer(try await works.answer(to: request))
    guard let token = answer.json["token"]?.text else {
      return note(scenario.line, "no token: \(answer.text)")
    }
    tokens[device.letter] = token
  }

  // MARK: Playing

  private mutating func play(_ group: inout TaskGroup<Void>) async throws {
    var downUntil: Instant?
    for step in steps {
      let at = scenario.instant(step.at)
      if let end = downUntil, end <= at {
        try await works.pass(to: end)
        try await works.look(at: end)
        downUntil = nil
      }
      try await works.pass(to: at)
      if case .outage(let until) = step.action {
        try await works.stop()
        downUntil = scenario.instant(until)
      } else if downUntil != nil, !step.isExpectation {
        note(step.number, "guardd is down")
      } else {
        try await play(step, &group)
      }
      takeFailures(step.number)
    }
    guard let last = scenario.lines.last else { return }
    try await works.pass(to: scenario.instant(last.at) + .seconds(6))
    takeFailures(last.number)
    differences +=
      NotificationCheck(scenario, works.post.sent, expected, until: scenario.instant(last.at))
      .differences
    differences.sort { $0.line < $1.line }
  }

  private mutating func takeFailures(_ line: Int) {
    for failure in works.failures.take() { note(line, "a failure inside: \(failure)") }
  }

  /// The lines in order of time, with one line for each fix.
  private var steps: [ScenarioLine] {
    var steps: [ScenarioLine] = []
    for line in scenario.lines {
      guard case .fixes(let letter, let every, let until, let members, let expects) = line.action
      else {
        steps.append(line)
        continue
      }
      let fix: JSONValue = [
        "latitude": .number(52.5), "longitude": .number(13.4), "accuracy": .integer(10),
      ]
      var ping = members ?? .object([:])
      if case .object(let object) = fix {
        for member in object.members { ping = ping.adding(member.name, member.value) }
      }
      for milliseconds in stride(
        from: line.at.milliseconds, through: until.milliseconds, by: Int(every.milliseconds))
      {
        steps.append(
          ScenarioLine(
            number: line.number, at: .milliseconds(milliseconds),
            action: .pings(letter, [ping], isBatch: false, expects: expects)))
      }
    }
    // Stable: of lines at the same time, the first one written comes first.
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private mutating func play(_ step: ScenarioLine, _ group: inout TaskGroup<Void>) async throws {
    switch step.action {
    case .request(let principal, let request, let expects):
      let body = request.isDated ? dated(request.body ?? .object([:]), principal) : request.body
      let answer = try await send(principal, request.method, request.path, body)
      judge(answer, expects, step.number)
    case .pings(let letter, let pings, let isBatch, let expects):
      try await send(pings, from: letter, isBatch: isBatch, expects, step.number)
    case .open(let letter): try await open(letter, line: step.number, &group)
    case .close(let letter):
      lastRead[letter] = try await works.streams.close(Recipient(employee: 1, name: "\(letter)"))
    case .push(let letter, let isOn):
      guard let device = scenario.devices.first(where: { $0.letter == letter }) else { return }
      try await push(device, isOn: isOn)
    case .expect(.sent(let words)): expected.append((step.number, scenario.instant(step.at), words))
    case .expect(let expectation):
      try await works.look(at: works.clock.now)
      if case .figures = expectation { try await works.rollUp() }
      let reader = Reading(scenario, works, tokens, manager)
      differences += try await reader.lacks(of: expectation).map {
        Difference(line: step.number, text: $0)
      }
    case .outage, .fixes: break
    }
  }

  private mutating func judge(_ answer: Answer, _ expects: AnswerWords?, _ line: Int) {
    guard let expects else {
      if answer.status >= 400 { note(line, "answered \(answer.status): \(answer.text)") }
      return
    }
    guard answer.status == expects.status else {
      return note(
        line, "expected status \(expects.status), found \(answer.status): \(answer.json.shortened)")
    }
    if let subset = expects.subset, let lack = answer.json.lack(of: timed(subset)) {
      note(line, "expected \(lack)")
    }
  }
}

extension ScenarioLine {
  fileprivate var isExpectation: Bool {
    if case .expect = action { true } else { false }
  }
}

// MARK: Requests

extension ScenarioRun {
  private func send(
    _ pings: [JSONValue], from letter: Character, isBatch: Bool
  ) async throws -> Answer {
    let whole = pings.map { timed($0).adding("recordedAt", .string(clock(of: letter).rfc3339)) }
    let body = isBatch ? ["pings": .array(whole)] : whole.first ?? .null
    return try await send(
      .device(letter), "post", "/v1/pings", dated(body, .device(letter)))
  }

  private mutating func send(
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
  private func dated(_ body: JSONValue, _ principal: Principal) -> JSONValue {
    guard case .device(let letter) = principal else { return body }
    return timed(body).adding("sentAt", .string(clock(of: letter).rfc3339))
  }

  /// `"@08:00:00"` and `"@A+1 08:00:00"` as instants.
  private func timed(_ body: JSONValue) -> JSONValue {
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

  private func send(
    _ principal: Principal, _ method: String, _ path: String, _ body: JSONValue?,
    _ more: HTTPHeaders = [:]
  ) async throws -> Answer {
    let request = try request(principal, method, path, body, more)
    return Answer(try await works.answer(to: request))
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
    return try HTTPRequest(
      methods[method] ?? .get, path, headers: headers, body: body.map { timed($0).bytes } ?? [])
  }

  private mutating func open(_ letter: Character, line: Int, _ group: inout TaskGroup<Void>)
    async throws
  {
    let recipient = Recipient(employee: 1, name: "\(letter)")
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

  private mutating func push(_ device: DeviceSetup, isOn: Bool) async throws {
    let recipient = Recipient(employee: 1, name: "\(device.letter)")
    let target = pushTarget(of: device, 1)
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
