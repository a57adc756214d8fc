import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// What clock actions are decided on, besides `DecisionInputs`.
struct ActionFacts {
  /// Clock actions that are stored already, with the same ids.
  var earlier: [ClockActionRecord] = []
  /// What is stored already of the reports sent along.
  var stored: StoredReports
  /// How many clock actions wait for a review.
  var waiting: Int64 = 0
  /// The shifts of that time, and all later ones.
  var shifts: [TrackedShift] = []
  /// Those that a clock-in may use at its time, the newest first.
  var overrides: [OverrideRow] = []
  /// The policy in force when an offline clock-in was made.
  var policy: PolicyRow?
  /// Whether the device's newest clock-in up to the clock action is kept, with a pending review.
  var isClockInKept = false
  /// The device's reports from shortly before a take-over.
  var held: [ReceivedReport] = []
}

extension ActionFacts {
  /// The override that a clock-in uses. One made offline uses none that was created later. A live
  /// one may: the clock of the instance that created the override may be ahead.
  func override(for clockIn: TimedClockAction, now: Instant) -> Override? {
    let at = clockIn.isOffline ? clockIn.at : max(clockIn.at, now)
    return overrides.first { override in
      override.expiresAt > at && !(clockIn.isOffline && override.createdAt > at)
    }?.asOverride
  }
}

/// Reads `DecisionInputs` and `ActionFacts` in one round trip.
struct ActionReading: Reading {
  private let device: DeviceID
  private var batch = Batch()
  private let decision: Batch.Place<DecisionReading>
  private let earlier: Batch.Place<Query<[ClockActionRecord]>>
  private let stored: Batch.Place<UploadReading>
  private let waiting: Batch.Place<Query<Int64>>
  private let shifts: Batch.Place<TrackedShiftsReading>
  private let overrides: Batch.Place<Query<[OverrideRow]>>
  private let policy: Batch.Place<Query<PolicyRow?>>
  private let isClockInKept: Batch.Place<Query<Bool>>
  private let held: Batch.Place<Query<[ReceivedReport]>>

  /// For a clock action of this kind.
  init(_ timed: TimedClockAction, _ kind: ClockActionKind) {
    device = timed.device
    let (at, employee, isClockIn) = (timed.at, device.employee, kind == .clockIn)
    decision = batch.append(DecisionReading(about: [device]))
    earlier = batch.append(clockActions([timed.action.actionID], of: device))
    stored = batch.append(
      UploadReading(of: [
        SentReports(
          from: device, installation: timed.action.installation,
          sequences: [timed.sentReport?.report.sequence].compactMap(\.self))
      ]))
    waiting = batch.append(
      isClockIn || timed.isOffline
        ? awaitingClockActions(of: employee, now: timed.receivedAt) : Query(known: 0))
    shifts = batch.append(
      TrackedShiftsReading(
        of: employee, since: min(at, timed.sentReport?.report.effectiveAt ?? at)))
    overrides = batch.append(
      isClockIn ? servingOverrides(of: employee, at: at) : Query(known: []))
    policy = batch.append(
      isClockIn && timed.isOffline
        ? policyInForce(at: at, for: employee) : Query(known: nil))
    isClockInKept = batch.append(
      isClockIn ? Query(known: false) : ShiftStore.isClockInKept(of: device, upTo: at))
    held = batch.append(
      kind == .takeOver
        ? reports(of: device, effective: at - PolicySpan.freshFor.range.upperBound...at)
        : Query(known: []))
  }

  var statements: [SQL] { batch.statements }

  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try batch.add(position, rows)
  }

  /// `nil` if the device does not exist.
  var inputs: DecisionInputs? { batch[decision][device] }

  var facts: ActionFacts {
    ActionFacts(
      earlier: batch[earlier], stored: batch[stored][device], waiting: batch[waiting],
      shifts: batch[shifts].found, overrides: batch[overrides], policy: batch[policy],
      isClockInKept: batch[isClockInKept], held: batch[held])
  }
}
