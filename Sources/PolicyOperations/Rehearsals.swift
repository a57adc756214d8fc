import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How many rehearsals there may be at a time.
package let rehearsalsMax = 20

/// The length of a rehearsal, and how long its enrolment codes are valid.
package let rehearsalSpan = TimeSpan.hours(1)

package enum RehearsalOutcome: Hashable, RefusableAnswer {
  case begun(Rehearsal)
  case tooMany

  package func get() throws(Refusal) -> Rehearsal {
    guard case .begun(let rehearsal) = self else {
      throw .conflict(
        "too_many_rehearsals", "there are \(rehearsalsMax) rehearsals already; end one first")
    }
    return rehearsal
  }
}

extension Policy {
  /// As of a new team, but nobody has to wait for a second notification.
  fileprivate static var practice: Policy {
    var policy = Policy.policy(of: .standard)
    policy.debounce = .zero
    policy.cooldown = .zero
    return policy
  }
}

extension PolicyOperations {
  /// Adds a practice employee, in the practice team, which the first rehearsal adds. Their phone is
  /// enrolled as any other.
  package func beginRehearsal(by principal: Principal)
    async throws(OperationError) -> RehearsalOutcome
  {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      // One at a time counts them, and adds the team.
      try session.execute(holdNumbers)
      guard try practiceEmployees(on: &session).count < rehearsalsMax else {
        return .done(.tooMany)
      }
      let present = try practiceTeam(on: &session)
      let team =
        if let present { present } else { try addPracticeTeam(now: fixedNow, on: &session) }
      let employee = try addPracticeEmployee(
        for: rehearsalSpan, to: team, now: fixedNow, on: &session)
      try audit(.rehearsalBegun, by: principal, at: at, target: employee.rawValue, on: &session)
      guard let rehearsal = try employeeProfiles([employee], on: &session).first?.asRehearsal
      else { return .lost }
      return .done(.begun(rehearsal))
    }
  }

  /// With the time zone of the first team, as somebody who sets the product up lives there.
  private func addPracticeTeam(now fixedNow: Instant?, on session: inout Session)
    throws(PostgresError) -> TeamID
  {
    let teams = try ShiftStore.teams(on: &session)
    let taken = Set(teams.map(\.name))
    var (name, number) = ("Practice team", 1)
    while taken.contains(name) {
      number += 1
      name = "Practice team \(number)"
    }
    return try ShiftStore.addTeam(
      name: name, timeZone: teams.first?.timeZone ?? "UTC", policy: .practice, isPractice: true,
      now: fixedNow, on: &session)
  }

  /// The rehearsals that have not ended, by number, without their steps.
  package func rehearsals() async throws(OperationError) -> [Rehearsal] {
    try await core.readSnapshot { (session) throws(PostgresError) in
      try practiceEmployees(on: &session).compactMap(\.asRehearsal)
    }
  }

  /// A rehearsal with its steps, as they are stored: of the shift in which the phone could first
  /// not be located, before that of the newest one.
  /// - Throws: `.notFound` also once it has ended.
  package func rehearsal(of employee: EmployeeID) async throws(OperationError) -> Rehearsal {
    let found: Rehearsal? = try await core.readSnapshot { (session) throws(PostgresError) in
      guard var found = try employeeProfiles([employee], on: &session).first?.asRehearsal
      else { return nil }
      let loss = try firstLoss(of: employee, on: &session)
      let shifts = try ShiftStore.shifts(of: employee, openOnly: false, limit: 100, on: &session)
        .filter { $0.device != nil }
      let shift = shifts.first { $0.shift.number == loss?.shift } ?? shifts.first
      found.happened[.phoneEnrolled] = try ShiftStore.devices(of: employee, on: &session)
        .map(\.enrolledAt).min()
      found.happened[.clockedIn] = shift?.startedAt
      found.happened[.clockedOut] = shift?.endedAt
      if let loss {
        found.happened[.locationLost] = loss.at
        found.happened[.notified] = try notified(
          of: loss.incident, since: loss.at, on: &session)
        found.happened[.locationRestored] = try firstRestoration(
          of: ShiftID(employee: employee, number: loss.shift), after: loss.at, on: &session)
      }
      return found
    }
    guard let found else { throw .noRehearsal(of: employee) }
    return found
  }

  /// Ends a rehearsal: its practice employee is erased as any other.
  /// - Throws: `.notFound` for everybody who is no practice employee.
  package func endRehearsal(of employee: EmployeeID, by principal: Principal)
    async throws(OperationError)
  {
    guard try await endRehearsal(of: employee, onlyIfOver: false, by: principal) else {
      throw .noRehearsal(of: employee)
    }
  }

  /// - Returns: `false` for everybody who is no practice employee, or not one whose hour is over.
  package func endRehearsal(
    of employee: EmployeeID, onlyIfOver: Bool, by principal: Principal
  ) async throws(OperationError) -> Bool {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    let isEnded: Bool = try await core.transact(within: .seconds(300)) {
      (session) throws(PostgresError) in
      let ending =
        onlyIfOver
        ? try endedRehearsals(at: fixedNow, on: &session)
        : try practiceEmployees(on: &session).map(\.employee)
      guard ending.contains(employee) else { return .done(false) }
      guard try bumpVersion(of: employee, on: &session) else { return .lost }
      // Another instance may have erased them in between, and the number be somebody else's.
      guard try practiceEmployees(on: &session).contains(where: { $0.employee == employee }),
        try ManagerCore.erase(employee, endsShift: true, by: principal, at: at, on: &session)
      else { return .lost }
      try audit(.rehearsalEnded, by: principal, at: at, target: employee.rawValue, on: &session)
      return .done(true)
    }
    if isEnded { refusedRequests?.forget(employee) }
    return isEnded
  }
}

extension EmployeeProfile {
  fileprivate var asRehearsal: Rehearsal? {
    practiceUntil.map { Rehearsal(self, endsAt: $0) }
  }
}

extension OperationError {
  fileprivate static func noRehearsal(of employee: EmployeeID) -> OperationError {
    .notFound("rehearsal \(employee.rawValue)")
  }
}

/// When the phone of a practice employee first had the notification about `incident`, at `start` or
/// later.
private func notified(
  of incident: IncidentID, since start: Instant, on session: inout Session
) throws(PostgresError) -> Instant? {
  // Delivery is timed by another clock than the report.
  let error = TimeSpan.seconds(2)
  let deliveries = try session.value(
    of: incidentDeliveries(of: [incident], since: start - error))
  return deliveries[incident]?
    .filter { [.inApp, .push].contains($0.step) && $0.at >= start - error }
    .map { max($0.at, start) }.min()
}
