import GuardRules
import Guidance
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A report as received, with its server time and number, and how it is stored.
struct TimedReport {
  let device: DeviceID
  let described: ReportedDevice
  /// Its state is unknown before `sent`, and its installation is the enrolment.
  private(set) var report: PermissionReport
  private let permission: ReportedPermission
  let receivedAt: Instant
  /// Whether the phone named its time, and a copy of this report has the same effective time: from
  /// a clock that is ahead it has that of its own receipt.
  private let isTimed: Bool
  let trigger: String?
  let source: String?
  let raw: String?

  init(
    _ incoming: IncomingReport, of device: DeviceID, sentAt: Instant?, receivedAt: Instant
  ) {
    let time = effectiveTime(
      recordedAt: incoming.recordedAt ?? sentAt ?? receivedAt, sentAt: sentAt,
      receivedAt: receivedAt)
    self.device = device
    self.receivedAt = receivedAt
    isTimed = incoming.recordedAt == time.instant
    described = incoming.device
    trigger = incoming.trigger
    source = incoming.source
    raw = incoming.raw
    permission = incoming.permission
    report = PermissionReport(
      id: ReportID(newID(at: receivedAt)), state: PermissionState(authorization: .unknown),
      effectiveAt: time.instant, skew: time.skew,
      sequence: incoming.sequence,
      appExit: incoming.lastExit.map { exit in
        let ended = effectiveTime(recordedAt: exit.at, sentAt: sentAt, receivedAt: receivedAt)
        // Not later than the report that contains it, and not older than anybody needs.
        return AppExit(
          exit.cause, at: min(max(ended.instant, receivedAt - recordAgeMax), time.instant))
      })
  }

  /// With the state that its values mean on `phone`.
  func read(on phone: DeviceDescription) -> TimedReport {
    var timedReport = self
    timedReport.report.state = permission.state(on: phone)
    return timedReport
  }

  func sent(from device: DeviceRow, by installation: Installation) -> TimedReport {
    var timedReport = read(on: DeviceDescription(device))
    timedReport.report.installation = installation.number
    return timedReport
  }

  func following(_ current: PermissionReport?) -> TimedReport {
    var timedReport = self
    timedReport.report = report.following(current)
    return timedReport
  }

  /// Whether it is not current, with `current` as the previous report.
  func isHistory(after current: PermissionReport?) -> Bool {
    report.isHistory(after: current, receivedAt: receivedAt)
  }

  /// The number of the shift that the report belongs to: the shift at its time, or the open one if
  /// the report is in force from now on, although it is from just before the clock-in; `nil` off
  /// shift. An open shift extends to its limit, and one that `step` ends to that end.
  /// - Parameters:
  ///   - decides: Whether the report determines the current state, or did when the shift began;
  ///     history goes by times.
  ///   - shifts: Those at its time, which are needed only if it is not in the open one.
  func shift(
    _ employee: EmployeeRecord, after step: GuardStep, decides: Bool = true,
    among shifts: [TrackedShift]
  ) -> Int32? {
    if let open = openShift(employee, after: step, decides: decides) { return open }
    return shifts.first { shift in
      var shift = shift
      shift.end = step.end(ofShift: shift.number) ?? shift.end
      return shift.isTracked(at: report.effectiveAt)
    }?.number
  }

  /// The number of the open shift, if the report belongs to it.
  func openShift(_ employee: EmployeeRecord, after step: GuardStep, decides: Bool) -> Int32? {
    guard let open = employee.state.shift,
      report.effectiveAt < step.end(ofShift: open.number) ?? open.limit
    else { return nil }
    let isInForce = decides && open.device == device.number && !isHistory(after: open.report)
    let isWithin = open.trackedFrom.map { $0 <= report.effectiveAt } ?? false
    return isInForce || isWithin ? open.number : nil
  }

  /// Whether it may change what was recorded of the shift that it belongs to.
  /// - Parameter isLive: Whether it was current in turn, so that it is recorded already if its
  ///   device tracks the open shift.
  func changesPast(of shift: Int32, _ employee: EmployeeRecord, isLive: Bool) -> Bool {
    guard let open = employee.state.shift, open.number == shift else { return true }
    let (at, takenOverAt) = (report.effectiveAt, open.takenOverAt ?? open.startedAt)
    guard open.device == device.number else { return at < takenOverAt }
    let resumedAt = open.latestBreak.map { $0.endedAt ?? $0.startedAt } ?? takenOverAt
    // What held at an acceptance is accepted, whenever it comes.
    let isAccepted = open.askedFrom.map { at < $0 } ?? false
    return !isLive || isAccepted || takenOverAt <= at && at < resumedAt
  }

