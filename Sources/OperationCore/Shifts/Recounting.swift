import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension OperationCore {
  /// Makes the incidents of a shift what all its records say, after something that came late was
  /// stored in the same transaction.
  /// While a correction is in force, silences on record are about the times of before: they stay as
  /// they are until an undo.
  /// - Parameters:
  ///   - isComplete: Whether silences are recorded by all that was received, too. Otherwise those
  ///     on record are only cut by what was rolled up.
  ///   - heardUntil: Until when all contacts are known, if they are: then also those silences are
  ///     recorded that no later contact has ended.
  /// - Returns: What it did; `nil`: nothing has changed, or there is no such shift.
  package func recount(
    _ shift: ShiftID, isComplete: Bool = false, heardUntil: Instant? = nil, at now: Instant,
    on session: inout Session
  ) throws(PostgresError) -> GuardCommit? {
    var batch = Batch()
    let employees = batch.append(EmployeeReading(of: [shift.employee]))
    let reading = batch.append(ShiftReading(of: shift))
    let corrected = batch.append(isCorrected(shift))
    let stored = batch.append(recordedIncidents(of: shift))
    let gaps = isComplete ? batch.append(receiptGaps(of: [shift], heardUntil: heardUntil)) : nil
    let pings = isComplete ? batch.append(coveragePings(of: shift)) : nil
    try session.run(&batch)
    guard let employee = batch[employees][shift.employee]?.withDeadlines(ahead: clockAhead),
      let row = batch[reading].record, let isCorrected = batch[corrected]
    else { return nil }
    let surroundings = batch[reading].surroundings
    if isComplete, surroundings.rollup.isSealed || isCorrected { return nil }
    var frame = CoverageFrame(row, surroundings, asOf: Instant(milliseconds: .max))
    frame.keptReceiptGaps = gaps.map { batch[$0][shift] ?? [] }
    let all = pings.map { batch[$0].counted(in: frame, isOpen: row.endedAt == nil) }
    let signs = all.map { ContactRuns($0) } ?? surroundings.rollup.contactRuns ?? ContactRuns()
    let recount = Recount(
      of: shift.number,
      batch[stored].map { $0.withDeadlines(later: employee.clockAhead) },
      as: ShiftReplay(frame, isOpen: row.endedAt == nil),
      CoverageFacts(of: row, frame, signs), employee.state, debounce: employee.policy.debounce,
      leavesSilences: isCorrected)
    // What ends a rest may let a silence begin earlier, which the rollup records.
    if !isComplete, signs.announces { try session.execute(markDirty(shift)) }
    guard let recount else { return nil }
    let commit = GuardCommit(
      before: employee,
      step: step(employee.state, .recounted(recount), policy: employee.policy, now: now), now: now)
    var nothing = Batch()
    try commit.act(commit.statements, &nothing, on: &session)
    return commit
  }

  /// The same for several shifts of an employee.
  /// - Returns: The notifications about what holds now.
  package func recount(
    _ shifts: Set<Int32>, of employee: EmployeeID, at now: Instant, on session: inout Session
  ) throws(PostgresError) -> [ShiftNotification] {
    var notifications: [ShiftNotification] = []
    for number in shifts.sorted() {
      let shift = ShiftID(employee: employee, number: number)
      let commit = try recount(shift, at: now, on: &session)
      notifications += commit?.step.notifications ?? []
    }
    return notifications
  }
}
