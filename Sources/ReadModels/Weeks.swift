import CivilTime
import GuardRules
import ShiftDomain

/// A planned shift, and whether its employee has come.
package struct PlannedShiftRow: Hashable, Sendable {
  package var plannedShift: PlannedShift
  /// `nil`: it has not begun.
  package var attendance: Attendance?

  package init(_ plannedShift: PlannedShift, _ attendance: Attendance?) {
    (self.plannedShift, self.attendance) = (plannedShift, attendance)
  }
}

extension PlannedShiftRow: ListRow {
  /// Planned shifts of an employee do not overlap, so none begin at the same time.
  package var place: ListPlace {
    ListPlace(at: plannedShift.span.start, employee: plannedShift.employee, number: 0)
  }
}

extension Attendance {
  /// Its code in JSON.
  package var code: String {
    switch self {
    case .awaited: "awaited"
    case .late: "late"
    case .noShow: "no_show"
    case .clockedIn: "clocked_in"
    case .tried(let attempt): attempt.isKept ? "kept_for_review" : "blocked"
    case .declined: "declined"
    }
  }
}

/// What is planned for an employee in a week.
package struct EmployeeWeek: Hashable, Sendable {
  package var profile: EmployeeProfile
  /// Those that begin in it, in order.
  package var plannedShifts: [PlannedShiftRow]
  /// Those that intersect it, in order.
  package var absences: [Absence]

  package init(
    _ profile: EmployeeProfile, plannedShifts: [PlannedShiftRow], absences: [Absence]
  ) {
    (self.profile, self.plannedShifts, self.absences) = (profile, plannedShifts, absences)
  }
}

/// The plan of a team from a Monday to the Sunday after it, in its own time zone.
package struct Week: Hashable, Sendable {
  package var team: TeamRow
  package var monday: CivilDate
  /// Those of the team.
  package var sites: [Site]
  /// By name.
  package var employees: [EmployeeWeek]
  /// Where the next page begins; `nil` on the last page.
  package var next: EmployeeID?

  package init(
    of team: TeamRow, from monday: CivilDate, sites: [Site], employees: [EmployeeWeek],
    next: EmployeeID?
  ) {
    (self.team, self.monday, self.sites) = (team, monday, sites)
    (self.employees, self.next) = (employees, next)
  }

  package var days: [CivilDate] { (0..<7).map { monday.advanced(by: $0) } }
}

/// What copying a week did, or would do.
package struct WeekCopy: Hashable, Sendable {
  package struct Skipped: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
      /// It would overlap this planned shift.
      case overlaps(Interval)
      /// The employee is absent in this span.
      case absent(Interval)
      /// It would be over.
      case past
      /// The clock changes, and with these times of day it would have no length, or over a day.
      case clockChange

      package var code: String {
        switch self {
        case .overlaps: "overlaps"
        case .absent: "absent"
        case .past: "past"
        case .clockChange: "clock_change"
        }
      }
    }

    package var employee: EmployeeID
    package var name: String
    /// When it would have been.
    package var span: Interval
    package var reason: Reason

    package init(_ employee: EmployeeID, name: String, span: Interval, _ reason: Reason) {
      (self.employee, self.name, self.span, self.reason) = (employee, name, span, reason)
    }
  }

  package var isTrial: Bool
  package var added = 0
  /// How many were planned already.
  package var unchanged = 0
  /// By employee and start.
  package var skipped: [Skipped] = []

  package init(isTrial: Bool) { self.isTrial = isTrial }
}
