import CivilTime
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
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
        view.report(request, by: principal.actor.name)
        return .page(view.page)
      }
    ]
  }

  private func timeSheetView(
    for principal: Principal, team: TeamID?, from: String, to: String, after: String
  ) async throws -> TimeSheetView {
    let choices = try await teams(for: principal, including: team)
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
        view.addApprovals(of: lines)
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
      view.fault = PeriodForm.fault(from: period.from, to: period.to)
    }
    return view
  }
}

extension TimeSheetView {
  /// Says what the form just sent has done.
  /// - Parameter name: The viewer's.
  fileprivate mutating func report(_ request: HTTPRequest, by name: String) {
    func number(_ name: String) -> Int64? { request.queryValue(name).flatMap { Int64($0) } }
    let (approved, reopened) = (number("approved"), number("reopened"))
    ticksAll = approved == nil && reopened == nil
    if let approved {
      done = "\(approved == 0 ? "No shift was" : count(approved)) approved."
      if approved > 0, let at = number("at") {
        let approval = ShiftApproval(by: name, at: Instant(milliseconds: at))
        done = "\(done) <a href=\"\(reopening(approval))\">Undo</a>"
      }
    }
    if let reopened { done = "\(reopened == 0 ? "No shift was" : count(reopened)) reopened." }
    if let left = number("left"), left > 0 {
      fault = """
        \(count(left)) \(left == 1 ? "was" : "were") not approved, because the times have \
        changed, need review or are not confirmed. Check them and approve again.
        """
    }
    if let kept = number("kept"), kept > 0 {
      fault = """
        \(count(kept)) \(kept == 1 ? "was" : "were") not reopened: the approval has changed, or \
        you may not reopen them.
        """
    }
  }
}

private func count(_ shifts: Int64) -> HTML { shifts == 1 ? "1 shift" : "\(shifts) shifts" }
