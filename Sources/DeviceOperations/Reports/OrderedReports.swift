import GuardRules
import OperationCore
import ReadModels
import ShiftDomain
import ShiftStore

/// The reports of one upload in their order, with duplicates identified.
struct OrderedReports {
  private var timedReports: [TimedReport]
  /// By index, the id under which an earlier copy of a report is stored, possibly from this upload.
  private var held: [Int: ReportID] = [:]
  /// The indices of the new reports, in report order.
  private let ordered: [Int]
  /// The index of the report that determines the current state.
  private let deciding: Int?
  /// The indices of the reports that were current in turn; the last is the deciding one.
  private let current: [Int]

  /// A sequence number that the installation used before means the same report, as long as that
  /// report is stored.
  /// - Parameters:
  ///   - stored: The stored reports of the installation, by sequence.
  ///   - originals: Stored reports that those without a sequence may be copies of; `nil`: they are
  ///     no copies.
  init(
    _ timedReports: [TimedReport], from device: DeviceRow, by installation: Installation,
    stored: [Int64: ReportID], originals: [PermissionReport]?
  ) {
    let newest = device.newestReport
    let timedReports = timedReports.map { $0.sent(from: device, by: installation) }
    self.timedReports = timedReports
    var ids = stored
    var originals = originals
    for (place, timedReport) in timedReports.enumerated() {
      guard let sequence = timedReport.report.sequence else {
        held[place] = originals.flatMap { timedReport.original(in: $0, newest: newest) }
        originals?.append(timedReport.report)
        continue
      }
      if let id = ids[sequence] {
        held[place] = id
      } else {
        ids[sequence] = timedReport.report.id
      }
    }
    let fresh = timedReports.indices.filter { [held] in held[$0] == nil }
    let ordered = orderInUpload(fresh.map { timedReports[$0].report }).map { fresh[$0] }
    self.ordered = ordered
    var (latest, current) = (newest, [Int]())
    for place in ordered {
      let timedReport = timedReports[place].following(latest)
      self.timedReports[place] = timedReport
      // A report that is too old is never current, whatever its number.
      if timedReport.isHistory(after: latest) { continue }
      latest = timedReport.report
      current.append(place)
    }
    self.current = current
    deciding = current.last ?? ordered.last
  }

  /// The report that determines the current state; `nil` when nothing is new.
  var present: TimedReport? { deciding.map { timedReports[$0] } }

  /// The other new reports, in order.
  var history: [TimedReport] { ordered.filter { $0 != deciding }.map { timedReports[$0] } }

  /// Whether a new report was never current.
  var hasHistory: Bool { ordered.count > current.count }

  /// Whether it was current in turn.
  func wasCurrent(_ timedReport: TimedReport) -> Bool {
    currentReports.contains { $0.id == timedReport.report.id }
  }

  /// Whether `shift` begins with what it says, although it counts from before.
  func begin(_ shift: OpenShift?, with timedReport: TimedReport) -> Bool {
    guard let start = shift?.trackedFrom else { return false }
    let known = stillKnown(in: currentReports.filter { $0.countsFrom <= start })
    return known.contains { $0.id == timedReport.report.id }
  }

  /// Those that were current in turn, in order.
  var currentReports: [PermissionReport] { current.map { timedReports[$0].report } }

  /// Whether two in a row count from the same instant, so that the first one never counted. Two
  /// without a number or an own time do so if two instances' clocks differ, and then both count.
  func coincide(after newest: PermissionReport?) -> Bool {
    let reports = current.map { timedReports[$0] }
    return zip([newest] + reports.map(\.report), reports).contains {
      $0?.countsFrom == $1.report.countsFrom
        && ($1.report.sequence != nil || $1.report.effectiveAt < $1.receivedAt)
    }
  }

  /// Since when each new report counts.
  var times: [Instant] { ordered.map { timedReports[$0].report.countsFrom } }

  /// The effects of the reports that were current in turn. The others may explain a silence, and
  /// notify nobody. The first report that explains a silence counts, so explanations from history
  /// come before the rest.
  func step(_ present: TimedReport, _ employee: EmployeeRecord) -> GuardStep {
    let (device, now) = (present.device.number, present.receivedAt)
    let reports = current.isEmpty ? [present.report] : currentReports
    var step = GuardRules.step(
      employee.state, .reports(reports, device: device), policy: employee.policy, now: now)
    let own = step.effects
    step.effects = []
    for place in ordered where !current.contains(place) && place != deciding {
      let timedReport = timedReports[place]
      step = step.then(
        .history(timedReport.report, device: device), policy: employee.policy, now: now)
    }
    let explained = step.effects.filter { $0.explainsSilence }
    step.effects = explained + own + step.effects.filter { !$0.explainsSilence }
    return step
  }

  /// The shifts at the times of those reports that are not in the open shift.
  func shifts(
    _ present: TimedReport, _ employee: EmployeeRecord, after step: GuardStep
  ) -> TrackedShiftsReading {
    let open = employee.state.shift
    let reports = history.map { ($0, begin(open, with: $0)) } + [(present, true)]
    let times = reports.filter { timedReport, decides in
      timedReport.openShift(employee, after: step, decides: decides) == nil
    }.map(\.0.report.effectiveAt).sorted()
    guard let first = times.first, let last = times.last else {
      return TrackedShiftsReading(of: employee.employee, in: nil)
    }
    return TrackedShiftsReading(of: employee.employee, in: first...last)
  }

  /// One result per report, in the order sent.
  func outcome(
    _ disposition: ReportOutcome.Disposition, _ snapshot: Snapshot, _ step: GuardStep?
  ) -> ReportUploadOutcome {
    let items = timedReports.enumerated().map { place, timedReport in
      ReportUploadOutcome.Item(
        report: held[place] ?? timedReport.report.id,
        disposition: held[place] != nil ? .duplicate : place == deciding ? disposition : .late)
    }
    return ReportUploadOutcome(
      items: items, snapshot: snapshot, wantsFixNow: step?.wantsFixNow ?? false, detection: nil)
  }
}

extension GuardEffect {
  fileprivate var explainsSilence: Bool {
    if case .silenceExplained = self { true } else { false }
  }
}
