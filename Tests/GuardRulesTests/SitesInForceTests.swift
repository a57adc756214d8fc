import GuardRules
import ShiftDomain
import Testing

/// Where a clock-in may be made: at the sites that its planned shift names (RULES 3), else at those
/// of the team (RULES 10).
@Suite("Sites in force") struct SitesInForceTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// In hours from the clock-in, each with the sites that it names.
    var planned: [(from: Double, to: Double, sites: [Int16])]
    var inForce: [Int16]

    init(
      _ name: String, _ planned: [(from: Double, to: Double, sites: [Int16])], _ inForce: [Int16]
    ) {
      (testDescription, self.planned, self.inForce) = (name, planned, inForce)
    }
  }

  private static let second = 1.0 / 3_600

  // R: G2
  static let rows: [Row] = [
    Row("nothing is planned", [], [1, 2, 3]),
    Row("one that names none", [(-1, 1, [])], [1, 2, 3]),
    Row("one that names one", [(-1, 1, [2])], [2]),
    Row("one that names two", [(-1, 1, [3, 1])], [1, 3]),
    Row("one of two was removed", [(-1, 1, [2, 9])], [2]),
    Row("all named ones were removed", [(-1, 1, [8, 9])], [1, 2, 3]),
    Row("it begins now", [(0, 8, [1])], [1]),
    Row("it ends now", [(-8, 0, [1])], [1, 2, 3]),
    Row("a second is left", [(-8, second, [1])], [1]),
    Row("it contains the clock-in and began 23 h before", [(-23, 1, [1])], [1]),
    Row("it begins in 12 h", [(12, 13, [1])], [1]),
    Row("it begins later than in 12 h", [(12 + second, 13, [1])], [1, 2, 3]),
    Row("one runs, the next begins sooner than it began ago", [(-4, 1, [1]), (2, 4, [2])], [2]),
    Row("one runs, the next begins later than it began ago", [(-1, 1, [1]), (2, 4, [2])], [1]),
    Row("both starts are equally near: the earlier", [(-2, 1, [1]), (2, 4, [2])], [1]),
    Row("the earlier is over", [(-2, 0, [1]), (2, 4, [2])], [2]),
    Row("the nearest names none", [(-2, 1, [1]), (1, 4, [])], [1, 2, 3]),
    Row("two later", [(5, 6, [3]), (3, 4, [2])], [2]),
  ]

  private static func team() throws -> [Site] {
    try [1, 2, 3].map { number in
      Site(
        number: number, name: "\(number)",
        center: try #require(Coordinate(latitude: Double(number), longitude: 0)),
        radiusMeters: 100)
    }
  }

  @Test("are those of the planned shift, else those of the team", arguments: rows)
  func inForce(_ row: Row) throws {
    let planned = row.planned.map { one in
      PlannedSpan(
        Interval(from: at(one.from * 3_600), to: at(one.to * 3_600)), sites: one.sites)
    }
    for planned in [planned, planned.reversed()] {
      let found = ClockInPlan(planned).sites(at: morning, of: try Self.team())
      #expect(found.map(\.number) == row.inForce)
    }
    #expect(ClockInPlan(planned).sites(at: morning, of: []).isEmpty)
  }

  // R: G5
  @Test("are those of the team where a shift after the known plan may be nearer")
  func knownUntil() throws {
    for (start, known, wanted) in [
      (-8.5, 0.5, [1, 2, 3]), (-0.5, 0.5, [2]), (-0.5, 0.5 - Self.second, [1, 2, 3]),
      (0.25, 0.5, [2]),
    ] as [(Double, Double, [Int16])] {
      let plan = ClockInPlan(
        [PlannedSpan(Interval(from: at(start * 3_600), to: at(3_600)), sites: [2])],
        knownUntil: at(known * 3_600))
      let found = plan.sites(at: morning, of: try Self.team())
      #expect(found.map(\.number) == wanted, "\(start) \(known)")
    }
  }

  // R: G3
  @Test("are those of the planned shift in an absence, too")
  func absent() throws {
    let plan = ClockInPlan(
      [PlannedSpan(Interval(from: at(-60), to: at(60)), sites: [2])],
      absences: [Interval(from: at(-60), to: at(60))])
    #expect(plan.sites(at: morning, of: try Self.team()).map(\.number) == [2])
  }
}
