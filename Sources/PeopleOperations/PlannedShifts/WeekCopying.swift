import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum WeekCopyOutcome: Hashable, RefusableAnswer {
  case copied(WeekCopy)
  /// Both days are in one week.
  case sameWeek
  /// The week to copy to is over.
  case over

  package func get() throws(Refusal) -> WeekCopy {
    switch self {
    case .copied(let copy): return copy
    case .sameWeek: throw .invalid("/to", "the two days must be in different weeks")
    case .over: throw .conflict("week_over", "the week to copy to is over")
    }
  }
}

extension PeopleOperations {
  /// Plans what is planned in a team's week of `source` again in that of `target`, at the same
  /// times of day, for its active employees. What would overlap, begin or end in an absence, or be
  /// over is skipped. The same again changes nothing.
  package func copyWeek(
    of team: TeamID, from source: CivilDate, to target: CivilDate, isTrial: Bool,
    by principal: Principal
  ) async throws(OperationError) -> WeekCopyOutcome {
    try principal.actor.check(reason: nil)
    let time = try CivilTime(of: try await core.team(team))
    guard source.monday != target.monday else { return .sameWeek }
    let (at, fixedNow) = (core.now(), core.deadlines?())
    guard time.week(of: target).end > at else { return .over }
    let weeks = (from: source.monday, to: target.monday)
    return try await core.transact(within: .seconds(60)) { (session) throws(PostgresError) in
      let planned = try startingShifts(
        of: team, at: at, in: time.week(of: weeks.from), on: &session)
      let employees = Set(planned.map(\.employee)).sorted { $0.rawValue < $1.rawValue }
      // First, so that a deactivation or a change of team at the same time waits.
      if !isTrial { try session.pipeline(pollNow(at: employees, now: fixedNow)) }
      var copying = WeekCopying(isTrial: isTrial, time: time, at: at)
      copying.days = weeks.to.daysSince1970 - weeks.from.daysSince1970
      try copying.read(employees, of: team, in: time.week(of: weeks.to), on: &session)
      for plannedShift in planned { copying.add(plannedShift) }
      guard !isTrial, !copying.new.isEmpty else { return .done(.copied(copying.result)) }
      try insertAll(newPlannedShifts(copying.new, by: principal, at: at), at: at, on: &session)
      try audit(
        .weekCopied, by: principal, at: at, target: team.rawValue,
        reason: """
          \(copying.new.count) planned, from the week of \(weeks.from.text) to that of \
          \(weeks.to.text)
          """, on: &session)
      return .done(.copied(copying.result))
    }
  }
}

/// The planned shifts of a team's active employees that begin in `span`, by employee and start.
private func startingShifts(
  of team: TeamID, at now: Instant, in span: Interval, on session: inout Session
) throws(PostgresError) -> [PlannedShift] {
  let profiles = try session.value(of: employeeProfiles(of: team, activeAfter: now, limit: .max))
  return try ShiftStore.plannedShifts(
    of: profiles.map(\.employee), touching: span, on: &session
  ).filter { $0.span.start >= span.start }
}

/// The planned shifts of a week, compared with what is planned in another one.
private struct WeekCopying {
  private(set) var result: WeekCopy
  private(set) var new: [(employee: EmployeeID, span: Interval, sites: [Int16])] = []
  /// How much later the week to copy to is.
  var days = 0
  private let time: CivilTime
  private let at: Instant
  private var names: [EmployeeID: String] = [:]
  private var present: [EmployeeID: [(span: Interval, sites: [Int16])]] = [:]
  private var absences: [EmployeeID: [Absence]] = [:]
  private var sites: Set<Int16> = []

  init(isTrial: Bool, time: CivilTime, at: Instant) {
    result = WeekCopy(isTrial: isTrial)
    (self.time, self.at) = (time, at)
  }

  /// Reads what is in the way of shifts that begin in `span`.
  mutating func read(
    _ employees: [EmployeeID], of team: TeamID, in span: Interval, on session: inout Session
  ) throws(PostgresError) {
    // A shift may last until after the week, or begin before it where the clock skips a midnight.
    let around = Interval(from: span.start - .hours(48), to: span.end + .hours(48))
    var batch = Batch()
    let profiles = batch.append(employeeProfiles(employees))
    let planned = batch.append(ShiftStore.plannedShifts(of: employees, touching: around))
    let absent = batch.append(ShiftStore.absences(of: employees, touching: around))
    let known = batch.append(ShiftStore.sites(of: team))
    try session.run(&batch)
    for profile in batch[profiles] where profile.team == team && profile.deactivatedAt == nil {
      names[profile.employee] = profile.name
    }
    for one in batch[planned] { present[one.employee, default: []].append((one.span, one.sites)) }
    absences = Dictionary(grouping: batch[absent], by: \.employee)
    sites = Set(batch[known].map(\.number))
  }

  mutating func add(_ plannedShift: PlannedShift) {
    let employee = plannedShift.employee
    guard let name = names[employee] else { return }
    let span = plannedShift.span.moved(by: days, time)
    // A site that is removed is named no longer.
    let named = plannedShift.sites.filter { sites.contains($0) }
    let others = (present[employee] ?? []).filter { $0.span.overlaps(span) }
    if others.contains(where: { $0.span == span && $0.sites == named }) {
      return result.unchanged += 1
    }
    if let reason = reason(against: span, of: employee, others.first?.span) {
      result.skipped.append(WeekCopy.Skipped(employee, name: name, span: span, reason))
    } else {
      present[employee, default: []].append((span, named))
      new.append((employee, span, named))
      result.added += 1
    }
  }

  /// Why nothing is planned in `span`; `nil` if it is.
  private func reason(against span: Interval, of employee: EmployeeID, _ other: Interval?)
    -> WeekCopy.Skipped.Reason?
  {
    guard span.start < span.end, span.length <= PeopleOperations.plannedShiftMax else {
      return .clockChange
    }
    guard span.end > at else { return .past }
    let absence = absences[employee]?.first { $0.span.overlaps(span) }
    return absence.map { .absent($0.span) } ?? other.map { .overlaps($0) }
  }
}

extension Interval {
  /// The same times of day, so many days later, by the rules for planned local times.
  fileprivate func moved(by days: Int, _ time: CivilTime) -> Interval {
    let (from, to) = WallTime.span(
      WallTime(start, by: time).advanced(by: days), WallTime(end, by: time).advanced(by: days),
      by: time)
    // Wall times are to the minute.
    func rest(_ instant: Instant) -> TimeSpan { .milliseconds(instant.milliseconds % 60_000) }
    let (first, last) = (from + rest(start), to + rest(end))
    return Interval(from: first, to: max(first, last))
  }
}
