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
  /// The shifts with silences that were over after the time of a break or take-over.
  var silentShifts: Set<Int32> = []
  /// The sites of the team of an employee who clocks in or out, as they were then.
  var sites: [Site] = []
  /// The site in whose region the phone has just come: its position, whatever the phone says.
  var arrivedAt: Site?
  /// Those of the shift that a clock-out ends; `nil`: none are stored with it.
  var sitesInForce: [Site]?
  /// What was planned for an employee who clocks in; `nil`: nobody does.
  var plan: ClockInPlan?
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

extension ActionFacts {
  /// Where and for which planned shift the employee clocks in.
  /// - Parameter plan: What was planned when the clock-in was first read.
  func placeAndPlan(for clockIn: TimedClockAction, _ plan: ClockInPlan?) -> PlaceAndPlan {
    PlaceAndPlan(
      place: ClockInPlace(
        sites: plan?.sites(at: clockIn.at, of: sites) ?? sites,
        position: arrivedAt.map { ClockInPlace.Position($0.center) } ?? clockIn.fix?.position),
      plan: plan)
  }

  /// Whether the employee clocks out off site, by the sites at the clock-in; `nil`: nobody asks, or
  /// there are none.
  func endedOffSite(_ clockOut: TimedClockAction, under policy: Policy) -> EndedOffSite? {
    guard policy.severities[.offSite] != .ignore else { return nil }
    return ClockInPlace(sites: sitesInForce ?? sites, position: clockOut.fix?.position).endedOffSite
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
  private let silentShifts: Batch.Place<Query<Set<Int32>>>
  private let sites: Batch.Place<Query<[Site]>>
  private let sitesInForce: Batch.Place<Query<[Site]?>>
  private let plans: Batch.Place<Query<[EmployeeID: ClockInPlan]>>

  /// - Parameters:
  ///   - earlier: Clock actions with the ids of those to be decided.
  ///   - sent: The reports sent along.
  ///   - since: The earliest time of the clock actions and reports.
  ///   - waiting, overrides, policy, isClockInKept, held, silentShifts: As in `ActionFacts`; `nil`:
  ///     not needed.
  ///   - clockInAt: When the employee clocks in; `nil`: they do not.
  ///   - sites: Those by which a clock-in or clock-out is judged; `nil`: not needed.
  ///   - mayClockOut: Whether the employee may clock out.
  init(
    of device: DeviceID, earlier: Query<[ClockActionRecord]>, sent: SentReports?, since: Instant,
    waiting: Query<Int64>?, overrides: Query<[OverrideRow]>?, policy: Query<PolicyRow?>?,
    isClockInKept: Query<Bool>?, held: Query<[ReceivedReport]>?,
    silentShifts: Query<Set<Int32>>?, clockInAt: Instant?, sites: Query<[Site]>?,
    mayClockOut: Bool
  ) {
    self.device = device
    decision = batch.append(DecisionReading(about: [device]))
    self.earlier = batch.append(earlier)
    stored = batch.append(UploadReading(of: [sent].compactMap(\.self)))
    shifts = batch.append(TrackedShiftsReading(of: device.employee, since: since))
    self.waiting = batch.append(waiting ?? Query(known: 0))
    self.overrides = batch.append(overrides ?? Query(known: []))
    self.policy = batch.append(policy ?? Query(known: nil))
    self.isClockInKept = batch.append(isClockInKept ?? Query(known: false))
    self.held = batch.append(held ?? Query(known: []))
    self.silentShifts = batch.append(silentShifts ?? Query(known: []))
    self.sites = batch.append(sites ?? Query(known: []))
    sitesInForce = batch.append(
      mayClockOut ? ShiftStore.sitesInForce(onShift: device.employee) : Query(known: nil))
    plans = batch.append(
      clockInAt.map { clockInPlans(of: [device.employee], at: $0...$0) } ?? Query(known: [:]))
  }

  /// For a clock action of this kind.
  init(_ timed: TimedClockAction, _ kind: ClockActionKind) {
    let (device, at, isClockIn) = (timed.device, timed.at, kind == .clockIn)
    let (employee, report) = (device.employee, timed.sentReport?.report)
    self.init(
      of: device, earlier: clockActions([timed.action.actionID], of: device),
      sent: SentReports(
        from: device, installation: timed.action.installation,
        sequences: [report?.sequence].compactMap(\.self)),
      since: min(at, report?.effectiveAt ?? at),
      waiting: isClockIn || timed.isOffline
        ? awaitingClockActions(of: employee, now: timed.receivedAt) : nil,
      overrides: isClockIn ? servingOverrides(of: employee, at: at) : nil,
      policy: isClockIn && timed.isOffline ? policyInForce(at: at, for: employee) : nil,
      isClockInKept: isClockIn ? nil : ShiftStore.isClockInKept(of: device, upTo: at),
      held: kind == .takeOver ? reports(of: device, freshFrom: at, to: at) : nil,
      silentShifts: [.breakStart, .breakEnd, .takeOver].contains(kind)
        ? shiftsWithSilences(of: employee, overAfter: at) : nil,
      clockInAt: isClockIn ? at : nil,
      sites: isClockIn || kind == .clockOut ? timed.sites : nil, mayClockOut: kind == .clockOut)
  }

  /// For what a message of an app from a store may decide.
  init(of events: MessageEvents) {
    let (device, since, receivedAt) = (events.device, events.since, events.receipt.at)
    let employee = device.employee
    self.init(
      of: device,
      earlier: clockActions(
        [events.arrival, events.departure].compactMap { $0?.action.actionID },
        arrivalsWith: ClockAction.arrivals, of: device),
      sent: events.upload?.sentReports, since: since,
      waiting: awaitingClockActions(of: employee, now: receivedAt),
      overrides: servingOverrides(of: employee, at: since),
      policy: events.arrival.map { policyInForce(at: $0.at, for: employee) },
      isClockInKept: events.departure.map { ShiftStore.isClockInKept(of: device, upTo: $0.at) },
      held: events.pings.map { min($0.effectiveAt, receivedAt) }.min().map { first in
        reports(of: device, freshFrom: max(first, receivedAt - actionAgeMax), to: receivedAt)
      },
      silentShifts: events.pings.isEmpty ? nil : shiftsWithSilences(of: employee, overAfter: since),
      clockInAt: events.arrival?.at,
      sites: events.arrival?.sites ?? events.departure?.sites ?? ShiftStore.sites(of: employee),
      mayClockOut: true)
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
      isClockInKept: batch[isClockInKept], held: batch[held],
      silentShifts: batch[silentShifts], sites: batch[sites],
      sitesInForce: batch[sitesInForce],
      plan: batch[plans][device.employee])
  }
}

