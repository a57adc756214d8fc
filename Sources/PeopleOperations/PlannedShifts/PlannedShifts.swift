import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum PlannedShiftOutcome: Hashable, RefusableAnswer {
  /// Planned, now or before.
  case planned(PlannedShift, isNew: Bool)
  /// It overlaps this one.
  case overlaps(PlannedShift)
  /// It was to be changed, and is over.
  case over
  /// It was to be changed, and the employee has worked in it.
  case worked
  /// It was to be changed, and its new times are over.
  case inThePast
  /// It names a site that the employee's team does not have.
  case unknownSite(Int16, TeamID)
  case tooManySites

  package func get() throws(Refusal) -> (row: PlannedShift, isNew: Bool) {
    switch self {
    case .planned(let row, let isNew): (row, isNew)
    case .overlaps(let other):
      throw .conflict(
        "overlaps_planned_shift", "the shift overlaps another planned shift", .plannedShift(other))
    case .over:
      throw .conflict(
        "planned_shift_over", "the planned shift is over, so it cannot be changed")
    case .worked:
      throw .conflict(
        "planned_shift_worked",
        "the employee has already worked in the planned shift, so it cannot be changed")
    case .inThePast:
      throw .conflict(
        "planned_shift_in_the_past", "the new end must be later than the current time")
    case .unknownSite(let number, let team):
      throw .unknown("/sites", "site \(number) of team \(team.rawValue)")
    case .tooManySites:
      throw .invalid("/sites", "a planned shift may name at most \(PlannedShift.sitesMax) sites")
    }
  }
}

package struct PlannedShiftImport: Hashable, Sendable {
  package var isTrial: Bool
  package var added = 0
  package var unchanged = 0
}

extension PeopleOperations {
  package static let plannedShiftMax = PlannedShift.lengthMax

