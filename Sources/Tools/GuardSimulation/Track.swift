import GuardRules
import ShiftDomain

/// The server's other data about the open shift, besides shift, incidents and notifications.
struct Track {
  /// The tracking settings that the rules stored at clock-in.
  private(set) var stored = PolicyChoice().settings
  /// The maximum age of a fix, as chosen at clock-in.
  private(set) var fixAgeMax = TimeSpan.seconds(180)
  /// All stored fixes, including sealed ones.
  private(set) var pings: [ReceivedPing] = []
  /// Reports of the employee's devices, including late ones, with the true states.
  private(set) var reports: [(received: ReceivedReport, truePermission: TruePermission)] = []
  /// The last receipt from the tracking device.
  private(set) var lastReceipt: Instant?
  /// The last accepted fix.
  private(set) var lastFix: Instant?
  /// Outages of the service.
  private(set) var outages: [Interval] = []
  /// The incidents of silence, by number.
  private(set) var silences: [Int32: SilentSpan] = [:]
  /// Silences that the watch has detected and that have not ended.
  var noted: Set<SilenceKind> = []
  /// The time of the rules' last step.
  var judgedAt = Instant(milliseconds: .min)

  /// A shift begins at `start`: resets the data. What the device said long before is no part of it.
  mutating func begin(_ record: DeviceRecord, _ choice: PolicyChoice, at start: Instant) {
    stored = TrackingSettings(of: choice.policy, version: choice.version)
    fixAgeMax = choice.settings.fixAgeMax
    pings.removeAll(keepingCapacity: true)
    reports.removeAll(keepingCapacity: true)
    outages.removeAll(keepingCapacity: true)
    silences.removeAll(keepingCapacity: true)
    changeDevice(record)
    reports.removeAll { start - $0.received.report.effectiveAt > .seconds(300) }
  }

  /// Another device takes over, with its newest report.
  mutating func changeDevice(_ record: DeviceRecord) {
    (lastReceipt, lastFix, noted) = (nil, nil, [])
    if let newest = record.newest { add(newest.received, newest.truePermission) }
  }

  /// The shift continues after a break: silence may be detected again.
  mutating func resume() { noted = [] }

  /// The shift's row for placing pings. An open break refuses only pings that were recorded after
  /// the server received the break: earlier ones may turn out to lie after its end.
  func row(of shift: ReferenceState.Shift) -> TrackedShift {
    TrackedShift(
      number: shift.number, start: shift.startedAt, end: nil,
      device: shift.devices.first?.device ?? 0, takeOvers: Array(shift.devices.dropFirst()),
      breaks: IntervalSet(
        shift.breaks.map { pause in
          Interval(
            from: pause.end == nil ? max(pause.start, pause.receivedAt) : pause.start,
            to: pause.end ?? Instant(milliseconds: .max))
        }),
      settings: stored)
  }

  /// An incident of silence begins.
  mutating func open(_ incident: OpenIncident, of device: Int16) {
    guard
      let kind: SilenceKind = incident.kind == .noContact
        ? .noContact
        : incident.kind == .noFix ? .noFix : nil
    else { return }
    silences[incident.number] = SilentSpan(
      kind, of: device,
      during: Interval(from: incident.openedAt, to: Instant(milliseconds: .max)))
  }

  /// An incident ends.
  mutating func close(_ number: Int32, at end: Instant) { silences[number]?.interval.end = end }

  /// It never was.
  mutating func withdraw(_ number: Int32) { silences[number] = nil }

  /// The last sign that ends a silence.
  func lastSign(_ kind: SilenceKind) -> Instant? { kind == .noContact ? lastReceipt : lastFix }

  /// When a silence after `sign` is too long. A deadline before which an outage began is not before
  /// the outage's end plus `fixAgeMax`.
  func deadline(after sign: Instant) -> Instant {
    var deadline = sign + fixAgeMax
    while let outage = outages.first(where: {
      $0.start < deadline && deadline < $0.end + fixAgeMax
    }) {
      deadline = outage.end + fixAgeMax
    }
    return deadline
  }

  /// Adds an outage; nothing was judged until its end.
  mutating func add(_ outage: Interval) {
    outages.append(outage)
    judgedAt = outage.end
  }

  /// Records a contact of the tracking device.
  mutating func recordContact(at now: Instant) {
    lastReceipt = now
    noted.remove(.noContact)
  }

  /// Stores a fix of the tracking device.
  mutating func add(_ ping: ReceivedPing) {
    pings.append(ping)
    lastFix = max(lastFix ?? ping.effectiveAt, ping.effectiveAt)
    noted.remove(.noFix)
  }

  /// Stores a report, unless its sequence number is already stored.
  mutating func add(_ received: ReceivedReport, _ truePermission: TruePermission) {
    let isHeld = reports.contains { other in
      if other.received.device != received.device { return false }
      if other.received.report.id == received.report.id { return true }
      guard let number = received.report.sequence else { return false }
      return other.received.report.sequence == number
    }
    if !isHeld { reports.append((received, truePermission)) }
  }
}

/// The server's data about a device.
struct DeviceRecord {
  var canReport: Bool
  /// The newest report, by sequence number.
  var newest: (received: ReceivedReport, platform: Platform, truePermission: TruePermission)?
  var lastFixAt: Instant?

  init(canReport: Bool) { self.canReport = canReport }

  var knowledge: ServerKnowledge {
    if let newest { return .report(newest.received.report, newest.platform, newest.truePermission) }
    return canReport ? .nothing : .fixesOnly(lastFixAt: lastFixAt)
  }

  /// Stores a report, unless there is a newer one.
  mutating func note(
    _ received: ReceivedReport, _ platform: Platform, _ truePermission: TruePermission
  ) {
    if let held = newest?.received.report.sequence, let mine = received.report.sequence,
      mine < held
    {
      return
    }
    newest = (received, platform, truePermission)
  }
}
