import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum AbsenceOutcome: Hashable, RefusableAnswer {
  /// Added, now or before.
  case added(Absence, isNew: Bool)
  /// It overlaps this one.
  case overlaps(Absence)
  case badLength
  case badNote

  package func get() throws(Refusal) -> (row: Absence, isNew: Bool) {
    switch self {
    case .added(let row, let isNew): (row, isNew)
    case .overlaps(let other):
      throw .conflict(
        "overlaps_absence", "the absence overlaps another one of the employee", .absence(other))
    case .badLength:
      throw .invalid("/end", "an absence must last at least a minute and at most 366 days")
    case .badNote:
      throw .invalid(
        "/note",
        "the note must be on one line, and have at most \(Absence.noteMax) characters")
    }
  }
}

extension PeopleOperations {
  /// Absences that intersect the times of `filter`, by start and employee.
  /// - Parameter limit: From 1.
  package func absences(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<Absence>
  {
    let found = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.absences(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    return ListPage(found, limit: limit)
  }

  /// Adds an absence, also one that is over. Adding an identical one again adds nothing.
  /// - Parameters:
  ///   - span: Within `Absence.lengths`.
  ///   - note: For managers, on one line; blank: none.
  package func addAbsence(
    of employee: EmployeeID, _ span: Interval, note: String?, by principal: Principal
  ) async throws(OperationError) -> AbsenceOutcome {
    guard Absence.lengths.contains(span.length) else { return .badLength }
    let note = note.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    guard note?.isOnOneLine != false, note?.unicodeScalars.count ?? 0 <= Absence.noteMax else {
      return .badNote
    }
    try principal.actor.check(reason: nil)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      // First, so that a deactivation at the same time waits, and ends what is added here.
      guard try bumpVersion(of: employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      guard try isActive(employee, on: &session) else { return .refused(.inactive(employee)) }
      if let other = try firstAbsence(of: employee, touching: span, on: &session) {
        let isSame = other.span == span && other.note == note
        return .done(isSame ? .added(other, isNew: false) : .overlaps(other))
      }
      let absence = Absence(
        id: newID(at: at), employee: employee, span: span, note: note,
        createdBy: principal.actor.name)
      try session.pipeline(
        [insert(absence, at: at)] + pollNow(at: [employee], now: fixedNow)
          + [auditEntry(.absenceAdded, by: principal, at: at, about: employee, span: span)])
      return .done(.added(absence, isNew: true))
    }
  }

  /// - Returns: Whether it existed.
  @discardableResult
  package func removeAbsence(_ id: Int64, of employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> Bool
  {
    try principal.actor.check(reason: nil)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard let removed = try deleteAbsence(id, of: employee, on: &session) else {
        return .done(false)
      }
      try session.pipeline(
        pollNow(at: [employee], now: fixedNow)
          + [auditEntry(.absenceRemoved, by: principal, at: at, about: employee, span: removed)])
      return .done(true)
    }
  }
}
