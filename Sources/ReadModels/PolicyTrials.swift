import GuardRules
import ShiftDomain

/// A clock-in that the guard decided, for trying another policy on it.
package struct DecidedClockInRow: Hashable, Sendable {
  package var device: DeviceID
  /// The employee's name.
  package var name: String
  /// The number of the clock action; `nil` for one stored before numbering.
  package var number: Int32?
  package var at: Instant
  /// The version of the policy by which it was decided.
  package var policyVersion: Int32
  package var clockIn: DecidedClockIn

  package init(
    device: DeviceID, name: String, number: Int32?, at: Instant, policyVersion: Int32,
    clockIn: DecidedClockIn
  ) {
    (self.device, self.name, self.number) = (device, name, number)
    (self.at, self.policyVersion, self.clockIn) = (at, policyVersion, clockIn)
  }
}

/// What a draft of a policy would have decided about the clock-ins of the last weeks.
package struct PolicyTrial: Hashable, Sendable {
  /// A verdict then, and the verdict of the draft.
  package struct Change: Hashable, Sendable {
    package var then: Verdict
    package var now: Verdict

    package init(then: Verdict, now: Verdict) { (self.then, self.now) = (then, now) }
  }

  /// A clock-in about which the draft decides differently.
  package struct Difference: Hashable, Sendable {
    package var row: DecidedClockInRow
    package var replayed: ReplayedDecision

    package var change: Change {
      Change(then: row.clockIn.decision.verdict, now: replayed.decision.verdict)
    }
  }

  package var team: TeamID
  package var draft: Policy
  /// The version in force, from which the draft was made.
  package var policyVersion: Int32
  /// The clock-ins of this time.
  package var span: Interval
  /// How many there were with each verdict, then and now.
  package var counts: [Change: Int] = [:]
  /// Those whose verdict would be another one, the newest first; at most `differencesMax`.
  package var differences: [Difference] = []
  package var differenceCount = 0
  /// How many of the clock-ins used an override, which counts again.
  package var overridden = 0
  /// How many were decided by another version of the policy than the one in force.
  package var byOtherVersions = 0
  /// How many verdicts depend on what is not stored any more, or was not judged then.
  package var uncertain = 0
  /// Whether there were more clock-ins than `clockInsMax`: then only the newest were tried.
  package var isCut = false

  package static let differencesMax = 200
  package static let clockInsMax = 20_000

  package var total: Int { counts.values.reduce(0, +) }

  package func count(then verdict: Verdict) -> Int {
    counts.reduce(0) { $0 + ($1.key.then == verdict ? $1.value : 0) }
  }

  package func count(now verdict: Verdict) -> Int {
    counts.reduce(0) { $0 + ($1.key.now == verdict ? $1.value : 0) }
  }

  package mutating func add(_ row: DecidedClockInRow) {
    let replayed = replay(row.clockIn, under: draft)
    let difference = Difference(row: row, replayed: replayed)
    counts[difference.change, default: 0] += 1
    if row.clockIn.override != nil { overridden += 1 }
    if row.policyVersion != policyVersion { byOtherVersions += 1 }
    if !replayed.isCertain { uncertain += 1 }
    guard difference.change.then != difference.change.now else { return }
    differenceCount += 1
    if differences.count < Self.differencesMax { differences.append(difference) }
  }

  package init(team: TeamID, draft: Policy, policyVersion: Int32, span: Interval) {
    (self.team, self.draft, self.policyVersion) = (team, draft, policyVersion)
    self.span = span
  }
}
