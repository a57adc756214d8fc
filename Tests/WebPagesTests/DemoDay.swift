import BackgroundOperations
import Cryptography
import DeviceOperations
import InstallationOperations
import Lifecycle
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import WebPages

/// A Friday of three teams on the coast, played through the use cases that phones call, until 11:42
/// in Zagreb.
final class DemoDay: MovableWorld {
  /// 2026-11-20T05:00:00Z, six in the morning in Zagreb.
  static let six = Instant(milliseconds: 1_795_150_800_000)
  /// Minutes from six until the time at which the pages are opened.
  static let end: Int64 = 342

  let operations: TestOperations
  let clock = MovableClock(at: DemoDay.six)
  let teams: [TeamID]
  /// The managers who opened a track, with their purposes.
  let opened = Lock<[String]>([])
  private let demoEmployees = Lock<[DemoEmployee]>([])
  private let phones = Lock<[Int32: TestPhone]>([:])

  /// What an employee does; minutes count from six.
  enum DemoStep: Sendable {
    case says(Int64, Authorization, Switch = .on, LocationAccuracy = .full)
    case clocksIn(Int64, Authorization = .always)
    case walks(Int64, Int64)
    /// Like `walks`, with just enough positions to keep the phone from falling silent.
    case sparselyWalks(Int64, Int64)
    case pauses(Int64)
    case resumes(Int64)
    case clocksOut(Int64)

    var minute: Int64 {
      switch self {
      case .says(let minute, _, _, _), .clocksIn(let minute, _), .walks(_, let minute),
        .sparselyWalks(_, let minute),
        .pauses(let minute), .resumes(let minute), .clocksOut(let minute):
        minute
      }
    }
  }

  struct DemoEmployee: Sendable {
    var number: Int32
    var name: String
    var team: Int
    var steps: [DemoStep]
    var model: String?
  }

  /// Runs `body` with the day as it is at 11:42.
  static func run(
    _ demoEmployees: [DemoEmployee] = demoTeams, _ body: (DemoDay) async throws -> Void
  ) async throws {
    try await withDatabase(size: 6) { pool in
      let day = try await DemoDay(pool)
      try await day.live(demoEmployees)
      try await body(day)
    }
  }

  private init(_ pool: Pool) async throws {
    operations = TestOperations(
      pool: pool, clock: clock,
      passwords: PasswordWork(cost: ScryptCost(logN: 4, blockSize: 8, rounds: 1)))
    var teams: [TeamID] = []
    for name in ["Coast", "Harbour", "Hills"] {
      teams.append(try await operations.people.addTeam(name: name, timeZone: "Europe/Zagreb"))
    }
    self.teams = teams
  }

  func live(_ demoEmployees: [DemoEmployee]) async throws {
    self.demoEmployees.withLock { $0 += demoEmployees }
    clock.now = Self.six - .hours(8 * 24)
    for demo in demoEmployees {
      _ = try await operations.people.addEmployee(
        EmployeeID(demo.number), name: demo.name, team: teams[demo.team])
      guard !demo.steps.isEmpty else { continue }
      let isApple = demo.number % 2 == 0
      let phone = try await TestPhone.enrolled(
        in: self, employee: demo.number,
        NewDevice(
          platform: isApple ? .ios : .android, osVersion: isApple ? "26.1" : "16",
          model: demo.model ?? (isApple ? "iPhone 17" : "Pixel 10")))
      phones.withLock { $0[demo.number] = phone }
    }
    let steps = demoEmployees.flatMap { demo in demo.steps.map { (demo.number, $0) } }
    for (number, step) in steps.sorted(by: { $0.1.minute < $1.1.minute }) {
      clock.now = Self.six + .minutes(step.minute)
      try await perform(step, number)
    }
    clock.now = Self.six + .minutes(Self.end) - .seconds(2)
    try await operations.background.beat(as: 1)
    clock.now = Self.six + .minutes(Self.end)
    try await operations.background.beat(as: 1)
    let silent = try await operations.background.silent(limit: 100)
    _ = try await operations.background.processSilence(of: silent.map(\.employee))
  }

  func perform(_ step: DemoStep, _ number: Int32) async throws {
    guard let phone = phones.withLock({ $0[number] }) else { return }
    let id = "action \(step.minute)"
    switch step {
    case .says(_, let authorization, let services, let accuracy):
      try await phone.report(
        authorization, services: services, accuracy: accuracy, sentAt: now)
    case .clocksIn(_, let authorization): try await phone.clockIn(id, reporting: authorization)
    // On earlier days, every other minute is enough.
    case .walks(let from, let to):
      try await walk(from, to, by: from < 0 ? 2 : 1, phone)
    case .sparselyWalks(let from, let to): try await walk(from, to, by: 3, phone)
    case .pauses: try await phone.startBreak(id)
    case .resumes: try await phone.endBreak(id)
    case .clocksOut: try await phone.clockOut(id)
    }
  }