  /// The number of the shift under which a clock action stores it: the shift that `action` began or
  /// continued, unless the report is too old to be current. Then its time decides.
  func shift(
    of action: Int32, _ employee: EmployeeRecord, after step: GuardStep,
    among shifts: [TrackedShift]
  ) -> Int32? {
    guard isHistory(after: nil) else { return action }
    return shift(employee, after: step, decides: false, among: shifts)
  }

  /// The effective times of reports that this may be a copy of. One that was received later may
  /// have been stored before this one.
  var timesOfCopies: [Instant] {
    let (at, exit) = (report.effectiveAt, report.appExit?.at ?? report.effectiveAt)
    let isDated = isTimed && report.appExit == nil
    return [min(at, exit), isDated ? at : max(at, receivedAt) + Self.repeatedWithin]
  }

  /// The report among `stored` that this is a copy of, which has no sequence. One that contains the
  /// end of the app's process is known by it. One without a time is sent again at once and before
  /// any other, so it can only be a copy of `newest`: an older one may have held before that, too.
  func original(in stored: [PermissionReport], newest: PermissionReport?) -> ReportID? {
    if let exit = report.appExit {
      return stored.first { $0.state == report.state && $0.appExit == exit }?.id
    }
    if isTimed {
      return stored.first {
        $0.state == report.state && $0.effectiveAt == report.effectiveAt && $0.appExit == nil
      }?.id
    }
    guard let newest, newest.state == report.state, newest.appExit == nil,
      receivedAt - newest.effectiveAt <= Self.repeatedWithin
    else { return nil }
    return newest.id
  }

  private static let repeatedWithin = TimeSpan.minutes(1)

  /// Stores the report with its shift or, off shift, in place of the previous ones. A late report
  /// off shift is not kept.
  func statements(shift: Int32?, newest: PermissionReport?) -> [SQL] {
    let isLate = isHistory(after: newest)
    if isLate && shift == nil { return [] }
    return (shift == nil ? [deleteReportsOffShift(of: device, before: report)] : [])
      + [insertIfMissing([row(shift: shift)])]
      + (isLate ? [] : [setNewestReports([(report.id, device)])])
  }

  func row(shift: Int32?) -> ReportRow {
    ReportRow(
      device: device, report: report, receivedAt: receivedAt, shift: shift, trigger: trigger,
      source: source, raw: raw)
  }
}

extension GuardStep {
  /// When this step ends the shift of this number; `nil` if it does not.
  fileprivate func end(ofShift number: Int32) -> Instant? {
    for case .shiftEnded(number, let end, _) in effects.reversed() { return end }
    return nil
  }
}

extension DeviceRow {
  /// Stores the requested language, if it is new.
  func noteLanguage(_ asked: Language?) -> [SQL] {
    guard let asked, asked.code != language else { return [] }
    return [setLanguage(asked.code, of: device)]
  }

  /// This device as its report describes it, and the statements that store the description, if it
  /// is new.
  func described(by reported: ReportedDevice) -> (device: DeviceRow, statements: [SQL]) {
    var record = self
    record.osVersion = reported.osVersion ?? rawVersion(reported.rawVersion) ?? osVersion
    record.model = reported.model ?? model
    record.app = reported.app ?? app
    record.appName = reported.appName ?? appName
    guard record != self else { return (self, []) }
    return (
      record,
      [
        setDescription(
          of: device, osVersion: record.osVersion, model: record.model, app: record.app,
          appName: record.appName)
      ]
    )
  }

  /// `raw` if it differs from the known version, which may be more exact.
  private func rawVersion(_ raw: String?) -> String? {
    let known = DeviceDescription(platform: platform, osVersion: osVersion)
    let stated = DeviceDescription(platform: platform, osVersion: raw)
    return stated.osMajor == nil || stated.osMajor == known.osMajor ? nil : raw
  }
}
