import CivilTime
import GuardRules
import Guidance
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The current state of an employee, as a device may see it.
package struct Snapshot: Hashable, Sendable {
  package var device: DeviceID
  package var employeeName: String
  package var platform: Platform
  /// Its system's version, as reported.
  package var osVersion: String?
  package var model: String?
  /// Its app and the app's version, as last reported.
  package var app: String?
  /// The app's name, as its phone shows it.
  package var appName: String?
  /// The language that the device asked for last; `nil` when it never asked for a supported one.
  package var language: Language?
  package var decision: Decision
  /// The override that this decision takes into account; `nil` when none makes a difference.
  package var availableOverride: OverrideRow?
  package var report: PermissionReport?
  /// The open shift; its `device` may be another device.
  package var shift: OpenShift?
  /// That other device; `nil` when this one tracks.
  package var otherTracker: Tracker?
  /// Since when the employee has been away from all sites; `nil`: they are not.
  package var awaySince: Instant?
  package var incidents: [OpenIncident]
  package var policy: Policy
  package var policyVersion: Int32
  /// How this device must track: as fixed at the clock-in of the open shift, else by the policy.
  package var tracking: TrackingSettings
  package var trackingState: TrackingState
  /// Whether the current findings were acknowledged in the app session of the request; `nil`
  /// without a session.
  package var isAcknowledged: Bool?

  /// The override that the open shift, or the requested one, began under; `nil` also when not
  /// requested.
  package var override: OverrideRow?
  /// How far the phone's clock is off; `nil` when it is right.
  package var clock: DeviceClock?
  /// What a clock-in is judged by besides the phone, and when.
  package var placeAndPlan: PlaceAndPlan
  package var judgedAt: Instant
  package var timeZone: String
  /// What names the version of the sites by which the phone decides without the network; `nil`
  /// where the policy judges no place.
  package var sitesVersion: String?
  /// The plan by which it does; `nil` where the policy judges neither plan nor place.
  package var heldPlan: ClockInPlan?

  /// Whether this device must send positions now.
  package var isTracking: Bool {
    guard let shift else { return false }
    return shift.device == device.number && !shift.isOnBreak
  }

  /// What the device must do from now on.
  package var advice: TrackingAdvice {
    TrackingAdvice(isTracking: isTracking, settings: tracking, clock: clock)
  }
}

extension Snapshot {
  /// Whether the decision leaves out where the employee is, which the clock-in will judge.
  package var leavesOutPlace: Bool { placeAndPlan.place == nil && policy.judgesPlace }

  /// What remedies for the place and time of a clock-in name.
  package var named: NamedPlaceAndTime {
    let allowedFrom = placeAndPlan.plan?.allowedFrom(at: judgedAt, under: policy)
    let seconds = allowedFrom.flatMap { CivilTime(zone: timeZone)?.secondsOfDay(at: $0) } ?? 0
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return NamedPlaceAndTime(
      nearest: placeAndPlan.place?.nearest, allowedFrom: allowedFrom,
      timeOfDay: twoDigits(seconds / 3_600) + ":" + twoDigits(seconds / 60 % 60))
  }

  /// The current state of `employee` for a device: a shift that has come to its limit has ended,
  /// whether or not that is stored yet.
  /// - Parameters:
  ///   - availableOverride: The override that a clock-in would use now.
  ///   - placeAndPlan: What a clock-in would be judged by besides the phone.
  package init(
    _ employee: EmployeeRecord, _ device: DeviceRow, availableOverride: OverrideRow? = nil,
    _ placeAndPlan: PlaceAndPlan, now: Instant
  ) {
    let present = step(employee.state, .time, policy: employee.policy, now: now).state
    let decision = decideClockIn(
      device.evidence(at: now, under: employee.policy), placeAndPlan, policy: employee.policy,
      now: now, excusing: availableOverride?.findings ?? [])
    // Where the employee is, only the clock-in shows: an override for that serves all the same.
    let open = placeAndPlan.place == nil ? employee.policy.blockingByPosition : []
    let serves = !(availableOverride?.findings ?? []).isDisjoint(
      with: decision.overridden.union(open))
    self.init(
      device: device.device, employeeName: employee.name, platform: device.platform,
      osVersion: device.osVersion, model: device.model, app: device.app, appName: device.appName,
      language: device.language.flatMap { Language(code: $0) }, decision: decision,
      availableOverride: serves ? availableOverride : nil,
      report: device.newestReport,
      shift: present.shift, incidents: present.incidents, policy: employee.policy,
      policyVersion: employee.policyVersion,
      tracking: TrackingSettings(of: employee.policy, version: employee.policyVersion),
      trackingState: TrackingState(in: [], at: now), placeAndPlan: placeAndPlan, judgedAt: now,
      timeZone: employee.timeZone)
  }
}

