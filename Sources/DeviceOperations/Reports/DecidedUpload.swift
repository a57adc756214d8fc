import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An upload of reports that was decided on what was read, and is not written yet.
struct DecidedUpload {
  private let request: ReportRequest
  private let inputs: DecisionInputs
  private let installation: Installation
  private let reports: OrderedReports
  /// What the report that determines the current state does; `nil` when nothing is new.
  private let effects: (present: TimedReport, commit: GuardCommit)?
  /// The shifts that the writing needs.
  let shifts: TrackedShiftsReading

  init(_ request: ReportRequest, _ inputs: DecisionInputs, _ earlier: StoredReports) {
    let installation = Installation(
      request.installation, of: inputs.device, known: earlier.installation)
    let reports = OrderedReports(
      request.timedReports, from: inputs.device, by: installation, stored: earlier.ids,
      originals: earlier.originals)
    self.request = request
    self.inputs = inputs
    self.installation = installation
    self.reports = reports
    guard let present = reports.present else {
      effects = nil
      shifts = TrackedShiftsReading(of: inputs.employee.employee, in: nil)
      return
    }
    let step = reports.step(present, inputs.employee)
    effects = (
      present, GuardCommit(before: inputs.employee, step: step, now: present.receivedAt)
    )
    shifts = reports.shifts(present, inputs.employee, after: step)
  }

  var guardCommit: GuardCommit? { effects?.commit }
  var receivedAt: Instant { request.receivedAt }
  /// Whether it may change what was recorded before, which takes several round trips.
  var isLate: Bool { guardCommit?.step.answer == .reportLate || reports.hasHistory }
  var keepsUploadsOut: Bool { guardCommit?.keepsUploadsOut ?? false }

  /// What follows the claim, and the employee and the device as they are then.
  func written(among shifts: [TrackedShift]) -> (writing: ReportWriting, after: DecisionInputs) {
    var writing = ReportWriting()
    guard let (present, commit) = effects else { return (writing, inputs) }
    let (employee, step, newest) = (inputs.employee, commit.step, inputs.device.newestReport)
    let isLate = present.isHistory(after: newest)
    // A late report describes the device as it was then.
    let (described, describing) =
      isLate ? (inputs.device, []) : inputs.device.described(by: present.described)
    writing.before =
      inputs.device.noteLanguage(request.language) + installation.statements + describing
    let presentShift = present.shift(employee, after: step, decides: true, among: shifts)
    let known = presentShift == nil ? stillKnown(in: reports.currentReports) : []
    for timedReport in reports.history {
      // History off shift is not kept, except what it alone says.
      let begins = reports.begin(employee.state.shift, with: timedReport)
      let shift = timedReport.shift(employee, after: step, decides: begins, among: shifts)
      if shift != nil || known.contains(where: { $0.id == timedReport.report.id }) {
        writing.reports.append(timedReport.row(shift: shift))
      }
      explain(timedReport, in: shift, after: step, &writing)
      let isLive = reports.wasCurrent(timedReport) && step.state.shift?.number == shift
      if let shift, timedReport.changesPast(of: shift, employee, isLive: isLive) {
        writing.changedShifts.insert(shift)
      }
    }
    let isInForce = step.answer == .reportInForce
    if let shift = presentShift, present.changesPast(of: shift, employee, isLive: isInForce) {
      writing.changedShifts.insert(shift)
    }
    if isInForce, let open = employee.state.shift, step.state.shift?.number == open.number,
      step.state.incidents != employee.state.incidents, reports.coincide(after: open.report)
    {
      writing.changedShifts.insert(open.number)
    }
    writing.add(present, shift: presentShift, isLate: isLate)
    explain(present, in: presentShift, after: step, &writing)
    writing.after += commit.statements + step.detections(by: present).map { insert($0) }
    if let restoration = step.restoration(by: present, before: employee.state) {
      writing.after.append(insert(restoration))
    }
    var after = inputs
    (after.employee.state, after.device) = (step.state, described)
    for report in reports.currentReports { after.device.take(report) }
    return (writing, after)
  }

  /// A silence of a shift that has ended; the rules explain those of the open one.
  private func explain(
    _ timedReport: TimedReport, in shift: Int32?, after step: GuardStep,
    _ writing: inout ReportWriting
  ) {
    let (report, device) = (timedReport.report, timedReport.device)
    guard let shift, shift != step.state.shift?.number, let cause = report.silenceCause else {
      return
    }
    writing.after.append(
      explainSilence(of: device, shift: shift, around: report.effectiveAt, by: cause))
  }

  /// The report whose detections are measured.
  var detected: ReportID? {
    effects.flatMap { present, commit in
      commit.step.detections(by: present).isEmpty ? nil : present.report.id
    }
  }

  /// The answer, once everything is written.
  func taken(_ snapshot: Snapshot) -> ReportRound.Taken {
    guard let (present, commit) = effects else {
      return ReportRound.Taken(outcome: reports.outcome(.duplicate, snapshot, nil))
    }
    let step = commit.step
    let disposition: ReportOutcome.Disposition =
      switch step.answer {
      case .reportInForce: .inForce
      case .reportLate: .late
      default: present.isHistory(after: inputs.device.newestReport) ? .late : .noted
      }
    return ReportRound.Taken(
      outcome: reports.outcome(disposition, snapshot, step), times: reports.times,
      detected: detected, silenced: silenced(commit), notifications: step.notifications)
  }

  /// The shift of which an earlier request may have ended the silence that a report has ended, or
  /// in which a report may explain a silence from after it.
  private func silenced(_ commit: GuardCommit) -> ShiftID? {
    guard let shift = inputs.employee.state.shift else { return nil }
    let explains = reports.currentReports.contains {
      $0.silenceCause != nil && receivedAt - $0.effectiveAt >= Policy.fixAgeMin
    }
    guard commit.endsSilence || explains else { return nil }
    return ShiftID(employee: inputs.employee.employee, number: shift.number)
  }
}

/// What uploads write after their claims: reports of all of them together.
struct ReportWriting {
  fileprivate var before: [SQL] = []
  fileprivate(set) var reports: [ReportRow] = []
  fileprivate var newest: [(report: ReportID, device: DeviceID)] = []
  fileprivate var after: [SQL] = []
  /// The shifts of which a late report may have changed what was.
  fileprivate(set) var changedShifts: Set<Int32> = []

  init() {}

  /// Those of different employees, in order.
  init(_ parts: [ReportWriting]) {
    before = parts.flatMap(\.before)
    reports = parts.flatMap(\.reports)
    newest = parts.flatMap(\.newest)
    after = parts.flatMap(\.after)
  }

  /// Stores a report with its shift or, off shift, in place of the previous ones. A late report
  /// off shift is not kept.
  fileprivate mutating func add(_ present: TimedReport, shift: Int32?, isLate: Bool) {
    if shift == nil {
      if isLate { return }
      before.append(deleteReportsOffShift(of: present.device, before: present.report))
    }
    reports.append(present.row(shift: shift))
    if !isLate { newest.append((present.report.id, present.device)) }
  }

  var statements: [SQL] {
    before + (reports.isEmpty ? [] : [insertIfMissing(reports)])
      + (newest.isEmpty ? [] : [setNewestReports(newest)]) + after
  }
}
