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

  /// The answer to an upload, the report whose detections are measured, and the notifications.
  struct Taken: Sendable {
    var outcome: ReportUploadOutcome
    var detected: ReportID?
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
    var gathered = Readings(requests.map { ReportGathering(for: $0.request) })
    try session.run(&gathered)
    var answers: [Int: Answer] = [:]
    var decided: [(index: Int, upload: DecidedUpload)] = []
    for ((index, request), facts) in zip(requests, gathered.parts) {
      let inputs = admission.admit(
        request.credential, facts.decision.inputs, at: request.receivedAt)
      guard let inputs else {
        answers[index] = .failure(.unauthorized)
        continue
      }
      let upload = DecidedUpload(request, inputs, facts.earlier)
      // Pings of many employees would have to wait for the whole round.
      if requests.count > 1, upload.keepsUploadsOut { continue }
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
    var claims: [SQL] = []
    for commit in uploads.compactMap(\.guardCommit) {
      if !commit.keepsUploadsOut {
        claims.append(commit.claim)
      } else if try !commit.claim(on: &session) {
        throw .lost
      }
    }
    var snapshots = Readings(written.map(\.snapshot))
    try GuardCommit.act(
      claiming: claims, written.flatMap(\.statements), &snapshots, on: &session)
    var taken: [Taken] = []
    for (upload, reading) in zip(uploads, snapshots.parts) {
      taken.append(upload.taken(try reading.snapshot(on: &session)))
    }
    return taken
  }
}

/// Reads what the decision on an upload needs.
private struct ReportGathering: Reading {
  let statements: [SQL]
  private(set) var decision: DecisionReading
  private(set) var earlier: UploadReading

  init(for request: ReportRequest) {
    decision = DecisionReading(about: request.credential.device)
    earlier = UploadReading(
      from: request.credential.device, installation: request.installation,
      sequences: request.timedReports.compactMap(\.report.sequence), copies: request.copies)
    statements = decision.statements + earlier.statements
  }

  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position < decision.statements.count {
      try decision.add(position, rows)
    } else {
      try earlier.add(position - decision.statements.count, rows)
    }
  }
}
