import CivilTime
import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

extension CoverageSummary {
  /// Time outside breaks and service outages.
  var accountable: TimeSpan { durations.totals.accountable }

  /// The untracked part of it.
  var lost: TimeSpan { durations.totals.accountable - durations.totals.tracked }

  /// Tracked per thousand of it, rounded down; `nil` if there was no time to track.
  var permille: Int? { durations.totals.permille }

  /// Why time was not tracked, the longest first; what lasted no second is left out.
  var causes: [CoverageReason] { durations.causes.filter { durations[$0] >= .seconds(1) } }

  /// The time of all reasons with this look.
  subscript(looking look: BarLook) -> TimeSpan {
    CoverageReason.allCases.filter { BarLook($0) == look }.reduce(.zero) { $0 + durations[$1] }
  }
}

struct CoverageLine: Sendable {
  var name: String
  var path: String?
  var tally: CoverageSummary
}

struct CoverageView: Sendable {
  var period: CoveragePeriod
  /// All teams that the viewer may see, to choose from.
  var choices: [TeamRow]
  var team: TeamID?
  var today: CivilDate
  var total = CoverageSummary()
  /// Those with a shift: days in order, teams, and employees by name, never by result.
  var days: [(date: CivilDate, tally: CoverageSummary)] = []
  /// By their Mondays.
  var weeks: [(monday: CivilDate, tally: CoverageSummary)] = []
  var teams: [CoverageLine] = []
  var employees: [CoverageLine] = []
  /// The total of the period before, if a shift began in it.
  var before: (period: CoveragePeriod, tally: CoverageSummary)?
  /// Why there is no report.
  var fault: HTML?
  /// Whether tables can be downloaded as files.
  var hasDownloads = false
}

extension PageController {
  func coverageView(
    for principal: Principal, team: TeamID?, from: CivilDate?, to: CivilDate?
  ) async throws -> CoverageView {
    let choices = try await teams(for: principal, including: team)
    let zone = choices.first { team == nil || $0.team == team }?.timeZone ?? "UTC"
    let today = try TeamClock(zone: zone, now: settings.now()).today
    let last = to ?? today
    let period = CoveragePeriod(from: from ?? last.advanced(by: -6), to: last)
    var view = CoverageView(
      period: period, choices: choices, team: team, today: today,
      hasDownloads: settings.hasDownloads)
    do throws(OperationError) {
      let reports = try await operations.insight.coverageReports(
        for: principal, from: period.from, to: period.to, team: team, by: ReportGrouping.allCases)
      for report in reports { view.take(report) }
      if let before = period.before {
        let tally = try await operations.insight.coverageReport(
          for: principal, from: before.from, to: before.to, team: team, by: .team
        ).total
        view.before = tally.shifts > 0 ? (before, tally) : nil
      }
    } catch {
      guard case .invalid = error else { throw error }
      view.fault = PeriodForm.fault(from: period.from, to: period.to)
    }
    return view
  }
}

extension CoverageView {
  fileprivate mutating func take(_ report: CoverageReport) {
    total = report.total
    for line in report.lines {
      switch line.key {
      case .day(let date): days.append((date, line.tally))
      case .week(let monday): weeks.append((monday, line.tally))
      case .team(let team):
        teams.append(CoverageLine(name: line.name, path: path(team: team), tally: line.tally))
      case .employee(let employee):
        employees.append(
          CoverageLine(
            name: line.name, path: "/employees/\(employee.rawValue)", tally: line.tally))
      }
    }
    employees.sort { $0.name < $1.name }
  }

  func path(team: TeamID?) -> String { path(team: team, period) }

  func path(team: TeamID?, _ period: CoveragePeriod) -> String {
    "/coverage"
      + Query().with("team", team.map { String($0.rawValue) }).with("from", period.from.text)
      .with("to", period.to.text).text
  }
}
