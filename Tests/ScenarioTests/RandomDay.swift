import DeviceOperations
import HTTPServing
import InstallationOperations
import JSONText
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit

/// Six hours of four teams on one clock, from a seed. Five seconds after every event and every
/// deadline, all that the service says about the employee concerned is compared with itself.
struct RandomDay {
  /// The differences found.
  private(set) var differences: [String] = []
  /// How often an employee was checked.
  private(set) var checks = 0
  /// How many requests the phones sent.
  private(set) var requests = 0

  private let plan: DayPlan
  private let works: Clockwork
  private let check: DayCheck
  private var employees: [Int32: DayEmployee] = [:]
  /// The manager's token of each team.
  private var managers: [String] = []
  /// The employees to check, by time.
  private var due: [Instant: Set<Int32>] = [:]
  private var openSince: [Int32: Instant] = [:]
  private var notifications = 0
  private var sent: [Int32: [SentNotification]] = [:]

  /// 2026-03-02T06:00:00Z
  private static let start = Instant(milliseconds: 1_772_431_200_000)
  /// When the service is down, in seconds.
  private static let outage: [Int64] = [10_000, 10_120]
  private static let patience = TimeSpan.seconds(5)
  private static let count: Int32 = 40

  init(seed: UInt64, on pool: Pool) {
    plan = DayPlan(seed: seed, employees: Self.count)
    works = Clockwork(on: pool, at: Self.start - .hours(1))
    check = DayCheck(works: works, start: Instant(milliseconds: 1_772_409_600_000))
  }

