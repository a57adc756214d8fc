import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// A shift in full, across tables, in one round trip.

/// Reads a shift with its surroundings, corrections, incidents and notes. In a transaction, later
/// joins probe keys too.
package struct HistoryReading: Reading {
  /// More incidents than any phone opens in a day.
  private static let incidentsMax: Int32 = 10_000

  package let statements: [SQL]
  /// The shift with its surroundings.
  package private(set) var shift: ShiftReading
  /// Its span before the first correction; `nil` without corrections.
  package private(set) var original: ShiftSpan?
  /// Its corrections, in order.
  package private(set) var corrections: [CorrectionRow] = []
  /// The override that it began under; `nil` if it needed none.
  package private(set) var override: OverrideRow?
  /// Its incidents, newest first.
  package private(set) var incidents: [IncidentRow] = []
  /// The episodes of all its incidents, also of those that a correction has cut out.
  package private(set) var episodes: Set<Int32> = []
  /// The employee's notes, in the order written.
  package private(set) var notes: [ShiftNote] = []
  /// When its clock actions were received that came over a minute late, by their times.
  package private(set) var lateActions: [Instant: Instant] = [:]
  /// When the last of what the phone had recorded in a silence was received, by its incident.
  package private(set) var arrivals: [Int32: Instant] = [:]
  /// By start.
  package private(set) var away: [AwayRow] = []
  /// The last clock-out that says whether it was made off site.
  package private(set) var clockOut: ClockOutPlace?
  /// When the planned shift of its clock-in ends.
  package private(set) var plannedEnd: Instant?
  private let id: ShiftID

  /// Reads `shift`.
  package init(of shift: ShiftID) {
    id = shift
    self.shift = ShiftReading(of: shift)
    // Before the surroundings, because their advice to the planner is not for these joins.
    statements =
      [
        selectOriginalSpan(of: shift), selectCorrections(of: shift),
        selectOverrideUsed(by: shift),
        selectIncidents(
          of: shift.employee, number: nil, shift: shift.number, openOnly: false,
          limit: Self.incidentsMax),
        selectNotes(on: shift), selectEpisodes(of: shift), selectLateClockActions(of: shift),
        selectArrivals(inSilencesOf: shift), selectAway(in: shift), selectClockOutPlace(of: shift),
        selectPlannedEnd(of: shift),
      ] + self.shift.statements
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    switch position {
    case 0: original = try rows.first(ShiftSpan.init(from:))
    case 1: corrections = try rows.corrections(of: id)
    case 2: override = try rows.override()
    case 3: incidents = try rows.map(IncidentRow.init(from:))
    case 4: notes = try rows.map(ShiftNote.init(from:))
    case 5:
      episodes = Set(try rows.map { (row) throws(PostgresError) in try row.next() })
    case 6:
      try rows.forEach { (row) throws(PostgresError) in
        let at: Instant = try row.next()
        lateActions[at] = try row.next()
      }
    case 7:
      try rows.forEach { (row) throws(PostgresError) in
        let incident: Int32 = try row.next()
        arrivals[incident] = try row.next()
      }
    case 8: away = try rows.map(AwayRow.init(from:))
    case 9: clockOut = try rows.first(ClockOutPlace.init(from:))
    case 10: plannedEnd = try rows.first { (row) throws(PostgresError) in try row.next() }
    default: try shift.add(position - 11, rows)
    }
  }
}
