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
  /// The current state of `employee` for a device: a shift that has come to its limit has ended,
  /// whether or not that is stored yet.
  /// - Parameter availableOverride: The override that a clock-in would use now.
  package init(
    _ employee: EmployeeRecord, _ device: DeviceRow, availableOverride: OverrideRow? = nil,
    now: Instant
  ) {
    let present = step(employee.state, .time, policy: employee.policy, now: now).state
    let decision = decideClockIn(
      device.evidence(at: now, under: employee.policy), policy: employee.policy, now: now,
      excusing: availableOverride?.findings ?? [])
    self.init(
      device: device.device, employeeName: employee.name, platform: device.platform,
      osVersion: device.osVersion, model: device.model, app: device.app, appName: device.appName,
      language: device.language.flatMap { Language(code: $0) }, decision: decision,
      availableOverride: decision.overridden.isEmpty ? nil : availableOverride,
      report: device.newestReport,
      shift: present.shift, incidents: present.incidents, policy: employee.policy,
      policyVersion: employee.policyVersion,
      tracking: TrackingSettings(of: employee.policy, version: employee.policyVersion),
      trackingState: TrackingState(in: [], at: now))
  }
}

/// What a device's snapshot is made of, besides what is still to be read.
package struct SnapshotSubject {
  fileprivate let employee: EmployeeRecord
  fileprivate let device: DeviceRow
  fileprivate let now: Instant
  fileprivate let present: PresentSubject
  /// Whether an override may make a difference.
  fileprivate let asksOverride: Bool
  fileprivate let beginning: ShiftID?
  /// The other device that tracks the shift.
  fileprivate let tracking: DeviceID?

  /// - Parameters:
  ///   - offersOverride: Whether to take the override into account that a clock-in would use now.
  ///   - beginning: The shift whose override is wanted; `nil`: none is.
  package init(
    _ employee: EmployeeRecord, _ device: DeviceRow, at now: Instant,
    offersOverride: Bool = true, overrideOf beginning: Int32? = nil
  ) {
    (self.employee, self.device, self.now) = (employee, device, now)
    present = PresentSubject(employee, at: now)
    asksOverride =
      offersOverride
      && decideClockIn(
        device.evidence(at: now, under: employee.policy), policy: employee.policy, now: now
      ).verdict == .block
    self.beginning = beginning.map { ShiftID(employee: employee.employee, number: $0) }
    tracking = present.state.shift?.device.flatMap { number in
      number == device.device.number ? nil : DeviceID(employee: employee.employee, number: number)
    }
  }
}

/// Reads what devices see besides the facts of a decision: overrides, and the tracking state of the
/// open shift. Many need hardly more statements than one.
package struct SnapshotReading: Reading {
  private enum Part {
    case available
    case used(place: Int)
    case tracker(place: Int)
    case present(position: Int)
  }

  package let statements: [SQL]
  private let subjects: [SnapshotSubject]
  private let parts: [Part]
  /// Of each employee, those that a clock-in may use, the first of them first.
  private var available: [EmployeeID: [OverrideRow]] = [:]
  private var used: [Int: OverrideRow] = [:]
  private var trackers: [Int: Tracker] = [:]
  private var present: PresentReading

  package init(of subjects: [SnapshotSubject]) {
    self.subjects = subjects
    var (statements, parts): ([SQL], [Part]) = ([], [])
    let asking = subjects.filter(\.asksOverride)
    if let earliest = asking.map(\.now).min() {
      statements.append(selectServingOverrides(of: asking.map(\.employee.employee), at: earliest))
      parts.append(.available)
    }
    for (place, subject) in subjects.enumerated() {
      if let shift = subject.beginning {
        statements.append(selectOverrideUsed(by: shift))
        parts.append(.used(place: place))
      }
      if let tracking = subject.tracking {
        statements.append(selectTracker(tracking))
        parts.append(.tracker(place: place))
      }
    }
    present = PresentReading(of: subjects.map(\.present))
    self.statements = statements + present.statements
    self.parts = parts + present.statements.indices.map { .present(position: $0) }
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    switch parts[position] {
    case .available:
      for row in try rows.overrides() { available[row.employee, default: []].append(row) }
    case .used(let place): used[place] = try rows.override()
    case .tracker(let place): trackers[place] = try rows.tracker()
    case .present(let position): try present.add(position, rows)
    }
  }

  /// The current state of the only subject. Rarely, it needs another round trip.
  package func snapshot(on session: inout Session) throws(PostgresError) -> Snapshot {
    try snapshots(on: &session)[0]
  }

  /// The current states, in the order of the subjects. Rarely, one needs another round trip.
  package func snapshots(on session: inout Session) throws(PostgresError) -> [Snapshot] {
    var snapshots: [Snapshot] = []
    for (place, subject) in subjects.enumerated() {
      var snapshot = Snapshot(
        subject.employee, subject.device,
        availableOverride: available[subject.employee.employee]?
          .first { $0.expiresAt > subject.now },
        now: subject.now)
      snapshot.override = used[place]
      snapshot.otherTracker = trackers[place]
      if let tracking = try TrackingPresent(of: subject.present, present, on: &session) {
        (snapshot.tracking, snapshot.trackingState) = (tracking.settings, tracking.state)
      }
      snapshots.append(snapshot)
    }
    return snapshots
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
