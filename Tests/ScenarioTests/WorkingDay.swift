import Postgres
import ShiftDomain
import ShiftTestKit

/// A working day of 200 phones by a script: each plays a part of `WorkingDay`, all of them on one
/// clock. In every minute the service's answers are compared with what the script says is true.
struct WorkingDay {
  /// A phone's part.
  private struct Phone {
    var player: ScenarioPlayer
    /// The lines to come, the next one last.
    var steps: [ScenarioLine]
    let end: Instant
    /// What was true when the answers were last compared.
    var known: Truth?

    func isDue(at instant: Instant) -> Bool {
      steps.last.map { player.scenario.instant($0.at) <= instant } ?? false
    }

    func isPlaying(at instant: Instant) -> Bool {
      player.scenario.start <= instant && instant < end + .minutes(1)
    }
  }

  /// The differences, each with the number of times that it was found.
  private(set) var differences: [String: Int] = [:]
  /// How many values were compared with the script.
  private(set) var comparisons = 0
  var phoneCount: Int { phones.count }

  private let script: DayScript
  private let works: Clockwork
  private var phones: [Phone] = []
  private var check: WorkingDayCheck

  /// 2026-03-02T06:00:00Z
  private static let start = Instant(milliseconds: 1_772_431_200_000)
  /// When in each minute the answers are compared.
  private static let second = TimeSpan.seconds(45)
  /// If nothing new is true of a phone, everything is asked only once in this many minutes, and the
  /// board in every minute.
  private static let sample = 16

  init(_ script: DayScript, on pool: Pool) {
    works = Clockwork(on: pool, at: Self.start - .hours(1))
    check = WorkingDayCheck(works: works, manager: "")
    self.script = script
  }

  mutating func run() async throws {
    let streams = works.streams.service
    let failure: (any Error)? = await withTaskGroup(of: Void.self) { group in
      group.addTask { await streams.run() }
      defer { group.cancelAll() }
      do {
        try await cast(&group)
        try await pass()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  // MARK: Set-up

  /// Parts under the same policy share a team, unless its contact is notified.
  private struct TeamKind: Hashable {
    var preset: String
    var employee: Int32?
  }

  private mutating func cast(_ group: inout TaskGroup<Void>) async throws {
    let administrator = try await works.token(of: .administrator)
    var players: [ScenarioPlayer] = []
    func add(_ part: Scenario, at begin: Instant) {
      var part = part
      part.day = begin
      players.append(
        ScenarioPlayer(
          part, as: Int32(players.count + 1), in: works, administrator: administrator))
    }
    // Five phones play each part, and all of them begin within 20 minutes.
    for turn in 0..<5 {
      for (index, part) in script.parts.enumerated() {
        add(part, at: Self.start + .minutes(Int64(7 * turn + index) % 20))
      }
    }
    let evening = (players.map(\.scenario.end).max() ?? Self.start) + .minutes(5)
    // All phones of the outage are in it at the same time.
    for _ in 0..<7 { for part in script.outage { add(part, at: evening) } }
    try await hire(&players)
    works.clock.now = Self.start - .seconds(2)
    try await works.look(at: works.clock.now)
    for index in players.indices { try await players[index].connect(&group) }
    phones = players.map { player in
      Phone(player: player, steps: player.scenario.steps.reversed(), end: player.scenario.end)
    }
  }

  private mutating func hire(_ players: inout [ScenarioPlayer]) async throws {
    var teams: [TeamKind: TeamID] = [:]
    func kind(_ player: ScenarioPlayer) -> TeamKind {
      TeamKind(
        preset: player.scenario.preset,
        employee: player.scenario.contactLanguage == nil ? nil : player.employee)
    }
    for index in players.indices where teams[kind(players[index])] == nil {
      teams[kind(players[index])] = try await players[index].addTeam()
    }
    check.manager = try await works.token(of: .manager, in: Array(teams.values))
    for index in players.indices {
      guard let team = teams[kind(players[index])] else { continue }
      try await players[index].hire(into: team, by: check.manager)
    }
  }

  // MARK: The day

  private mutating func pass() async throws {
    var downUntil: Instant?
    for instant in instants {
      if let up = downUntil, up <= instant {
        try await works.pass(to: up)
        try await works.look(at: up)
        downUntil = nil
      }
      try await works.pass(to: instant)
      try await play(at: instant)
      downUntil = try await outage(at: instant) ?? downUntil
      guard Self.isLook(instant), downUntil == nil else { continue }
      try await works.look(at: instant)
      try await compare(at: instant)
    }
    for index in phones.indices {
      phones[index].player.judgeNotifications()
      let part = phones[index].player.scenario
      for difference in phones[index].player.differences {
        note("\(part.file):\(difference.line) `\(part.title)`: \(difference.text)")
      }
      comparisons += phones[index].player.expected.count
    }
  }

  /// When a phone does something or the answers are compared, in order.
  private var instants: [Instant] {
    var instants: Set<Instant> = []
    for phone in phones {
      for step in phone.steps where !step.isStatement {
        instants.insert(phone.player.scenario.instant(step.at))
      }
    }
    let end = phones.map(\.end).max() ?? Self.start
    for minute in 0...(end - Self.start).milliseconds / 60_000 {
      instants.insert(Self.start + .minutes(minute) + Self.second)
    }
    return instants.sorted()
  }

  private static func isLook(_ instant: Instant) -> Bool {
    (instant - start).milliseconds % 60_000 == second.milliseconds
  }

  /// The end of the outage that begins now; `nil` if none does.
  private func outage(at instant: Instant) async throws -> Instant? {
    for phone in phones {
      for line in phone.player.scenario.lines {
        guard case .outage(let until) = line.action,
          phone.player.scenario.instant(line.at) == instant
        else { continue }
        try await works.stop()
        return phone.player.scenario.instant(until)
      }
    }
    return nil
  }

  /// Plays all lines up to now, several phones at a time.
  private mutating func play(at instant: Instant) async throws {
    let due = phones.indices.filter { phones[$0].isDue(at: instant) }
    for part in due.chunks(of: 8) {
      let played = try await withThrowingTaskGroup(of: (Int, Phone).self) { group in
        for index in part {
          let phone = phones[index]
          group.addTask {
            var phone = phone
            while phone.isDue(at: instant), let step = phone.steps.popLast() {
              try await phone.player.play(step)
            }
            return (index, phone)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (index, phone) in played { phones[index] = phone }
    }
    if !due.isEmpty { try await works.deliverWhatIsDue() }
  }

  private mutating func compare(at instant: Instant) async throws {
    let lines = try await check.board()
    for part in phones.indices.filter({ phones[$0].isPlaying(at: instant) }).chunks(of: 4) {
      let minute = Int((instant - Self.start).milliseconds / 60_000)
      let found = try await withThrowingTaskGroup(of: WorkingDayCheck.Found.self) {
        [check] group -> [WorkingDayCheck.Found] in
        for index in part {
          let player = phones[index].player
          let isNew = phones[index].known != player.truth
          group.addTask {
            try await check.differences(
              of: player, on: lines[player.employee],
              isFull: isNew || (index + minute) % Self.sample == 0)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for index in part { phones[index].known = phones[index].player.truth }
      found.flatMap(\.differences).forEach { note($0) }
      comparisons += found.reduce(0) { $0 + $1.count }
    }
    works.failures.take().forEach { note("a failure inside: \($0)") }
  }

  private mutating func note(_ difference: String) { differences[difference, default: 0] += 1 }
}
