import GuardRules
import Postgres
import ShiftDomain
import TestKit
import Testing

@testable import ShiftOperations
@testable import ShiftStore

/// What is stored folded, and what the rows say, through all that can happen to a shift.
@Suite("Stored signs") struct RandomShiftsTests {
  private static let count: Int32 = 1_000

  // R: W9
  @Test("of 1,000 random shifts give the coverage of their rows, whatever came in which order")
  func likeRows() async throws {
    try await Roster.run(Self.count) { roster in
      var random = SeededRandom(seed: 10)
      var fates = (1...Self.count).map { Fate(number: $0) }
      var (misfits, reasons) = (0, Set<CoverageReason>())
      for round in 0..<3 {
        for index in fates.indices {
          try await fates[index].live(in: roster, &random)
          // Folding comes at any moment.
          if random.below(40) == 0 { try await roster.operations.foldPings() }
        }
        try await roster.operations.foldPings()
        for number in 1...Self.count {
          let exact = try await roster.exact(number)
          var folded = try await roster.folded(number)
          if folded == nil {
            // A report from before what was folded already: readers see, and it is folded anew.
            misfits += 1
            roster.operations.unfolded.note(Roster.id(number))
            try await roster.operations.foldPings()
            folded = try await roster.folded(number)
          }
          try #require(folded == exact, "round \(round), shift \(number)")
          reasons.formUnion(exact.segments.map(\.reason))
        }
      }
      // Otherwise hardly anything was tried.
      #expect(misfits > 50, "\(misfits)")
      #expect(reasons.count >= 11, "\(reasons)")
    }
  }

  // R: W9
  @Test("of random shifts have sums that are those of their rows, or none that hold")
  func sums() async throws {
    try await Roster.run(300) { roster in
      var random = SeededRandom(seed: 11)
      var fates = (1...Int32(300)).map { Fate(number: $0) }
      for index in fates.indices { try await fates[index].live(in: roster, &random) }
      // Those that no ping came to.
      try await roster.operations.foldShiftsInDoubt()
      for round in 0..<4 {
        // Nobody moves a shift on for an outage of ours: whoever reads its sums notices.
        if round == 2 { for number in Int32(100)...130 { roster.note(number) } }
        try await roster.operations.foldPings()
        while try await roster.operations.sumShifts().summed > 0 {}
        #expect(try await sumsHold(in: roster) == 300, "round \(round)")
        // Uploads to a shift that is open are folded before it ends. What else may come later:
        for index in fates.indices where random.below(3) == 0 {
          try await fates[index].change(in: roster, &random)
        }
        if round == 1 {
          try await roster.write([
            """
            INSERT INTO outage (started_at, ended_at)
            VALUES (\(Roster.start(of: 100)), \(Roster.start(of: 130) + .minutes(10)))
            """
          ])
        }
        let held = try await sumsHold(in: roster)
        #expect((150..<290).contains(held), "round \(round): \(held)")
      }
    }
  }
}

extension RandomShiftsTests {
  /// Compares the sums that readers would take for true with those of the rows, and answers how
  /// many these were.
  private func sumsHold(in roster: Roster) async throws -> Int {
    let reported = try await roster.storedSums()
    for (number, sums) in reported {
      let exact = CoverageSums(of: try await roster.exact(number).segments)
      try #require(sums == exact, "shift \(number)")
    }
    return reported.count
  }
}

/// What happens to one shift.
private struct Fate {
  let number: Int32
  var tracking: Int16 = 1
  var interruptions: Int16 = 0
  var silences: Int32 = 0
  var sequence: Int64 = 0

  init(number: Int32) {
    self.number = number
    sequence = Int64(number) * 1_000
  }

  private var start: Instant { Roster.start(of: number) }

  private func instant(_ random: inout SeededRandom) -> Instant {
    start + .milliseconds(random.below(360) * 10_000 + (random.below(4) == 0 ? 1 : 0))
  }

  mutating func live(in roster: Roster, _ random: inout SeededRandom) async throws {
    try await change(in: roster, &random)
    if random.below(4) == 0 { try await fallSilent(in: roster, &random) }
    try await upload(in: roster, &random)
  }

