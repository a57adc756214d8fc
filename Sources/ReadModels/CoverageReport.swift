import CivilTime
import GuardRules
import ShiftDomain

package struct CoverageSummary: Hashable, Sendable {
  package var shifts = 0
  /// How many of these are open, so that the totals may still change.
  package var openShifts = 0
  package var durations = CoverageDurations()

  package init() {}

  package mutating func add(_ durations: CoverageDurations, isOpen: Bool) {
    shifts += 1
    openShifts += isOpen ? 1 : 0
    self.durations.add(durations)
  }
}

package enum ReportKey: Hashable, Sendable {
  case team(TeamID)
  /// An employee; sorted by number, never by result.
  case employee(EmployeeID)
  /// A day, in the time zone of each team.
  case day(CivilDate)
  /// A week from its Monday on, in the time zone of each team.
  case week(CivilDate)
}

extension ReportKey: Comparable {
  /// By number or date; all keys of a report are of one kind.
  package static func < (left: ReportKey, right: ReportKey) -> Bool {
    switch (left, right) {
    case (.team(let one), .team(let other)): one.rawValue < other.rawValue
    case (.employee(let one), .employee(let other)): one.rawValue < other.rawValue
    case (.day(let one), .day(let other)): one < other
    case (.week(let one), .week(let other)): one < other
    default: false
    }
  }
}

package struct ReportLine: Hashable, Sendable {
  package var key: ReportKey
  /// The team's or the employee's name; empty for a day or a week.
  package var name: String
  /// The name of an employee's team now; empty for all others.
  package var team: String
  package var tally: CoverageSummary

  package init(key: ReportKey, name: String, team: String = "", tally: CoverageSummary) {
    (self.key, self.name, self.team, self.tally) = (key, name, team, tally)
  }
}

/// How much of the shifts of a period was tracked, and why the rest was not.
package struct CoverageReport: Hashable, Sendable {
  package var from: CivilDate
  package var to: CivilDate
  package var asOf: Instant
  package var total: CoverageSummary
  /// Teams, employees, days or weeks with a shift.
  package var lines: [ReportLine]

  package init(
    from: CivilDate, to: CivilDate, asOf: Instant, total: CoverageSummary, lines: [ReportLine]
  ) {
    (self.from, self.to, self.asOf) = (from, to, asOf)
    (self.total, self.lines) = (total, lines)
  }
}
