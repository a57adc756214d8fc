import GuardRules
import Guidance
import ShiftDomain

/// A team's week, for a contact that gets the weekly digest.
package struct TeamDigest: Hashable, Sendable {
  package var team: TeamID
  package var name: String
  /// Days from 1970-01-01 to its Monday.
  package var week: Int32
  /// How many shifts began in it.
  package var shifts: Int32
  package var openReviews: Int32
  package var durations: CoverageDurations

  package init(
    team: TeamID, name: String, week: Int32, shifts: Int32, openReviews: Int32,
    durations: CoverageDurations
  ) {
    self.team = team
    self.name = name
    self.week = week
    self.shifts = shifts
    self.openReviews = openReviews
    self.durations = durations
  }
}

extension TeamDigest {
  /// - Parameter pages: The address of the pages for managers; `nil`: it is not known.
  package func text(linkedTo pages: String?) -> TeamWeek {
    TeamWeek(
      name: name, week: week, shifts: shifts, openReviews: openReviews, durations: durations,
      page: pages.map { ($0, team) })
  }
}