/// What a device's snapshot is made of, besides what is still to be read.
package struct SnapshotSubject {
  fileprivate let employee: EmployeeRecord
  fileprivate let device: DeviceRow
  fileprivate let now: Instant
  fileprivate let present: PresentSubject
  /// `nil`: judged at the clock-in.
  fileprivate let place: ClockInPlace?
  /// Whether an override may make a difference.
  fileprivate let asksOverride: Bool
  fileprivate let beginning: ShiftID?
  /// The other device that tracks the shift.
  fileprivate let tracking: DeviceID?

  /// - Parameters:
  ///   - offersOverride: Whether to take the override into account that a clock-in would use now.
  ///   - place: Where a clock-in would be made, if the phone says it.
  ///   - beginning: The shift whose override is wanted; `nil`: none is.
  package init(
    _ employee: EmployeeRecord, _ device: DeviceRow, at now: Instant, in place: ClockInPlace? = nil,
    offersOverride: Bool = true, overrideOf beginning: Int32? = nil
  ) {
    (self.employee, self.device, self.now, self.place) = (employee, device, now, place)
    present = PresentSubject(employee, at: now)
    // What was planned is not read yet.
    let blocksByPlan = [Finding.notPlanned, .tooEarly].contains {
      employee.policy.severities[$0] == .block
    }
    asksOverride =
      offersOverride
      && (blocksByPlan || place == nil && !employee.policy.blockingByPosition.isEmpty
        || decideClockIn(
          device.evidence(at: now, under: employee.policy), PlaceAndPlan(place: place),
          policy: employee.policy, now: now
        ).verdict == .block)
    self.beginning = beginning.map { ShiftID(employee: employee.employee, number: $0) }
    tracking = present.state.shift?.device.flatMap { number in
      number == device.device.number ? nil : DeviceID(employee: employee.employee, number: number)
    }
  }
}

extension Policy {
  /// What blocks a clock-in by its position.
  fileprivate var blockingByPosition: FindingSet { severities.blocking.intersection(.ofPosition) }
}

extension SnapshotSubject {
  fileprivate var mayBeAway: Bool {
    employee.policy.awayAfter > .zero && present.state.shift != nil
  }
}

/// Reads what devices see besides the facts of a decision: overrides, and the tracking state of the
/// open shift. Many need hardly more statements than one.
package struct SnapshotReading: Reading {
  private let subjects: [SnapshotSubject]
  private var batch = Batch()
  /// Those that clock-ins may use, the first one of each employee first.
  private let available: Batch.Place<Query<[OverrideRow]>>
  /// Of the employees whose policy judges them.
  private let plans: Batch.Place<Query<[EmployeeID: ClockInPlan]>>
  private let sites: Batch.Place<Query<[EmployeeID: String]>>
  /// Of the employees on shift whose policy asks for it.
  private let away: Batch.Place<Query<[EmployeeID: Instant]>>
  /// By subject, as far as they are wanted.
  private var used: [Int: Batch.Place<Query<OverrideRow?>>] = [:]
  private var trackers: [Int: Batch.Place<Query<Tracker?>>] = [:]
  private let present: Batch.Place<PresentReading>

  package init(of subjects: [SnapshotSubject]) {
    self.subjects = subjects
    available = batch.append(availableOverrides(of: subjects.filter(\.asksOverride)))
    plans = batch.append(clockInPlans(of: subjects.filter(\.employee.policy.needsPlanOnPhones)))
    sites = batch.append(heldSites(of: subjects.filter(\.employee.policy.judgesPlace)))
    away = batch.append(awaySince(of: subjects.filter(\.mayBeAway).map(\.employee.employee)))
    for (place, subject) in subjects.enumerated() {
      if let shift = subject.beginning { used[place] = batch.append(overrideUsed(by: shift)) }
      if let tracking = subject.tracking { trackers[place] = batch.append(tracker(tracking)) }
    }
    present = batch.append(PresentReading(of: subjects.map(\.present)))
  }

  package var statements: [SQL] { batch.statements }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try batch.add(position, rows)
  }

  /// The current state of the only subject. Rarely, it needs another round trip.
  package func snapshot(on session: inout Session) throws(PostgresError) -> Snapshot {
    try snapshots(on: &session)[0]
  }

  /// The current states, in the order of the subjects. Rarely, one needs another round trip.
  package func snapshots(on session: inout Session) throws(PostgresError) -> [Snapshot] {
    let available = Dictionary(grouping: batch[available], by: \.employee)
    let (plans, sites, away) = (batch[plans], batch[sites], batch[away])
    var snapshots: [Snapshot] = []
    for (place, subject) in subjects.enumerated() {
      var snapshot = Snapshot(
        subject.employee, subject.device,
        availableOverride: available[subject.employee.employee]?
          .first { $0.expiresAt > subject.now },
        PlaceAndPlan(place: subject.place, plan: plans[subject.employee.employee]),
        now: subject.now)
      snapshot.heldPlan = snapshot.placeAndPlan.plan.map { $0.held(at: subject.now) }
      if subject.employee.policy.judgesPlace {
        snapshot.sitesVersion = sites[subject.employee.employee]
      }
      snapshot.override = used[place].flatMap { batch[$0] }
      snapshot.otherTracker = trackers[place].flatMap { batch[$0] }
      // A break ends it, also before that is recorded.
      if snapshot.shift?.isOnBreak == false {
        snapshot.awaySince = away[subject.employee.employee]
      }
      if let tracking = try TrackingPresent(of: subject.present, batch[present], on: &session) {
        (snapshot.tracking, snapshot.trackingState) = (tracking.settings, tracking.state)
      }
      snapshots.append(snapshot)
    }
    return snapshots
  }
}

