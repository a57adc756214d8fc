import GuardRules
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// One upload of permission reports, with server times.
struct ReportRequest: Sendable {
  let credential: DeviceCredential
  /// `nil`: the enrolment counts as the installation.
  let installation: String?
  /// `nil` when none of the requested languages is supported.
  let language: Language?
  let timedReports: [TimedReport]
  let receivedAt: Instant
  /// Whether reports without a sequence may have been sent before.
  let mayRepeat: Bool

  /// The effective times of stored reports that these may be copies of; `nil`: they are none.
  fileprivate var copies: ClosedRange<Instant>? {
    let times = mayRepeat ? timedReports.flatMap(\.timesOfCopies) : []
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }
}

/// Uploads of different employees that share a transaction. They take as many round trips as one.
struct ReportRound: Sendable {
  typealias Answer = Result<Taken, OperationError>

  /// The answer to an upload, and what follows from it.
  struct Taken: Sendable {
    var outcome: ReportUploadOutcome
    /// Since when each new report counts.
    var times: [Instant] = []
    /// The report whose detections are measured.
    var detected: ReportID?
    /// The shift whose silences are to be recorded again, once all contacts are known.
    var silenced: ShiftID?
    var notifications: [ShiftNotification] = []
  }

  /// By index. In the order of employees, like all transactions that write more than one of them.
  private let requests: [(index: Int, request: ReportRequest)]
  private let admission: Admission

  /// The second upload of an employee must be decided after the first: it is left out.
  init(oneOfEachEmployee requests: [ReportRequest], admission: Admission) {
    var employees: Set<EmployeeID> = []
    self.requests = requests.enumerated()
      .filter { employees.insert($0.element.credential.device.employee).inserted }
      .sorted { $0.element.credential.device.employee < $1.element.credential.device.employee }
      .map { ($0.offset, $0.element) }
    self.admission = admission
  }

  /// The answers, by index of the requests. One that is missing must be taken alone.
  func take(on session: inout Session) throws(PostgresError)
    -> TransactionResult<[Int: Answer]>
  {
    var decisions = DecisionReading(about: requests.map(\.request.credential.device))
    var earlier = UploadReading(of: requests.map(\.request.sentReports))
    try session.run(&decisions, &earlier)
    var answers: [Int: Answer] = [:]
    var admitted: [(index: Int, request: ReportRequest, inputs: DecisionInputs)] = []
    for (index, request) in requests {
      let inputs = admission.admit(
        request.credential, decisions[request.credential.device], at: request.receivedAt)
      if let inputs {
        admitted.append((index, request, inputs))
      } else {
        answers[index] = .failure(.unauthorized)
      }
    }
    let inputs = try rememberingReports(admitted.map(\.inputs), on: &session)
    var decided: [(index: Int, upload: DecidedUpload)] = []
    for ((index, request, _), inputs) in zip(admitted, inputs) {
      let upload = DecidedUpload(request, inputs, earlier[inputs.device.device])
      // Pings, or detections, of many employees would have to wait for the whole round.
      if requests.count > 1, upload.keepsUploadsOut || upload.isLate { continue }
      decided.append((index, upload))
    }
    let taken = try commit(decided.map(\.upload), on: &session)
    for (index, one) in zip(decided.map(\.index), taken) { answers[index] = .success(one) }
    return .done(
      answers, queued: taken.flatMap(\.notifications),
      at: decided.map(\.upload.receivedAt).max() ?? admission.core.now())
  }

  private func commit(_ uploads: [DecidedUpload], on session: inout Session)
    throws(PostgresError) -> [Taken]
  {
    var shifts = Readings(uploads.map(\.shifts))
    try session.run(&shifts)
    let written = zip(uploads, shifts.parts).map { $0.written(among: $1.found) }
    var commits: [GuardCommit] = []
    for commit in uploads.compactMap(\.guardCommit) {
      if !commit.keepsUploadsOut {
        commits.append(commit)
      } else if try !commit.claim(on: &session) {
        throw .lost
      }
    }
    var after = written.map(\.after)
    var reading = SnapshotReading(of: subjects(uploads, after))
    try GuardCommit.act(
      claiming: commits, ReportWriting(written.map(\.writing)).statements, &reading, on: &session)
    var recounted: [Int: [ShiftNotification]] = [:]
    for place in uploads.indices {
      for shift in written[place].writing.changedShifts.sorted() {
        let shift = ShiftID(employee: after[place].employee.employee, number: shift)
        let commit = try admission.core.recount(shift, at: uploads[place].receivedAt, on: &session)
        guard let commit else { continue }
        after[place].employee.state = commit.step.state
        recounted[place, default: []] += commit.step.notifications
      }
    }
    if !recounted.isEmpty {
      reading = SnapshotReading(of: subjects(uploads, after))
      try session.run(&reading)
    }
    var taken = zip(uploads, try reading.snapshots(on: &session)).map { $0.taken($1) }
    for (place, notifications) in recounted { taken[place].notifications += notifications }
    return taken
  }

  private func subjects(_ uploads: [DecidedUpload], _ after: [DecisionInputs])
    -> [SnapshotSubject]
  {
    zip(uploads, after).map { SnapshotSubject($1.employee, $1.device, at: $0.receivedAt) }
  }
}

extension ReportRequest {
  var sentReports: SentReports {
    SentReports(
      from: credential.device, installation: installation,
      sequences: timedReports.compactMap(\.report.sequence), copies: copies)
  }
}

/// These inputs with the marks of the shift's reports. Where the state does not have them, as after
/// a late report, the reports are read, in a round trip of their own.
func rememberingReports(_ inputs: [DecisionInputs], on session: inout Session)
  throws(PostgresError) -> [DecisionInputs]
{
  let places = inputs.indices.filter { inputs[$0].needsReports }
  guard !places.isEmpty else { return inputs }
  var inputs = inputs
  var shifts = Readings(
    places.compactMap { place in
      inputs[place].employee.state.shift.map {
        ShiftReading(of: ShiftID(employee: inputs[place].employee.employee, number: $0.number))
      }
    })
  try session.run(&shifts)
  for (place, reading) in zip(places, shifts.parts) {
    guard let record = reading.record, let shift = inputs[place].employee.state.shift else {
      continue
    }
    let frame = CoverageFrame(
      record, reading.surroundings, asOf: Instant(milliseconds: .max))
    inputs[place].employee.state.shift?.reportMarks = ReportMarks(of: shift, frame)
  }
  return inputs
}

extension DecisionInputs {
  /// Whether a report of this device would be marked if the state had the marks before it.
  fileprivate var needsReports: Bool {
    guard let shift = employee.state.shift, shift.device == device.device.number else {
      return false
    }
    return shift.reportMarks == nil
  }
}