  /// The planned shifts of an employee that intersect `span`, in order.
  /// - Throws: `.notFound` for an unknown employee.
  package func plannedShifts(of employee: EmployeeID, in span: Interval)
    async throws(OperationError) -> [PlannedShift]
  {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.plannedShifts(of: [employee], touching: span, on: &session)
    }
  }

  /// The planned shifts of an employee that are not over, or all that are stored, in order.
  /// - Throws: `.notFound` for an unknown employee.
  package func plannedShifts(of employee: EmployeeID, includingPast: Bool)
    async throws(OperationError) -> [PlannedShift]
  {
    // To the end of the year 9999, as far as a date can be written.
    try await plannedShifts(
      of: employee,
      in: Interval(
        from: includingPast ? Instant(milliseconds: 0) : core.now(),
        to: Instant(milliseconds: 253_402_300_799_000)))
  }

  /// Plans a shift. Planning an identical shift again adds nothing.
  /// - Parameters:
  ///   - span: Not empty, at most `plannedShiftMax`.
  ///   - sites: Those that it names; empty: all of the team are meant; `nil`: also, unless it is
  ///     planned already.
  package func planShift(
    _ employee: EmployeeID, _ span: Interval, sites: [Int16]? = nil, by principal: Principal
  ) async throws(OperationError) -> PlannedShiftOutcome {
    let sites = sites.map { Set($0).sorted() }
    guard span.start < span.end, span.end - span.start <= Self.plannedShiftMax else {
      throw .invalid("a planned shift must end after it starts, and within 24 hours")
    }
    try principal.actor.check(reason: nil)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      // First, so that a deactivation at the same time waits, and deletes what is planned here.
      guard try bumpVersion(of: employee, on: &session),
        let team = try ShiftStore.team(of: employee, on: &session)
      else { return .refused(.employeeNotFound(employee)) }
      if let fault = try fault(of: sites ?? [], in: team, on: &session) { return .done(fault) }
      guard try isActive(employee, on: &session) else { return .refused(.inactive(employee)) }
      let others = try ShiftStore.plannedShifts(of: [employee], touching: span, on: &session)
      if let other = others.first {
        let isSame = other.span == span && other.sites == sites ?? other.sites
        return .done(isSame ? .planned(other, isNew: false) : .overlaps(other))
      }
      let plannedShift = PlannedShift(
        id: newID(at: at), employee: employee, span: span, createdBy: principal.actor.name,
        sites: sites ?? [])
      try session.pipeline(
        [insert([plannedShift], at: at)] + pollNow(at: [employee], now: fixedNow)
          + [
            auditEntry(.plannedShiftAdded, by: principal, at: at, about: employee, span: span)
          ])
      return .done(.planned(plannedShift, isNew: true))
    }
  }

  /// Changes the times and sites of a planned shift that is not over and not worked.
  /// - Parameters:
  ///   - start: `nil`: as it is.
  ///   - end: `nil`: as it is.
  ///   - sites: Those that it names; empty: all of the team are meant; `nil`: as they are.
  /// - Returns: With `isNew` if anything has changed.
  package func changePlannedShift(
    _ id: Int64, of employee: EmployeeID, start: Instant? = nil, end: Instant? = nil,
    sites: [Int16]? = nil, by principal: Principal
  ) async throws(OperationError) -> PlannedShiftOutcome {
    try principal.actor.check(reason: nil)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard let (former, isWorked) = try plannedShift(id, of: employee, at: at, on: &session) else {
        return .refused(.notFound("planned shift \(employee.rawValue)/\(id)"))
      }
      let span = Interval(from: start ?? former.span.start, to: end ?? former.span.end)
      guard span.start < span.end, span.end - span.start <= Self.plannedShiftMax else {
        return .refused(.invalid("a planned shift must end after it starts, and within 24 hours"))
      }
      let named = sites.map { Set($0).sorted() } ?? former.sites
      if named != former.sites {
        // First, so that a change of team at the same time waits, and lets it name none.
        guard try bumpVersion(of: employee, on: &session),
          let team = try ShiftStore.team(of: employee, on: &session)
        else { return .lost }
        if let fault = try fault(of: named, in: team, on: &session) { return .done(fault) }
      }
      guard span != former.span || named != former.sites else {
        return .done(.planned(former, isNew: false))
      }
      guard former.span.end > at else { return .done(.over) }
      guard !isWorked else { return .done(.worked) }
      guard span.end > at else { return .done(.inThePast) }
      let others = try ShiftStore.plannedShifts(of: [employee], touching: span, on: &session)
      if let other = others.first(where: { $0.id != id }) { return .done(.overlaps(other)) }
      var changed = former
      (changed.span, changed.sites, changed.createdBy) = (span, named, principal.actor.name)
      guard try session.execute(change(former, to: changed, at: at)) == 1 else { return .lost }
      try session.pipeline(
        pollNow(at: [employee], now: fixedNow)
          + [
            auditEntry(
              .plannedShiftChanged, by: principal, at: at, about: employee, span: span,
              reason: "before: " + former.described(with: named))
          ])
      return .done(.planned(changed, isNew: true))
    }
  }

  /// - Returns: Whether it existed.
  @discardableResult
  package func deletePlannedShift(_ id: Int64, of employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> Bool
  {
    try principal.actor.check(reason: nil)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      let deleted = try ShiftStore.deletePlannedShift(id, of: employee, on: &session)
      guard let deleted else { return .done(false) }
      try session.pipeline(
        pollNow(at: [employee], now: fixedNow)
          + [
            auditEntry(
              .plannedShiftRemoved, by: principal, at: at, about: employee, span: deleted)
          ])
      return .done(true)
    }
  }

  /// Plans shifts from a CSV file, all or none: a header, then one line per shift with `employee`,
  /// `start` and `end`, each `2026-11-20 08:00` in the time zone of the employee's team, by the
  /// rules of `CivilTime.instant`, and, if there is such a column, `sites`, the numbers of sites.
  /// Planned shifts stay. The same file again changes nothing.
  package func importPlannedShifts(_ csv: [UInt8], isTrial: Bool, by principal: Principal)
    async throws(OperationError) -> ImportOutcome<PlannedShiftImport>
  {
    guard csv.count <= importBytesMax else {
      throw .invalid("a file may have at most \(importBytesMax >> 20) MiB")
    }
    try principal.actor.check(reason: nil)
    var file = PlannedShiftFile()
    await file.read(csv)
    let (at, fixedNow) = (core.now(), core.deadlines?())
    let (lines, faults) = (file.lines, file.faults)
    return try await core.transact(within: .seconds(300)) { (session) throws(PostgresError) in
      var check = PlannedShiftCheck(
        isTrial: isTrial, faults: faults, times: try teamTimes(on: &session))
      for start in stride(from: 0, to: lines.count, by: batchSize) {
        let part = lines[start..<min(start + batchSize, lines.count)]
        try check.add(part, on: &session)
      }
      check.findOverlaps()
      guard check.faults.isEmpty else { return .done(.faulty(check.faults)) }
      let plannedShifts = newPlannedShifts(
        check.new.map { ($0.employee, $0.span, $0.sites ?? []) }, by: principal, at: at)
      if !isTrial {
        try insertAll(plannedShifts, at: at, on: &session)
        // Last, because from here to COMMIT reports of these employees wait.
        let employees = Set(plannedShifts.map(\.employee)).sorted { $0.rawValue < $1.rawValue }
        let entry = auditEntry(
          .plannedShiftsImported, by: principal, at: at, reason: "\(plannedShifts.count) planned")
        try session.pipeline(
          pollNow(at: employees, now: fixedNow) + (plannedShifts.isEmpty ? [] : [entry]))
        guard try check.holds(for: employees, on: &session) else { return .lost }
      }
      return .done(.done(check.result))
    }
  }
}