private func availableOverrides(of subjects: [SnapshotSubject]) -> Query<[OverrideRow]> {
  guard let earliest = subjects.map(\.now).min() else { return Query(known: []) }
  return servingOverrides(of: subjects.map(\.employee.employee), at: earliest)
}

private func clockInPlans(of subjects: [SnapshotSubject]) -> Query<[EmployeeID: ClockInPlan]> {
  let times = subjects.map(\.now)
  guard let first = times.min(), let last = times.max() else { return Query(known: [:]) }
  return ShiftStore.clockInPlans(
    of: subjects.map(\.employee.employee), at: first...last, ahead: ClockInPlan.heldAhead)
}

private func heldSites(of subjects: [SnapshotSubject]) -> Query<[EmployeeID: String]> {
  subjects.isEmpty ? Query(known: [:]) : sitesVersions(of: subjects.map(\.employee.employee))
}

extension ClockInPlan {
  /// A phone knows the plan of a day. Its end is a full hour, so that the same answer holds for an
  /// hour.
  private static let heldLength = TimeSpan.hours(24)
  private static let heldStep = TimeSpan.hours(1)
  fileprivate static let heldAhead = heldLength + heldStep

  /// Until when a phone knows the plan that it reads at `now`.
  package static func heldUntil(readAt now: Instant) -> Instant {
    let end = (now + heldLength).milliseconds
    let remainder = end % heldStep.milliseconds
    return remainder == 0
      ? now + heldLength : Instant(milliseconds: end - remainder + heldStep.milliseconds)
  }

  /// When the same plan is known for longer.
  package static func nextHeldStep(after now: Instant) -> Instant {
    heldUntil(readAt: now) - heldLength
  }

  /// What the phone holds of it, read at `now`.
  fileprivate func held(at now: Instant) -> ClockInPlan {
    let until = Self.heldUntil(readAt: now)
    return ClockInPlan(
      planned.filter { now < $0.end && $0.start < until },
      absences: absences.filter { now < $0.end && $0.start < until }, knownUntil: until)
  }
}

extension EmployeeRecord {
  /// The open shift: one that has come to its limit has ended, whether or not that is stored yet.
  package func openShift(at now: Instant) -> OpenShift? {
    step(state, .time, policy: policy, now: now).state.shift
  }
}

extension DeviceDescription {
  package init(_ device: DeviceRow) {
    self.init(
      platform: device.platform, osVersion: device.osVersion, maker: device.model,
      appName: device.appName)
  }

  package init(_ snapshot: Snapshot) {
    self.init(
      platform: snapshot.platform, osVersion: snapshot.osVersion, maker: snapshot.model,
      appName: snapshot.appName)
  }
}
