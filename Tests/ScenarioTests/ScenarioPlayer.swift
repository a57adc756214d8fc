import HTTPServing
import InstallationOperations
import JSONText
import ManagerCore
import NotificationOperations
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A difference between a scenario and the service.
struct Difference: Sendable {
  var line: Int
  var text: String
}

/// Plays the lines of a scenario for one employee and notes each difference. Letting time pass
/// and delivering what is due are left to its user.
struct ScenarioPlayer: Sendable {
  let scenario: Scenario
  let works: Clockwork
  /// The employee's number; scenarios call it 1.
  let employee: Int32
  private(set) var differences: [Difference] = []
  /// The notifications that lines expect.
  private(set) var expected: [(line: Int, at: Instant, NotificationWords)] = []
  /// What the lines so far say is true.
  private(set) var truth = Truth()
  private(set) var tokens: [Character: String] = [:]
  let administrator: String
  /// The token of the manager of the employee's team.
  private(set) var manager = ""
  /// The last notification that a device with a closed stream read.
  private(set) var lastRead: [Character: Int32] = [:]

  init(
    _ scenario: Scenario, as employee: Int32 = 1, in works: Clockwork, administrator: String
  ) {
    (self.scenario, self.works, self.employee) = (scenario, works, employee)
    self.administrator = administrator
  }

  mutating func note(_ line: Int, _ text: String) {
    differences.append(Difference(line: line, text: text))
  }

  // MARK: Set-up

  /// Adds the scenario's team, with its policy and contact.
  mutating func addTeam() async throws -> TeamID {
    let preset = Preset(code: scenario.preset) ?? .standard
    let team = try await works.operations.people.addTeam(
      name: "Team \(employee)", timeZone: scenario.zone, preset: preset)
    if let settings = scenario.settings {
      let answer = try await send(
        .administrator, "post", "/v1/teams/\(team.rawValue)/policies", settings)
      if answer.status > 201 { note(scenario.line, "the policy is refused: \(answer.text)") }
    }
    if let language = scenario.contactLanguage {
      let address = address(of: "contact")
      try await works.operations.notifications.addContact(address, to: team)
      try await works.pool.transaction { (session) throws(PostgresError) in
        try session.execute(
          "UPDATE team_contact SET language = \(language) WHERE address = \(address)")
      }
    }
    return team
  }

  /// Adds the employee with their devices.
  mutating func hire(into team: TeamID, by manager: String) async throws {
    self.manager = manager
    let people = works.operations.people
    let number = try await people.addEmployee(
      EmployeeID(employee), name: "Employee \(employee)", team: team)
    if scenario.hasEmail { try await people.setEmail(address(of: "employee"), of: number) }
    for name in ["employee", "contact"] {
      works.post.know(address(of: name), as: recipient(name))
    }
    for device in scenario.devices { try await enrol(device, number) }
  }

  /// Sets the addresses of pushes and opens the apps.
  mutating func connect(_ group: inout TaskGroup<Void>) async throws {
    for device in scenario.devices where device.hasPush { try await push(device, isOn: true) }
    for device in scenario.devices where device.isOpen {
      try await open(device.letter, line: scenario.line, &group)
    }
  }

  private func address(of name: String) -> String { "\(name)-\(employee)@example.com" }

  func recipient(_ name: String) -> Recipient { Recipient(employee: employee, name: name) }

  private mutating func enrol(_ device: DeviceSetup, _ employee: EmployeeID) async throws {
    let code = try await works.operations.people.createEnrolmentCode(
      for: employee, validFor: .hours(1))
    let body: JSONValue = [
      "code": .string(code.code), "platform": .string(device.platform),
      "canReport": .bool(!device.isForeign),
    ]
    var headers = HTTPHeaders()
    headers["Accept-Language"] = device.language
    let request = try HTTPRequest(.post, "/v1/enrolments", headers: headers, body: body.bytes)
    let answer = Answer(await works.take(request))
    guard let token = answer.json["token"]?.text else {
      return note(scenario.line, "no token: \(answer.text)")
    }
    tokens[device.letter] = token
  }

  /// Compares the sent notifications with those that lines expect.
  mutating func judgeNotifications() {
    guard let last = scenario.lines.last else { return }
    let sent = works.post.sent.filter { $0.employee == employee }
    differences +=
      NotificationCheck(scenario, sent, expected, until: scenario.instant(last.at)).differences
  }

  // MARK: Playing

  /// Plays a line. What it makes due is not delivered yet.
  mutating func play(_ step: ScenarioLine, _ group: inout TaskGroup<Void>) async throws {
    if case .open(let letter) = step.action {
      return try await open(letter, line: step.number, &group)
    }
    try await play(step)
  }

  /// Plays a line that opens no app.
  mutating func play(_ step: ScenarioLine) async throws {
    switch step.action {
    case .request(let principal, let request, let expects):
      let body = request.isDated ? dated(request.body ?? .object([:]), principal) : request.body
      let answer = try await send(principal, request.method, request.path, body)
      judge(answer, expects, step.number)
    case .pings(let letter, let pings, let isBatch, let expects):
      try await send(pings, from: letter, isBatch: isBatch, expects, step.number)
    case .close(let letter):
      lastRead[letter] = try await works.streams.close(recipient("\(letter)"))
    case .push(let letter, let isOn):
      guard let device = scenario.devices.first(where: { $0.letter == letter }) else { return }
      try await push(device, isOn: isOn)
    case .expect(.sent(let words)): expected.append((step.number, scenario.instant(step.at), words))
    case .expect(.holds(let statements)): for statement in statements { truth.take(statement) }
    case .expect(let expectation):
      if case .figures = expectation { try await works.rollUp() }
      differences += try await reading.lacks(of: expectation).map {
        Difference(line: step.number, text: $0)
      }
    case .open, .outage, .fixes: break
    }
  }

  /// What the answers say of the employee.
  var reading: Reading { Reading(scenario, works, employee, tokens, manager) }

  mutating func judge(_ answer: Answer, _ expects: AnswerWords?, _ line: Int) {
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
  var isExpectation: Bool {
    if case .expect = action { true } else { false }
  }

  /// Whether it is noted for later comparison and asks nothing.
  var isStatement: Bool {
    switch action {
    case .expect(.sent), .expect(.holds): true
    default: false
    }
  }
}

extension Clockwork {
  /// An API token, which is valid for all of the scenario.
  func token(of role: AccessRole, in teams: [TeamID] = []) async throws -> String {
    try await operations.installation.createAPIToken(
      name: "\(role)", role: role,
      teams: Dictionary(uniqueKeysWithValues: teams.map { ($0, .all) }),
      validFor: .hours(24 * 365)
    ).token
  }
}