  mutating func run() async throws {
    let streams = works.streams.service
    let failure: (any Error)? = await withTaskGroup(of: Void.self) { group in
      group.addTask { await streams.run() }
      defer { group.cancelAll() }
      do {
        try await hire()
        try await pass(&group)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  // MARK: Set-up

  private mutating func hire() async throws {
    let operations = works.operations
    for index in DayPlan.teams {
      let team = try await operations.people.addTeam(
        name: "Team \(index + 1)", timeZone: "Europe/Berlin",
        preset: index % 2 == 0 ? .standard : .strict)
      managers.append(
        try await operations.installation.createAPIToken(
          name: "Mira \(index)", role: .manager, teams: [team: .all], validFor: .hours(100)
        ).token)
      try await setInterval(DayPlan.interval(of: index), of: team)
      for number in 1...Self.count where DayPlan.team(of: number) == index {
        try await hire(number, into: team)
      }
    }
    works.clock.now = Self.start - .seconds(1)
    try await works.look(at: works.clock.now)
  }

  private func setInterval(_ seconds: Int64, of team: TeamID) async throws {
    let admin = try await works.operations.installation.createAPIToken(
      name: "Olga", role: .administrator, validFor: .hours(1)
    ).token
    let body: JSONValue = ["pingInterval": JSONValue(seconds)]
    _ = try await works.answer(
      to: HTTPRequest(
        .post, "/v1/teams/\(team.rawValue)/policies",
        headers: HTTPHeaders().authorized(by: admin), body: body.bytes))
  }

  private mutating func hire(_ number: Int32, into team: TeamID) async throws {
    let operations = works.operations
    _ = try await operations.people.addEmployee(
      EmployeeID(number), name: "Employee \(number)", team: team)
    let language = ["en", "fr", "pl", "de"][Int(number) % 4]
    var tokens: [String] = []
    for letter in number % 4 == 0 ? ["A", "B"] : ["A"] {
      let phone = try await TestPhone.enrolled(
        in: works, employee: number,
        NewDevice(platform: .android, language: .init(code: language)))
      tokens.append(phone.token)
      guard number % 2 == 0 else { continue }
      let setup = DeviceSetup(letter: Character(letter), platform: "android")
      let target = pushTarget(of: setup, number)
      works.post.know(target.address, as: Recipient(employee: number, name: letter))
      _ = try await works.answer(
        to: HTTPRequest(
          .put, "/v1/me/push-target", headers: HTTPHeaders().authorized(by: phone.token),
          body: target.body.bytes))
    }
    employees[number] = DayEmployee(number, language: language, tokens: tokens)
  }

  // MARK: The day

  private mutating func pass(_ group: inout TaskGroup<Void>) async throws {
    var events = plan.events[...]
    var marks = Self.outage.map { Self.start + .seconds($0) }
    let end = Self.start + .seconds(DayPlan.length + 10)
    while true {
      let isDown = marks.count == 1
      let next = events.first.map { Self.start + .seconds($0.at) }
      let target = [next, due.keys.min(), marks.first, end].compactMap(\.self).min() ?? end
      guard try await works.pass(to: target, isStopping: true) else {
        // A deadline has passed.
        try await follow(since: works.clock.now - .seconds(3))
        continue
      }
      if marks.first == target {
        marks.removeFirst()
        if !isDown { try await works.stop() } else { try await works.look(at: target) }
        try await follow(since: target - .seconds(3))
      } else if let numbers = due.removeValue(forKey: target) {
        guard !isDown else { continue }
        try await works.look(at: target)
        try await judge(numbers)
      } else if next == target {
        let seconds = (target - Self.start).seconds
        let now = events.prefix { $0.at == seconds }
        events = events.dropFirst(now.count)
        // Phones do nothing here while the service is down.
        if !isDown { try await perform(now.map { ($0.employee, $0.event) }, &group) }
      } else {
        return
      }
    }
  }

  private mutating func perform(
    _ events: [(employee: Int32, event: DayEvent)], _ group: inout TaskGroup<Void>
  ) async throws {
    for (employee, event) in events where event == .open || event == .close {
      try await turn(event, of: employee, &group)
    }
    var doing: [Int32: [DayEvent]] = [:]
    for (employee, event) in events { doing[employee, default: []].append(event) }
    let (works, now) = (self.works, works.clock.now)
    for part in Array(doing).sorted(by: { $0.key < $1.key }).chunks(of: 8) {
      let changed = try await withThrowingTaskGroup(of: DayEmployee.self) {
        tasks -> [DayEmployee] in
        for (number, events) in part {
          guard let former = employees[number] else { continue }
          tasks.addTask {
            var employee = former
            for event in events { try await employee.perform(event, with: works) }
            return employee
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      for employee in changed { employees[employee.number] = employee }
    }
    try await works.deliverWhatIsDue()
    for (number, events) in doing where events.contains(where: \.isNews) {
      due[now + Self.patience, default: []].insert(number)
    }
    requests += events.count
  }

  private mutating func turn(
    _ event: DayEvent, of number: Int32, _ group: inout TaskGroup<Void>
  ) async throws {
    let recipient = Recipient(employee: number, name: "A")
    guard event == .open else {
      _ = try await works.streams.close(recipient)
      openSince[number] = nil
      return
    }
    guard openSince[number] == nil, let employee = employees[number] else { return }
    var headers = HTTPHeaders()
    headers["Authorization"] = "Bearer \(employee.tokens[0])"
    headers["Accept-Language"] = employee.language
    let response = await works.router.respond(
      to: try HTTPRequest(.get, "/v1/me/events", headers: headers))
    guard case .stream(let stream) = response.body else {
      return differences.append("no stream for employee \(number): \(response.status)")
    }
    try await works.streams.listen(to: stream, as: recipient, in: &group)
    try await works.streams.waitUntilRead()
    openSince[number] = works.clock.now
  }

  // MARK: Checks

  /// Employees whom a deadline concerned are checked five seconds later.
  private mutating func follow(since: Instant) async throws {
    let sent = works.post.sent
    var concerned = Set(sent.dropFirst(notifications).map(\.employee))
    concerned.formUnion(
      try await works.pool.read { (session) throws(PostgresError) in
        let rows = try session.run(
          """
          SELECT DISTINCT employee_id FROM incident
          WHERE opened_at >= \(since) OR closed_at >= \(since)
          """)
        var found: [Int32] = []
        for row in 0..<rows.count { found.append(try rows.value(row, 0)) }
        return found
      })
    concerned.remove(0)
    if !concerned.isEmpty {
      due[works.clock.now + Self.patience, default: []].formUnion(concerned)
    }
    take(sent)
  }

  private mutating func take(_ all: [SentNotification]) {
    for message in all.dropFirst(notifications) {
      sent[message.employee, default: []].append(message)
    }
    notifications = all.count
  }

  private mutating func judge(_ numbers: Set<Int32>) async throws {
    take(works.post.sent)
    let sorted = numbers.sorted()
    var boards: [Int: [Int32: JSONValue]] = [:]
    for team in Set(sorted.map(DayPlan.team)) {
      boards[team] = try await check.board(by: managers[team])
    }
    for part in sorted.chunks(of: 4) {
      differences += try await withThrowingTaskGroup(of: [String].self) {
        [check] tasks -> [String] in
        for number in part {
          guard let employee = employees[number] else { continue }
          let team = DayPlan.team(of: number)
          let (line, manager) = (boards[team]?[number], managers[team])
          let (since, sent) = (openSince[number], sent[number] ?? [])
          tasks.addTask {
            try await check.differences(
              of: employee, on: line, manager: manager, openSince: since, sent: sent)
          }
        }
        return try await tasks.reduce(into: []) { $0 += $1 }
      }
    }
    checks += sorted.count
    differences += works.failures.take()
  }

  /// The answers to phones that the rules do not have.
  var complaints: [String] { employees.values.flatMap(\.complaints) }
}

extension Array {
  /// The elements in slices of `count`.
  func chunks(of count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map {
      self[$0..<Swift.min($0 + count, self.count)]
    }
  }
}
