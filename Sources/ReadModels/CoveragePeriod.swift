import CivilTime

/// How many days a report may have.
package let reportDaysMax = 400

/// Days of a report, both ends included.
package struct CoveragePeriod: Hashable, Sendable {
  package let from: CivilDate
  package let to: CivilDate

  package init(from: CivilDate, to: CivilDate) { (self.from, self.to) = (from, to) }

  /// The period to compare this one with: the month before a whole month, else as many days before
  /// it. `nil` at the beginning of the calendar.
  package var before: CoveragePeriod? {
    let last = from.advanced(by: -1)
    let isMonth = from.day == 1 && to == from.lastOfMonth
    let days = isMonth ? last.day : to.daysSince1970 - from.daysSince1970 + 1
    let first = from.advanced(by: -days)
    guard from.daysSince1970 - first.daysSince1970 == days else { return nil }
    return CoveragePeriod(from: first, to: last)
  }
}
