import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The weeks of clock-ins on which a draft can be tried.
package let trialWeeks: [Int] = [1, 2, 4]

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
  /// How many verdicts depend on the age of a report that is not stored any more.
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

  mutating func add(_ row: DecidedClockInRow) {
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
}

extension ManagerOperations {
  /// Tries the policy in force with `changes` on the clock-ins of the last weeks. Nothing is saved.
  /// Clock-ins that the guard did not decide are left out: a shift was open, or they overlapped
  /// one.
  /// - Parameter weeks: One of `trialWeeks`.
  /// - Throws: `.invalid` for a duration out of range or another number of weeks, `.notFound` for
  ///   an unknown team.
  package func tryPolicy(of team: TeamID, _ changes: PolicyChanges, weeks: Int)
    async throws(OperationError) -> PolicyTrial
  {
    guard trialWeeks.contains(weeks) else { throw .invalid("`weeks` must be 1, 2 or 4") }
    if let span = changes.outOfRange {
      throw .invalid("`\(span.name)` is not in its range")
    }
    let inForce = try await policy(of: team, version: nil)
    let rows = try await decidedClockIns(in: team, weeks: weeks)
    let now = core.now()
    var trial = PolicyTrial(
      team: team, draft: inForce.policy.changed(by: changes), policyVersion: inForce.version,
      span: Interval(from: now - .hours(Int64(weeks) * 7 * 24), to: now))
    trial.isCut = rows.count > PolicyTrial.clockInsMax
    for row in rows.prefix(PolicyTrial.clockInsMax) { trial.add(row) }
    return trial
  }

  /// The clock-ins of the last weeks that the guard decided, the newest first: one more than are
  /// tried, if there are more.
  package func decidedClockIns(in team: TeamID, weeks: Int) async throws(OperationError)
    -> [DecidedClockInRow]
  {
    let since = core.now() - .hours(Int64(weeks) * 7 * 24)
    return try await onHeavyConnections.core.read { (session) throws(PostgresError) in
      try ShiftStore.decidedClockIns(
        in: team, since: since, limit: Int32(PolicyTrial.clockInsMax) + 1, on: &session)
    }
  }
}
