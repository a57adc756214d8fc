import BackgroundOperations
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

@testable import ShiftStore

/// Compares stored rollups with the rows, through everything that can happen to a shift.
@Suite("Stored rollups") struct RandomShiftsTests {
  private static let count: Int32 = 1_000

  // R: W9
  @Test(
    "of 1,000 random shifts give the coverage of their rows, in any order of arrival",
    .disabled(if: isUnderThreadSanitizer))
  func likeRows() async throws {
    try await RollupWorld.run(Self.count) { world in
      var random = SeededRandom(seed: 10)
      var lives = (1...Self.count).map { RandomLife(number: $0) }
      var (misfits, reasons) = (0, Set<CoverageReason>())
      for round in 0..<3 {
        for index in lives.indices {
          try await lives[index].live(in: world, &random)
          // A rollup can happen at any moment.
          if random.below(40) == 0 { try await world.operations.background.rollUpPings() }
        }
        while try await world.operations.background.rollUpPings().lost > 0 {}
        for number in 1...Self.count {
          let exact = try await world.exact(number)
          var rolledUpCoverage = try await world.rolledUpCoverage(number)
          if rolledUpCoverage == nil {
            // A report from before what was rolled up: readers see it, and it is rolled up again.
            misfits += 1
            world.operations.dirtyShifts.note(RollupWorld.id(number))
            while try await world.operations.background.rollUpPings().lost > 0 {}
            rolledUpCoverage = try await world.rolledUpCoverage(number)
          }
          try #require(rolledUpCoverage == exact, "round \(round), shift \(number)")
          reasons.formUnion(exact.segments.map(\.reason))
        }
      }
      // Otherwise hardly anything was tested.
      #expect(misfits > 50, "\(misfits)")
      #expect(reasons.count >= 11, "\(reasons)")
    }
  }

  // R: W9
  @Test(
    "of random shifts have the durations of their rows, or none that are valid",
    .disabled(if: isUnderThreadSanitizer))
  func durationsAdd() async throws {
    try await RollupWorld.run(300) { world in
      var random = SeededRandom(seed: 11)
      var lives = (1...Int32(300)).map { RandomLife(number: $0) }
      for index in lives.indices { try await lives[index].live(in: world, &random) }
      // Shifts without any ping.
      try await world.operations.background.rollUpShiftsInDoubt()
      for round in 0..<4 {
        // An outage of ours updates no shift: readers of its durations notice.
        if round == 2 { for number in Int32(100)...130 { world.note(number) } }
        // What takes time out of a silence on record is rolled up once that is cut.
        while try await world.operations.background.rollUpPings().lost > 0 {}
        while try await world.operations.background.computeMissingDurations().durationsOnly > 0 {}
        #expect(try await durationsHold(in: world) == 300, "round \(round)")
        // Uploads to an open shift are rolled up before it ends. Other changes may come later:
        for index in lives.indices where random.below(3) == 0 {
          try await lives[index].change(in: world, &random)
        }
        if round == 1 {
          try await world.write([
            """
            INSERT INTO outage (started_at, ended_at)
            VALUES (\(RollupWorld.start(of: 100)), \(RollupWorld.start(of: 130) + .minutes(10)))
            """
          ])
        }
        let held = try await durationsHold(in: world)
        #expect((150..<290).contains(held), "round \(round): \(held)")
      }
    }
  }
}

extension RandomShiftsTests {
  /// Compares the durations that readers would consider valid with those of the rows, and returns
  /// how many there were.
  private func durationsHold(in world: RollupWorld) async throws -> Int {
    let reported = try await world.storedDurations()
    for (number, durations) in reported {
      let exact = CoverageDurations(of: try await world.exact(number).segments)
      try #require(durations == exact, "shift \(number)")
    }
    return reported.count
  }
}

/// What happens to one shift.
private struct RandomLife {
  let number: Int32
  var tracking: Int16 = 1
  var interruptions: Int16 = 0
  var silences: Int32 = 0
  var sequence: Int64 = 0

