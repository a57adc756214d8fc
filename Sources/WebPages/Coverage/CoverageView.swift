import GuardRules
import ShiftDomain
import ShiftOperations

/// Time by reason, of one shift or many together.
struct CoverageSum: Hashable, Sendable {
  private(set) var shifts = 0
  private var spans: [CoverageReason: TimeSpan] = [:]

  /// Adds a shift.
  mutating func add(_ shift: ShiftCoverage) {
    shifts += 1
    for segment in shift.segments {
      spans[segment.reason, default: .zero] = self[segment.reason] + segment.interval.length
    }
  }

  /// Adds others.
  mutating func add(_ other: CoverageSum) {
    shifts += other.shifts
    for (reason, span) in other.spans { spans[reason] = self[reason] + span }
  }

  subscript(reason: CoverageReason) -> TimeSpan { spans[reason] ?? .zero }

  /// Outside breaks and our own outages.
  var accountable: TimeSpan {
    CoverageReason.allCases.filter { $0 != .onBreak && $0 != .serviceUnavailable }
      .reduce(.zero) { $0 + self[$1] }
  }

  /// Tracked per thousand of that, rounded down; `nil` with nothing intended.
  var permille: Int? {
    let whole = accountable.milliseconds
    guard whole > 0 else { return nil }
    let thousandfold = self[.tracked].milliseconds.multipliedFullWidth(by: 1_000)
    return Int(whole.dividingFullWidth(thousandfold).quotient)
  }

  /// Why time was not tracked, the most first. A break is no cause.
  var causes: [CoverageReason] {
    CoverageReason.allCases
      .filter { $0 != .tracked && $0 != .onBreak && self[$0] > .zero }
      .sorted { (self[$1], $0.rawValue) < (self[$0], $1.rawValue) }
  }
}

/// A line of the report.
struct CoverageLine: Sendable {
  var name: String
  /// Where more of it is to be read.
  var path: String?
  var sum: CoverageSum
}

/// The coverage of a period.
struct CoverageView: Sendable {
  var period: CoveragePeriod
  /// All teams that the viewer may see, for the choice among them.
  var choices: [TeamRow]
  var team: TeamID?
  var today: CivilDate
  var total = CoverageSum()
  /// Those with a shift, by day; by team; by name, never by how they did.
  var days: [(date: CivilDate, sum: CoverageSum)] = []
  var teams: [CoverageLine] = []
  var people: [CoverageLine] = []
  /// Why there is nothing to be seen.
  var fault: HTML?
  /// Whether tables are to be had as files.
  var hasDownloads = false
}

/// From a first to a last day.
struct CoveragePeriod: Hashable, Sendable {
  /// So many days at the most.
  static let daysMax = 31

  var from: CivilDate
  var to: CivilDate

  /// Its days in order.
  var days: [CivilDate] {
    var days: [CivilDate] = []
    var day = from
    while day <= to, days.count < Self.daysMax {
      days.append(day)
      day = day.advanced(by: 1)
    }
    return days
  }

  /// Whether it begins before it ends, and is not too long.
  var isSound: Bool { from <= to && to.advanced(by: 1 - Self.daysMax) <= from }
}

extension PageDesk {
  /// The report as `viewer` may see it.
  func coverageView(
    for viewer: Viewer, team: TeamID?, from: CivilDate?, to: CivilDate?
  ) async throws -> CoverageView {
    let choices = try await operations.teams().filter { viewer.may(.coverage, of: $0.team) }
    if let team, !choices.contains(where: { $0.team == team }) { throw PageNotFound() }
    let chosen = choices.filter { team == nil || $0.team == team }
    let zone = chosen.first?.timeZone ?? "UTC"
    let today = try TeamClock(zone: zone, now: settings.now()).today
    let last = to ?? today
    let period = CoveragePeriod(from: from ?? last.advanced(by: -6), to: last)
    var view = CoverageView(
      period: period, choices: choices, team: team, today: today,
      hasDownloads: settings.hasDownloads)
    guard period.isSound else {
      view.fault =
        period.from > period.to
        ? "The period ends before it begins."
        : "A period has \(CoveragePeriod.daysMax) days at most."
      return view
    }
    var people: [EmployeeID: CoverageLine] = [:]
    var teams: [TeamID: CoverageSum] = [:]
    for day in period.days where day <= today {
      var sum = CoverageSum()
      for team in chosen {
        for employee in try await operations.coverage(on: day, team: team.team).employees {
          var own = CoverageSum()
          for shift in employee.shifts { own.add(shift) }
          sum.add(own)
          teams[team.team, default: CoverageSum()].add(own)
          people[
            employee.employee,
            default: CoverageLine(
              name: employee.name, path: "/employees/\(employee.employee.rawValue)",
              sum: CoverageSum())
          ].sum.add(own)
        }
      }
      if sum.shifts > 0 { view.days.append((day, sum)) }
      view.total.add(sum)
    }
    view.teams = chosen.compactMap { row in
      teams[row.team].map {
        CoverageLine(name: row.name, path: view.path(team: row.team), sum: $0)
      }
    }
    view.people = people.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map(\.value)
    return view
  }
}

extension CoverageView {
  /// The page of the same period and another team.
  func path(team: TeamID?) -> String { path(team: team, period) }

  func path(team: TeamID?, _ period: CoveragePeriod) -> String {
    "/coverage"
      + Query().with("team", team.map { String($0.rawValue) }).with("from", period.from.text)
      .with("to", period.to.text).text
  }
}