  private func walk(_ from: Int64, _ to: Int64, by step: Int64, _ phone: TestPhone) async throws {
    let pings = stride(from: from, to: to, by: Int64.Stride(step)).map { minute in
      IncomingPing(
        recordedAt: Self.six + .minutes(minute),
        fix: Self.fix(of: phone.device.employee.rawValue, at: minute))
    }
    _ = try await phone.ping(pings, sentAt: now)
  }

  /// Objects to the times of an employee's first shift.
  func object(_ reason: String, _ number: Int32) async throws {
    guard let phone = phones.withLock({ $0[number] }) else { return }
    let device = operations.device
    let times = try await device.ownTimes(of: [1], for: phone.credential)
    _ = try await device.objectToTimes(
      ofShift: 1, seen: times.first?.revision ?? "", because: reason, from: phone.credential,
      receipt: receipt)
  }

  /// Adds an employee's note to the last quarter of an hour.
  func note(_ text: String, _ number: Int32) async throws {
    guard let phone = phones.withLock({ $0[number] }) else { return }
    _ = try await operations.device.note(
      text, from: now - .minutes(15), to: now, on: 1, from: phone.credential, receipt: receipt)
  }

  /// The notifications that wait for the employee are pushed.
  func markSent(_ number: Int32) async throws {
    try await write(
      """
      INSERT INTO delivery_attempt (
        employee_id, topic, subject, ordinal, attempt_no, step, recipient, kind, started_at)
      SELECT employee_id, topic, subject, ordinal, 1, \(EscalationStep.push.column), 1, kind, due_at
      FROM notification WHERE employee_id = \(number)
      """)
  }

  /// The employee's phone. Only for those who have one.
  func phone(_ number: Int32) throws -> TestPhone {
    guard let phone = phones.withLock({ $0[number] }) else {
      throw TestDatabaseError("employee \(number) has no phone")
    }
    return phone
  }

  /// A site of the first team, in the middle of where its employees walk.
  func addDepot() async throws {
    guard let center = Coordinate(latitude: 45.21, longitude: 13.63) else { return }
    _ = try await operations.people.addSite(
      name: "Depot", center: center, radiusMeters: 300, to: teams[0], by: PageServer.principal
    ).get()
  }

  /// The positions that the employee's phone sent.
  func walked(by number: Int32) -> [TrackPoint] {
    let steps = demoEmployees.withLock { $0.first { $0.number == number }?.steps ?? [] }
    return steps.flatMap { step -> [TrackPoint] in
      guard case .walks(let from, let to) = step else { return [] }
      return (from..<to).compactMap { minute in
        Self.fix(of: number, at: minute).map { fix in
          TrackPoint(
            at: Self.six + .minutes(minute), place: fix.coordinate, accuracy: fix.accuracyMeters)
        }
      }
    }
  }

  /// A round along the coast of Istria, slightly different for each employee.
  private static func fix(of number: Int32, at minute: Int64) -> Fix? {
    let angle = Double(minute) / 40 + Double(number)
    let wobble = Double((minute * 37 + Int64(number) * 11) % 17) / 90_000
    return Coordinate(
      latitude: 45.21 + 0.012 * sine(angle) * sine(angle * 0.31) + wobble,
      longitude: 13.62 + 0.016 * sine(angle * 0.7 + 1) + 0.003 * Double(number % 7) + wobble / 2
    ).map { Fix(coordinate: $0, accuracyMeters: 8) }
  }

  /// Almost a sine, made of parabolas, which saves a library.
  private static func sine(_ angle: Double) -> Double {
    let turn = (angle / 6.283).truncatingRemainder(dividingBy: 1)
    return turn < 0.5 ? 16 * turn * (0.5 - turn) : -16 * (turn - 0.5) * (1 - turn)
  }
}