/// How many lines or rows a statement gets.
private let batchSize = 5_000

func newPlannedShifts(
  _ new: [(employee: EmployeeID, span: Interval, sites: [Int16])], by principal: Principal,
  at: Instant
) -> [PlannedShift] {
  // Consecutive: of so many random ones at one time, two might be the same.
  let firstID = newID(at: at)
  return new.enumerated().map { place, one in
    PlannedShift(
      id: firstID + Int64(place), employee: one.employee, span: one.span,
      createdBy: principal.actor.name, sites: one.sites)
  }
}

func insertAll(_ plannedShifts: [PlannedShift], at: Instant, on session: inout Session)
  throws(PostgresError)
{
  for start in stride(from: 0, to: plannedShifts.count, by: batchSize) {
    let part = Array(plannedShifts[start..<min(start + batchSize, plannedShifts.count)])
    try session.execute(insert(part, at: at))
  }
}

/// Why a planned shift of an employee of `team` cannot name these sites. One that is removed at
/// the same time may stay named: then it counts for nothing.
private func fault(of sites: [Int16], in team: TeamID, on session: inout Session)
  throws(PostgresError) -> PlannedShiftOutcome?
{
  if sites.isEmpty { return nil }
  guard sites.count <= PlannedShift.sitesMax else { return .tooManySites }
  let known = Set(try ShiftStore.sites(of: team, on: &session).map(\.number))
  return sites.first { !known.contains($0) }.map { .unknownSite($0, team) }
}

extension PlannedShift {
  /// Its times, and its sites if they are to be `named` instead, for the audit log.
  fileprivate func described(with named: [Int16]) -> String {
    let times = "\(span.start.rfc3339) to \(span.end.rfc3339)"
    guard named != sites else { return times }
    let numbers = sites.map(String.init).joined(separator: " ")
    return times + (sites.isEmpty ? ", all sites" : ", sites \(numbers)")
  }
}
