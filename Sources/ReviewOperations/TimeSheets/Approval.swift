import CivilTime
import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How long an employee has to object to an added shift before it can be approved without them.
package let objectionTime = TimeSpan.hours(7 * 24)

/// How many shifts can be approved at once.
package let approvalsMax = 1_000

/// A shift with the revision of its times that the manager saw.
package struct SeenTimes: Hashable, Sendable {
  package var shift: ShiftID
  package var revision: String

  package init(shift: ShiftID, revision: String) {
    (self.shift, self.revision) = (shift, revision)
  }
}

package enum ApprovalOutcome: Hashable, Sendable {
  /// Approved, now or before.
  case approved(ShiftApproval)
  /// The shift is open.
  case open
  /// It needs review first.
  case inReview
  /// A manager added it, and the employee has neither confirmed it nor had a week to object.
  case unconfirmed
  /// Its times are no longer those that the manager saw.
  case changed
  /// It is the manager's own shift.
  case own
  /// There is no such shift, or the manager may not see it.
  case notFound
  /// It was not tried, because the database was busy with the employee or not there.
  case tryAgain

  /// Its code in JSON.
  package var code: String {
    switch self {
    case .approved: "approved"
    case .open: "open"
    case .inReview: "in_review"
    case .unconfirmed: "unconfirmed"
    case .changed: "changed"
    case .own: "own"
    case .notFound: "not_found"
    case .tryAgain: "try_again"
    }
  }

  package var approval: ShiftApproval? {
    guard case .approved(let approval) = self else { return nil }
    return approval
  }
}

package enum ReopeningOutcome: Hashable, RefusableAnswer {
  case reopened(RecordedTimes)
  case notApproved
  /// It was approved at another time than the caller saw.
  case changed
  /// It is the manager's own shift.
  case own
  /// There is no such shift, or the manager may not see it.
  case notFound
  /// It was not tried, because the database was busy with the employee or not there.
  case tryAgain

  /// Its code in JSON.
  package var code: String {
    switch self {
    case .reopened: "reopened"
    case .notApproved: "not_approved"
    case .changed: "changed"
    case .own: "own"
    case .notFound: "not_found"
    case .tryAgain: "try_again"
    }
  }

  package func get() throws(Refusal) -> RecordedTimes {
    switch self {
    case .reopened(let times): times
    case .notApproved:
      throw .conflict("not_approved", "the times of this shift are not approved")
    case .changed, .notFound, .tryAgain:
      throw .conflict("changed_meanwhile", "the shift has changed since you read it")
    case .own:
      throw Refusal(
        .forbidden, "own_approval", "you cannot reopen your own shift; ask another manager")
    }
  }
}

extension Refusal {
  static func approved(_ approval: ShiftApproval) -> Refusal {
    conflict(
      "shift_approved",
      "the times of this shift were approved by \(approval.by); reopen it to change them")
  }
}

extension ReviewOperations {
  /// Approves the times of these shifts, which locks them, and fixes their day, time zone and team:
  /// later corrections, undone corrections and confirmations of an end are refused until the shift
  /// is reopened. The shifts of each employee are approved together. Done again, nothing changes.
  /// - Parameter seen: At most `approvalsMax`, each shift once.
  /// - Returns: The outcome for each of `seen`, in its order.
  package func approve(_ seen: [SeenTimes], by principal: Principal)
    async throws(OperationError) -> [ApprovalOutcome]
  {
    guard (1...approvalsMax).contains(seen.count), Set(seen.map(\.shift)).count == seen.count
    else { throw .invalid("1 to \(approvalsMax) shifts can be approved at once, each named once") }
    var outcomes: [ShiftID: ApprovalOutcome] = [:]
    // The same for all, so that they can be reopened together.
    let at = core.now()
    let byEmployee = Dictionary(grouping: seen, by: \.shift.employee)
    for (employee, seen) in byEmployee.sorted(by: { $0.key < $1.key }) {
      guard principal.actor.employee != employee else {
        for seen in seen { outcomes[seen.shift] = .own }
        continue
      }
      do throws(OperationError) {
        outcomes.merge(try await approve(seen, of: employee, at: at, by: principal)) { $1 }
      } catch {
        // What was approved before stays approved, and the caller must learn of it.
        guard !outcomes.isEmpty else { throw error }
        for seen in seen { outcomes[seen.shift] = .tryAgain }
      }
    }
    return seen.map { outcomes[$0.shift] ?? .notFound }
  }

