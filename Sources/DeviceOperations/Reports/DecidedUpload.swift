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
  private let upload: ReportUpload
  /// What the report that determines the current state does; `nil` when nothing is new.
  private let effects: (present: TimedReport, commit: GuardCommit)?
  /// The shifts that the writing needs.
  let shifts: TrackedShiftsReading

  init(_ request: ReportRequest, _ inputs: DecisionInputs, _ earlier: UploadReading) {
    let installation = Installation(
      request.installation, of: inputs.device, known: earlier.installation)
    let upload = ReportUpload(
      request.timedReports, by: installation, stored: earlier.stored,
      originals: earlier.originals, after: inputs.device.newestReport)
    self.request = request
    self.inputs = inputs
    self.installation = installation
    self.upload = upload
    guard let present = upload.present else {
      effects = nil
      shifts = TrackedShiftsReading(of: inputs.employee.employee, in: nil)
      return
    }
    let step = upload.step(present, inputs.employee)
    effects = (
      present, GuardCommit(before: inputs.employee, step: step, now: present.receivedAt)
    )
    shifts = upload.shifts(present, inputs.employee, after: step)
  }

  var guardCommit: GuardCommit? { effects?.commit }
  var receivedAt: Instant { request.receivedAt }
  var keepsUploadsOut: Bool { guardCommit?.keepsUploadsOut ?? false }

  /// The statements that follow the claim, and what the answer needs.
  func written(among shifts: [TrackedShift]) -> (statements: [SQL], snapshot: SnapshotReading) {
    guard let (present, commit) = effects else {
      return ([], SnapshotReading(inputs.employee, inputs.device, at: receivedAt))
    }
    let (employee, step, newest) = (inputs.employee, commit.step, inputs.device.newestReport)
    let isLate = present.isHistory(after: newest)
    // A late report describes the device as it was then.
    let (described, describing) =
      isLate ? (inputs.device, []) : inputs.device.described(by: present.described)
    var statements =
      inputs.device.noteLanguage(request.language) + installation.statements + describing
    for timedReport in upload.history {
      let shift = timedReport.shift(employee, after: step, decides: false, among: shifts)
      statements += timedReport.historyStatements(shift: shift)
    }
    let shift = present.shift(employee, after: step, decides: true, among: shifts)
    statements += present.statements(shift: shift, newest: newest) + commit.statements
    statements += step.detections(by: present).map { insert($0) }
    if let restoration = step.restoration(by: present, before: employee.state) {
      statements.append(insert(restoration))
    }
    var (after, device) = (employee, described)
    after.state = step.state
    if !isLate { device.newestReport = present.report }
    return (statements, SnapshotReading(after, device, at: present.receivedAt))
  }

  /// The answer, once everything is written.
  func taken(_ snapshot: Snapshot) -> ReportRound.Taken {
    guard let (present, commit) = effects else {
      return ReportRound.Taken(outcome: upload.outcome(.duplicate, snapshot, nil))
    }
    let step = commit.step
    let disposition: ReportOutcome.Disposition =
      switch step.answer {
      case .reportInForce: .inForce
      case .reportLate: .late
      default: present.isHistory(after: inputs.device.newestReport) ? .late : .noted
      }
    return ReportRound.Taken(
      outcome: upload.outcome(disposition, snapshot, step),
      detected: step.detections(by: present).isEmpty ? nil : present.report.id,
      notifications: step.notifications)
  }
}