extension TimedClockAction {
  /// The sites of the employee's team at its time. Those of a live one are as they are: the clock
  /// of the instance that changed them last may be ahead.
  fileprivate var sites: Query<[Site]> {
    isOffline
      ? ShiftStore.sites(of: device.employee, at: at) : ShiftStore.sites(of: device.employee)
  }
}

/// The device's reports up to `end` that may be fresh at `start`, under any policy.
private func reports(of device: DeviceID, freshFrom start: Instant, to end: Instant)
  -> Query<[ReceivedReport]>
{
  ShiftStore.reports(of: device, effective: start - PolicySpan.freshFor.range.upperBound...end)
}

extension [TrackedShift] {
  /// The shifts after an effect of an event of a phone, as they will be read.
  mutating func apply(_ effect: GuardEffect, under employee: EmployeeRecord) {
    func index(_ number: Int32) -> Int? { firstIndex { $0.number == number } }
    switch effect {
    case .shiftStarted(let shift, _, _):
      append(
        TrackedShift(
          number: shift.number, start: shift.startedAt, end: shift.limit, device: shift.device,
          settings: TrackingSettings(of: employee.policy, version: employee.policyVersion)))
    case .shiftConfirmed(let shift, _, _):
      guard let place = index(shift.number), let device = shift.device,
        let since = shift.takenOverAt
      else { return }
      self[place].add(TrackingSpan(device: device, since: since))
    case .tookOver(let number, let device, let at):
      if let place = index(number) {
        self[place].add(TrackingSpan(device: device, since: at))
      }
    case .shiftEnded(let number, let at, _):
      if let place = index(number) { self[place].end = at }
    default: break
    }
  }
}
