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
  /// The app from a store on that other device; `nil` also for an app of ours, and when this device
  /// tracks.
  package var trackingApp: PhoneApp?
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

/// How a device must send its positions; part of every response to it.
package struct TrackingAdvice: Hashable, Sendable {
  package var isTracking: Bool
  package var settings: TrackingSettings
  /// Its clock, when it is wrong.
  package var clock: DeviceClock?

  package init(isTracking: Bool, settings: TrackingSettings, clock: DeviceClock?) {
    self.isTracking = isTracking
    self.settings = settings
    self.clock = clock
  }
}

/// A wrong phone clock, whose times were corrected.
package struct DeviceClock: Hashable, Sendable {
  /// The server's clock minus the phone's; `nil` without a time of sending.
  package var skew: TimeSpan?
  /// How far off it is.
  package var trust: ClockTrust

  /// `nil` when the clock is right.
  package init?(recorded: [Instant?], sentAt: Instant?, receivedAt: Instant) {
    var worst: EffectiveTime?
    for recordedAt in recorded + [nil] {
      let time = effectiveTime(
        recordedAt: recordedAt ?? sentAt ?? receivedAt, sentAt: sentAt, receivedAt: receivedAt)
      if time.trust.rawValue > (worst?.trust ?? .good).rawValue { worst = time }
    }
    guard let worst else { return nil }
    (skew, trust) = (worst.skew, worst.trust)
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
      device.evidence, policy: employee.policy, now: now,
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

/// Reads what a device sees besides the facts of a decision: overrides, and the tracking state of
/// the open shift.
package struct SnapshotReading: Reading {
  package let statements: [SQL]
  private let employee: EmployeeRecord
  private let device: DeviceRow
  private let now: Instant
  private let offersOverride: Bool
  private let overrides: Int
  /// How many statements come before those of the tracking state.
  private let first: Int
  private var trackingApp: PhoneApp?
  private var available: OverrideRow?
  private var used: OverrideRow?
  private var present: PresentReading?

  /// - Parameters:
  ///   - offersOverride: Whether to take the override into account that a clock-in would use now.
  ///   - beginning: The shift whose override is wanted; `nil`: none is.
  package init(
    _ employee: EmployeeRecord, _ device: DeviceRow, at now: Instant,
    offersOverride: Bool = true, overrideOf beginning: Int32? = nil
  ) {
    (self.employee, self.device, self.now) = (employee, device, now)
    self.offersOverride = offersOverride
    var statements: [SQL] = []
    if offersOverride {
      statements.append(selectServingOverride(of: employee.employee, at: now))
    }
    if let beginning {
      statements.append(
        selectOverrideUsed(by: ShiftID(employee: employee.employee, number: beginning)))
    }
    overrides = statements.count
    let shift = employee.openShift(at: now)
    if let tracking = shift?.device, tracking != device.device.number {
      statements.append(
        selectPhoneApp(of: DeviceID(employee: employee.employee, number: tracking)))
    }
    first = statements.count
    present = shift.map { shift in
      PresentReading(of: ShiftID(employee: employee.employee, number: shift.number), at: now)
    }
    self.statements = statements + (present?.statements ?? [])
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0, offersOverride {
      available = try rows.override()
    } else if position < overrides {
      used = try rows.override()
    } else if position < first {
      trackingApp = try rows.phoneApp()
    } else {
      try present?.add(position - first, rows)
    }
  }

  /// The current state. Rarely, it needs another round trip.
  package func snapshot(on session: inout Session) throws(PostgresError) -> Snapshot {
    var snapshot = Snapshot(employee, device, availableOverride: available, now: now)
    snapshot.override = used
    snapshot.trackingApp = trackingApp
    if let present, let tracking = try TrackingPresent(present, at: now, on: &session) {
      (snapshot.tracking, snapshot.trackingState) = (tracking.settings, tracking.state)
    }
    return snapshot
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

extension DeviceRow {
  /// What a decision needs to know about the device.
  package var evidence: Evidence {
    // An app that cannot report may still have told how it ended.
    if let newestReport, canReport || newestReport.state.authorization != .unknown {
      return .report(newestReport, platform)
    }
    return canReport ? .noReport : .cannotReport(lastFixAt: lastFixAt)
  }
}