  mutating func change(in roster: Roster, _ random: inout SeededRandom) async throws {
    switch random.below(12) {
    case 0: try await report(in: roster, &random)
    case 1: try await rest(in: roster, &random)
    case 2: try await takeOver(in: roster, &random)
    case 3: try await correct(in: roster, &random)
    case 4: try await report(in: roster, &random)
    default: break
    }
  }

  private func upload(in roster: Roster, _ random: inout SeededRandom) async throws {
    // A clock in order, one a few minutes off, one a day behind, one in 2001.
    let skew: TimeSpan = [.zero, .zero, .minutes(9), .hours(-24), .hours(-24 * 365 * 25)][
      Int(random.below(5))]
    var pings: [PingRow] = []
    let first = instant(&random)
    for step in 0..<random.below(12) {
      pings.append(
        ping(first + .seconds(step * 100), in: number, off: skew, isFix: random.below(5) > 0))
    }
    try await roster.upload(
      pings, from: tracking, receivedAt: first + .seconds(1_200 + random.below(600)),
      ended: random.below(3) == 0 ? [number] : [])
  }

  private mutating func report(in roster: Roster, _ random: inout SeededRandom) async throws {
    sequence += 1
    let at = instant(&random)
    let states: [Authorization] = [.denied, .always, .whenInUse, .notDetermined, .always]
    let exit =
      random.below(3) == 0
      ? AppExit(.userRequested, at: at - .seconds(random.below(600))) : nil
    let report = PermissionReport(
      id: ReportID(sequence),
      state: PermissionState(
        authorization: states[Int(random.below(5))], accuracy: .full,
        services: random.below(6) == 0 ? .off : .on), effectiveAt: at,
      sequence: random.below(3) == 0 ? nil : sequence, appExit: exit)
    try await roster.write([
      insert(
        ReportRow(
          device: DeviceID(employee: Roster.employee, number: tracking), report: report,
          receivedAt: at + .seconds(random.below(900)), shift: number, trigger: nil, source: nil))
    ])
  }

  /// What the watch writes of a phone that is not heard of for a while.
  private mutating func fallSilent(in roster: Roster, _ random: inout SeededRandom) async throws {
    silences += 1
    let from = instant(&random)
    try await roster.write([
      """
      INSERT INTO incident (
        employee_id, incident_no, shift_no, opened_at, debounced_until, closed_at, closing,
        device_no, dimension, kind, origin, evidence)
      VALUES (
        7, \(number * 10 + silences), \(number), \(from), \(from),
        \(from + .seconds(1 + random.below(900))), 0, \(tracking),
        \(Int16(Dimension.contact.rawValue)), \(Int16(IncidentKind.noContact.rawValue)), 1, 1)
      """
    ])
  }

  private mutating func rest(in roster: Roster, _ random: inout SeededRandom) async throws {
    guard interruptions == 0 else { return }
    interruptions += 1
    let (from, shift) = (instant(&random), Roster.id(number))
    let to = from + .seconds(1 + random.below(600))
    // Written whole: an open one would stand in the way of those of later shifts.
    try await roster.write(
      [
        """
        INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
        VALUES (7, \(number), 1, \(from), \(to))
        """
      ] + deletePings(of: shift, from: from, to: to))
  }

  private mutating func takeOver(in roster: Roster, _ random: inout SeededRandom) async throws {
    guard tracking == 1 else { return }
    tracking = 2
    try await roster.write(
      insertTakeOver(
        TrackingSpan(device: 2, since: instant(&random)), of: Roster.id(number), on: nil,
        at: roster.now))
  }

  private mutating func correct(in roster: Roster, _ random: inout SeededRandom) async throws {
    let record = try await roster.exact(number)
    let from = start + .seconds(random.below(1_200) - 600)
    let correction = CorrectionRow(
      shift: Roster.id(number), number: Int16(sequence % 1_000) + 100 + interruptions,
      old: ShiftSpan(from: record.startedAt, to: record.endedAt),
      new: ShiftSpan(from: from, to: from + .seconds(1_800 + random.below(2_400))),
      correctedBy: "Mara", correctedAt: roster.now, reason: "asked")
    sequence += 1
    try await roster.write(
      apply(
        correction, wasEndedByManager: false, tellsEnd: true))
  }
}
