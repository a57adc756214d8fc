import CivilTime
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain

extension PageController {
  var timeSheetRoutes: [AccessRoute] {
    [
      page("/time-sheets", .listing(.coverage), cost: .heavy) { request, principal in
        var view = try await timeSheetView(
          for: principal, team: request.team(), from: request.queryValue("from") ?? "",
          to: request.queryValue("to") ?? "", after: request.queryValue("after") ?? "")
        guard view.fault == nil else { return .page(view.page, status: 422) }
        let approved = Int(request.queryValue("approved") ?? "")
        view.ticksAll = approved == nil
        view.done = approved.map { count in
          switch count {
          case 0: "No shift was approved."
          case 1: "1 shift approved."
          default: "\(count) shifts approved."
          }
        }
        if let left = Int(request.queryValue("left") ?? ""), left > 0 {
          view.fault = """
            \(left == 1 ? "1 shift was" : "\(left) shifts were") not approved, because the times \
            have changed or need review. Check them and approve again.
            """
        }
        return .page(view.page)
      },
      form("/time-sheets/approvals", .listing(.coverage), bodyMax: 200 * approvalsMax) {
        _, fields, principal in
        let seen = fields.all("shift").compactMap { SeenTimes(field: $0) }
        let query = Query().with("team", fields["team"]).with("from", fields["from"])
          .with("to", fields["to"]).with("after", fields["after"])
        guard !seen.isEmpty else {
          return .seeOther("/time-sheets\(query.with("approved", "0").text)")
        }
        let outcomes = try await operations.reviews.approve(seen, by: principal)
        let approved = outcomes.count { $0.code == "approved" }
        return .seeOther(
          "/time-sheets"
            + query.with("approved", String(approved))
            .with("left", String(outcomes.count - approved)).text)
      },
    ]
  }

  private func timeSheetView(
    for principal: Principal, team: TeamID?, from: String, to: String, after: String
  ) async throws -> TimeSheetView {
    let choices = try await operations.people.teams().filter {
      principal.may(.coverage, of: $0.team)
    }
    if let team, !choices.contains(where: { $0.team == team }) { throw PageNotFound() }
    var clocks: [String: TeamClock] = [:]
    for row in choices {
      clocks[row.timeZone] = try TeamClock(zone: row.timeZone, now: settings.now())
    }
    let zone = choices.first { team == nil || $0.team == team }?.timeZone ?? "UTC"
    let today = try TeamClock(zone: zone, now: settings.now()).today
    let payroll = try await operations.reviews.payrollSettings()
    var period = PayPeriod(of: today, payroll)
    if let first = CivilDate(from), let last = CivilDate(to) {
      period = PayPeriod(from: first, to: last)
    }
    var view = TimeSheetView(
      period: period, settings: payroll, choices: choices, team: team, today: today,
      clocks: clocks, after: Int32(after).map { EmployeeID($0) },
      viewer: principal.actor.employee, hasDownloads: settings.hasDownloads)
    guard from.isEmpty && to.isEmpty || CivilDate(from) != nil && CivilDate(to) != nil else {
      view.fault = "Enter dates such as 2026-11-30."
      return view
    }
    do throws(OperationError) {
      var reading = try await operations.reviews.readTimeSheet(for: principal, period, team: team)
      var sheet = TimeSheet(of: reading)
      while let lines = try await reading.next() {
        for line in lines where view.shows(line, after: sheet.lines) { sheet.lines.append(line) }
      }
      sheet.totals = reading.totals
      view.unreviewedCount = reading.unreviewedCount
      view.sheet = sheet
      for zone in Set(view.lines.flatMap(\.entries).map(\.place.timeZone)).subtracting(clocks.keys)
      {
        view.clocks[zone] = try TeamClock(zone: zone, now: settings.now())
      }
      view.visits = try await reading.visits(of: Array(view.lines), for: principal)
    } catch {
      guard case .invalid = error else { throw error }
      view.fault =
        period.from > period.to
        ? "The period ends before it begins." : "A period can have at most \(reportDaysMax) days."
    }
    return view
  }
}

extension SeenTimes {
  /// As a checkbox names them: employee, shift and revision.
  fileprivate init?(field: String) {
    let parts = field.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let employee = Int32(parts[0]), let number = Int32(parts[1]) else {
      return nil
    }
    self.init(
      shift: ShiftID(employee: EmployeeID(employee), number: number), revision: String(parts[2]))
  }
}
