import GuardRules
import ShiftDomain
import Testing

@Suite("Reports in force") struct ReportOrderTests {
  /// Each report as its second and its number.
  typealias Row = (name: String, reports: [(Double, Int64?)], stay: [Double])
  static let rows: [Row] = [
    ("numbered in order of time", [(0, 1), (10, 2), (20, 3)], [0, 10, 20]),
    ("numbered against the clock: the higher holds from its own time on", [(0, 2), (1, 1)], [0]),
    ("late in the middle", [(0, 1), (10, 5), (20, 4), (30, 6)], [0, 10, 30]),
    ("without numbers, by time", [(0, nil), (10, nil)], [0, 10]),
    ("the same number twice", [(0, 1), (10, 1)], [0, 10]),
    ("none", [], []),
  ]

  // R: W1
  @Test("are those that no earlier one outranks", arguments: rows)
  func order(_ row: Row) {
    let reports = row.reports.map { second, sequence in
      PermissionReport(
        id: ReportID(1), state: phone(), effectiveAt: at(second), sequence: sequence)
    }
    #expect(reportsInForce(reports).map(\.effectiveAt) == row.stay.map { at($0) })
  }
}