  init(number: Int32) {
    self.number = number
    sequence = Int64(number) * 1_000
  }

  private var start: Instant { RollupWorld.start(of: number) }

  private func instant(_ random: inout SeededRandom) -> Instant {
    start + .milliseconds(random.below(360) * 10_000 + (random.below(4) == 0 ? 1 : 0))
  }

  mutating func live(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    try await change(in: world, &random)
    if random.below(4) == 0 { try await fallSilent(in: world, &random) }
    try await upload(in: world, &random)
  }

  mutating func change(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    switch random.below(12) {
    case 0: try await report(in: world, &random)
    case 1: try await rest(in: world, &random)
    case 2: try await takeOver(in: world, &random)
    case 3: try await correct(in: world, &random)
    case 4: try await report(in: world, &random)
    default: break
    }
  }

  private func upload(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    // A correct clock, one a few minutes off, one a day behind, one in 2001.
    let skew: TimeSpan = [.zero, .zero, .minutes(9), .hours(-24), .hours(-24 * 365 * 25)][
      Int(random.below(5))]
    var pings: [PingRow] = []
    let first = instant(&random)
    for step in 0..<random.below(12) {
      pings.append(
        ping(first + .seconds(step * 100), in: number, off: skew, isFix: random.below(5) > 0))
    }
    try await world.upload(
      pings, from: tracking, receivedAt: first + .seconds(1_200 + random.below(600)),
      ended: random.below(3) == 0 ? [number] : [])
  }

  private mutating func report(in world: RollupWorld, _ random: inout SeededRandom) async throws {
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
    try await world.write([
      insert([
        ReportRow(
          device: DeviceID(employee: RollupWorld.employee, number: tracking), report: report,
          receivedAt: at + .seconds(random.below(900)), shift: number, trigger: nil, source: nil)
      ])
    ])
  }

  /// What the watch writes about a phone without contact for a while.
  private mutating func fallSilent(in world: RollupWorld, _ random: inout SeededRandom) async throws
  {
    silences += 1
    let from = instant(&random)
    try await world.write([
      """
      INSERT INTO incident (
        employee_id, incident_no, shift_no, opened_at, debounced_until, closed_at, close_reason,
        device_no, dimension, kind, origin, evidence)
      VALUES (
        7, \(100_000 + number * 10 + silences), \(number), \(from), \(from),
        \(from + .seconds(1 + random.below(900))), 0, \(tracking),
        \(Int16(Dimension.contact.rawValue)), \(Int16(IncidentKind.noContact.rawValue)), 1, 1)
      """
    ])
  }

  private mutating func rest(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    guard interruptions == 0 else { return }
    interruptions += 1
    let (from, shift) = (instant(&random), RollupWorld.id(number))
    let to = from + .seconds(1 + random.below(600))
    // Written as ended: an open break would block those of later shifts.
    try await world.write(
      [
        """
        INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
        VALUES (7, \(number), 1, \(from), \(to))
        """
      ] + deletePings(of: shift, from: from, to: to))
  }

  private mutating func takeOver(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    guard tracking == 1 else { return }
    tracking = 2
    try await world.write(
      insertTakeOver(
        TrackingSpan(device: 2, since: instant(&random)), of: RollupWorld.id(number), on: nil,
        at: world.now))
  }

  private mutating func correct(in world: RollupWorld, _ random: inout SeededRandom) async throws {
    let record = try await world.exact(number)
    let from = start + .seconds(random.below(1_200) - 600)
    let correction = CorrectionRow(
      shift: RollupWorld.id(number), number: Int16(sequence % 1_000) + 100 + interruptions,
      old: ShiftSpan(from: record.startedAt, to: record.endedAt),
      new: ShiftSpan(from: from, to: from + .seconds(1_800 + random.below(2_400))),
      correctedBy: "Mara", correctedAt: world.now, reason: "asked")
    sequence += 1
    try await world.write(
      apply(
        correction, wasEndedByManager: false, setsEnd: true))
  }
}