  private func approve(
    _ seen: [SeenTimes], of employee: EmployeeID, at: Instant, by principal: Principal
  ) async throws(OperationError) -> [ShiftID: ApprovalOutcome] {
    let approval = ShiftApproval(by: principal.actor.name, at: at)
    return try await core.transact { (session) throws(PostgresError) in
      guard let record = try gather(employee, on: &session)?.withDeadlines(ahead: core.clockAhead),
        let team = try ShiftStore.team(of: employee, on: &session),
        principal.may(.coverage, of: team)
      else { return .done([:]) }
      let times = try recordedTimes(of: employee, seen.map(\.shift.number), on: &session)
      let revisions = Dictionary(seen.map { ($0.shift, $0.revision) }, uniquingKeysWith: { $1 })
      var outcomes: [ShiftID: ApprovalOutcome] = [:]
      let told = try firstTold(
        ofAdded: times.filter { $0.state == .unconfirmed }.map(\.shift.number), of: employee,
        on: &session)
      for times in times {
        let isTold = told[times.shift.number].map { at - $0 >= objectionTime } ?? false
        outcomes[times.shift] = times.outcome(
          seen: revisions[times.shift], isTold: isTold, approval)
      }
      let approved = times.filter {
        outcomes[$0.shift] == .approved(approval) && $0.approval == nil
      }
      guard let rule = approved.first?.payRule else { return .done(outcomes) }
      var state = record.state
      // The question when it really ended is answered.
      if approved.contains(where: { $0.shift.number == state.unconfirmed?.number }) {
        state.unconfirmed = nil
      }
      let guardCommit = GuardCommit(
        before: record, step: GuardStep(state: state, effects: [], answer: .noted), now: at)
      guard try guardCommit.claim(on: &session) else { return .lost }
      try session.pipeline(
        put(approval, on: try approved.places(in: record.timeZone), paidBy: rule, of: employee)
          + approved.map { times in
            auditEntry(
              .timesApproved, by: principal, at: at, about: employee, in: team,
              shift: times.shift.number)
          })
      return .done(outcomes)
    }
  }

  /// Takes the approval of a shift back, so that its times can be changed.
  /// - Parameter reason: 1…500 characters, for the audit log, which the employee can read.
  package func reopen(_ shift: ShiftID, reason: String, by principal: Principal)
    async throws(OperationError) -> ReopeningOutcome
  {
    let outcome = try await reopen([shift], approvedAt: nil, reason: reason, by: principal)[0]
    if outcome == .notFound { throw .shiftNotFound(shift) }
    return outcome
  }

  /// The same for many shifts; those of each employee are reopened together.
  /// - Parameters:
  ///   - shifts: At most `approvalsMax`, each once.
  ///   - approvedAt: Only those that were approved then; `nil`: all.
  /// - Returns: The outcome for each of `shifts`, in their order.
  package func reopen(
    _ shifts: [ShiftID], approvedAt: Instant?, reason: String, by principal: Principal
  ) async throws(OperationError) -> [ReopeningOutcome] {
    guard (1...approvalsMax).contains(shifts.count), Set(shifts).count == shifts.count
    else { throw .invalid("1 to \(approvalsMax) shifts can be reopened at once, each named once") }
    try principal.actor.check(reason: reason)
    var outcomes: [ShiftID: ReopeningOutcome] = [:]
    let byEmployee = Dictionary(grouping: shifts, by: \.employee)
    for (employee, shifts) in byEmployee.sorted(by: { $0.key < $1.key }) {
      guard principal.actor.employee != employee else {
        for shift in shifts { outcomes[shift] = .own }
        continue
      }
      do throws(OperationError) {
        let found = try await reopen(
          shifts.map(\.number), of: employee, approvedAt: approvedAt, reason: reason,
          by: principal)
        outcomes.merge(found) { $1 }
      } catch {
        guard !outcomes.isEmpty else { throw error }
        for shift in shifts { outcomes[shift] = .tryAgain }
      }
    }
    return shifts.map { outcomes[$0] ?? .notFound }
  }

  private func reopen(
    _ numbers: [Int32], of employee: EmployeeID, approvedAt: Instant?, reason: String,
    by principal: Principal
  ) async throws(OperationError) -> [ShiftID: ReopeningOutcome] {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard try hold(employee, on: &session),
        let team = try ShiftStore.team(of: employee, on: &session),
        principal.may(.coverage, of: team)
      else { return .done([:]) }
      var outcomes: [ShiftID: ReopeningOutcome] = [:]
      var approved: [Int32] = []
      for times in try recordedTimes(of: employee, numbers, on: &session) {
        guard let approval = times.approval else {
          outcomes[times.shift] = .notApproved
          continue
        }
        guard approvedAt == nil || approvedAt == approval.at else {
          outcomes[times.shift] = .changed
          continue
        }
        approved.append(times.shift.number)
      }
      guard !approved.isEmpty else { return .done(outcomes) }
      guard try bumpVersion(of: employee, on: &session),
        try session.pipeline(ShiftStore.reopen(approved, of: employee)).reduce(0, +)
          == approved.count
      else { return .lost }
      try session.pipeline(
        approved.map { number in
          auditEntry(
            .timesReopened, by: principal, at: at, about: employee, in: team, shift: number,
            reason: reason)
        })
      for times in try recordedTimes(of: employee, approved, on: &session) {
        outcomes[times.shift] = .reopened(times)
      }
      return .done(outcomes)
    }
  }
}

extension [RecordedTimes] {
  /// Where they count now, by number.
  fileprivate func places(in zone: String) throws(PostgresError) -> [Int32: CivilPlace] {
    let time = try CivilTime(ofTeamIn: zone)
    return reduce(into: [:]) { places, times in
      let day = Int32(time.date(of: times.startedAt).daysSince1970)
      places[times.shift.number] = CivilPlace(team: times.team, timeZone: zone, day: day)
    }
  }
}

extension RecordedTimes {
  /// - Parameter isTold: Whether the employee has known of an added shift for long enough.
  fileprivate func outcome(seen revision: String?, isTold: Bool, _ wanted: ShiftApproval)
    -> ApprovalOutcome
  {
    switch state {
    case .unconfirmed where !isTold: .unconfirmed
    case .open: .open
    case .inReview: .inReview
    case .approved: .approved(approval ?? wanted)
    case .ready, .unconfirmed: revision == self.revision ? .approved(wanted) : .changed
    }
  }
}