extension DemoDay {
  /// The same teams with the four days before, on which several things went wrong. Today's shift is
  /// the fifth of each employee.
  static let week: [DemoEmployee] = demoTeams.map { demo in
    var demo = demo
    guard demo.steps.count > 1 else { return demo }
    let number = Int64(demo.number)
    for day in Int64(1)...4 {
      let start = -1_440 * day + 55 + (7 * number + 13 * day) % 40
      let end = start + 400 + (11 * number + 5 * day) % 90
      let trouble = start + 120 + (17 * number) % 100
      demo.steps.append(.clocksIn(start, number % 6 == day ? .whenInUse : .always))
      switch (number + day) % 5 {
      case 0:
        demo.steps += [
          .walks(start, trouble), .says(trouble, .denied), .says(trouble + 8 + number, .always),
          .walks(trouble + 10 + number, end),
        ]
      case 1: demo.steps += [.walks(start, trouble), .walks(trouble + 12 + day, end)]
      case 2:
        demo.steps += [
          .walks(start, trouble), .pauses(trouble), .resumes(trouble + 30),
          .walks(trouble + 30, end),
        ]
      default: demo.steps.append(.walks(start, end))
      }
      demo.steps.append(.clocksOut(end))
    }
    return demo
  }

  /// Employees who are not there at six in the morning come later, or not at all.
  static let demoTeams: [DemoEmployee] = [
    DemoEmployee(number: 1, name: "Luka Babić", team: 0, steps: [.clocksIn(58), .walks(58, 342)]),
    DemoEmployee(
      number: 2, name: "Marta Kovač", team: 0,
      steps: [.clocksIn(62), .walks(62, 240), .pauses(240), .resumes(270), .walks(270, 342)]),
    DemoEmployee(
      number: 7, name: "Ana Horvat", team: 0,
      steps: [.clocksIn(65), .walks(65, 301), .says(301, .denied), .walks(301, 302)]),
    DemoEmployee(
      number: 8, name: "Ivo Šimunić", team: 0,
      steps: [.clocksIn(70, .whenInUse), .walks(70, 180), .walks(214, 342)]),
    DemoEmployee(number: 9, name: "Petra Novak", team: 0, steps: [.clocksIn(61), .walks(61, 290)]),
    DemoEmployee(number: 11, name: "Tomislav Jurić", team: 0, steps: [.clocksIn(321, .denied)]),
    DemoEmployee(
      number: 12, name: "Nika Vuković", team: 0,
      steps: [.clocksIn(0), .walks(0, 250), .clocksOut(251)]),
    DemoEmployee(number: 13, name: "Josip Radić", team: 0, steps: []),
    DemoEmployee(
      number: 14, name: "Maja Kralj", team: 1,
      steps: [
        .clocksIn(55), .walks(55, 120), .says(120, .always, .off), .says(139, .always, .on),
        .walks(140, 342),
      ]),
    DemoEmployee(
      number: 15, name: "Dario Fabris", team: 1,
      steps: [.clocksIn(57), .walks(57, 300), .pauses(318)]),
    DemoEmployee(
      number: 16, name: "Elena Benussi", team: 1,
      steps: [
        .clocksIn(90), .walks(90, 331), .says(331, .always, .on, .reduced), .walks(331, 342),
      ]),
    DemoEmployee(
      number: 17, name: "Marko Perković", team: 1, steps: [.clocksIn(59), .walks(59, 342)]),
    DemoEmployee(
      number: 18, name: "Sara Zanetti-Degrassi", team: 1,
      steps: [.clocksIn(64), .walks(64, 200), .walks(226, 342)]),
    DemoEmployee(
      number: 19, name: "Filip Matić", team: 1, steps: [.clocksIn(180), .walks(180, 342)]),
    DemoEmployee(number: 20, name: "Iva Blažević", team: 1, steps: []),
    DemoEmployee(
      number: 21, name: "Goran Štefanac", team: 2,
      steps: [.clocksIn(40), .walks(40, 342)]),
    DemoEmployee(
      number: 22, name: "Lucija Grgić", team: 2,
      steps: [
        .clocksIn(45), .walks(45, 210), .says(210, .whenInUse), .walks(210, 341),
        .says(341, .denied),
      ]),
    DemoEmployee(
      number: 23, name: "Ante Rukavina", team: 2,
      steps: [
        .clocksIn(300, .notDetermined), .says(309, .always), .clocksIn(310), .walks(310, 342),
      ]
    ),
    DemoEmployee(
      number: 24, name: "Zoran Pavlović", team: 2, steps: [.clocksIn(52), .walks(52, 342)]),
    DemoEmployee(
      number: 25, name: "Klara Ferenčić", team: 2,
      steps: [.clocksIn(30), .walks(30, 150), .pauses(150), .resumes(165), .walks(165, 342)]),
  ]
}
