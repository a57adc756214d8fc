import CivilTime
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension PageController {
  /// Questions read the whole sheet; what changes something goes on if the browser leaves.
  var approvalRoutes: [AccessRoute] {
    [
      form(
        "/time-sheets/approve", .listing(.coverage), cost: .heavy, bodyMax: 200 * approvalsMax
      ) { _, fields, principal in
        let seen = fields.all("shift").compactMap { SeenTimes(field: $0) }
        var question = ApprovalQuestion(sheet: SheetAddress(fields))
        let wanted = Dictionary(seen.map { ($0.shift, $0.revision) }, uniquingKeysWith: { $1 })
        try await ask(&question, for: principal, nil) { times in
          times.state.isApprovable && wanted[times.shift] == times.revision
            && times.shift.employee != principal.actor.employee
        }
        question.left = wanted.count - question.totals.shifts
        guard question.totals.shifts > 0 else {
          return .seeOther(
            "/time-sheets"
              + question.sheet.query.with("approved", "0").with("left", "\(question.left)").text)
        }
        return .page(question.page)
      },
      form("/time-sheets/approvals", .listing(.coverage), bodyMax: 200 * approvalsMax) {
        _, fields, principal in
        let seen = fields.all("shift").compactMap { SeenTimes(field: $0) }
        let query = SheetAddress(fields).query
        guard !seen.isEmpty else {
          return .seeOther("/time-sheets\(query.with("approved", "0").text)")
        }
        let outcomes = try await operations.reviews.approve(seen, by: principal)
        let approvals = outcomes.compactMap(\.approval)
        return .seeOther(
          "/time-sheets"
            + query.with("approved", String(approvals.count))
            .with("left", String(outcomes.count - approvals.count))
            .with("at", approvals.map(\.at).max().map { String($0.milliseconds) }).text)
      },
      page("/time-sheets/reopen", .listing(.coverage), cost: .heavy) { request, principal in
        func value(_ name: String) -> String { request.queryValue(name) ?? "" }
        let sheet = SheetAddress(
          from: value("from"), to: value("to"), team: value("team"), after: value("after"))
        guard let approval = ShiftApproval(by: value("by"), at: value("at")) else {
          return .seeOther(sheet.path)
        }
        let question = try await reopening(approval, sheet, for: principal)
        guard question.totals.shifts > 0 else {
          return .seeOther("/time-sheets\(question.sheet.query.with("reopened", "0").text)")
        }
        return .page(question.page)
      },
      form("/time-sheets/reopenings", .listing(.coverage), bodyMax: 200 * approvalsMax) {
        _, fields, principal in
        let sheet = SheetAddress(fields)
        let shifts = fields.all("shift").compactMap { SeenTimes(field: $0)?.shift }
        guard let approval = ShiftApproval(by: fields["by"], at: fields["at"]), !shifts.isEmpty
        else { return .seeOther(sheet.path) }
        do {
          let outcomes = try await operations.reviews.reopen(
            shifts, approvedAt: approval.at, reason: fields["reason"], by: principal)
          let count = outcomes.count { $0.code == "reopened" }
          return .seeOther(
            "/time-sheets"
              + sheet.query.with("reopened", String(count))
              .with("kept", String(outcomes.count - count)).text)
        } catch {
          var question = try await reopening(approval, sheet, for: principal)
          question.reason = fields["reason"]
          return try question.refused(by: error)
        }
      },
    ]
  }

  private func reopening(
    _ approval: ShiftApproval, _ sheet: SheetAddress, for principal: Principal
  ) async throws -> ApprovalQuestion {
    var question = ApprovalQuestion(approval: approval, sheet: sheet)
    try await ask(&question, for: principal, .approved) { times in
      times.approval == approval && times.shift.employee != principal.actor.employee
    }
    return question
  }

  /// Fills the question with the shifts of its sheet that are in this state (`nil`: any) and
  /// wanted; with none if the sheet is not one.
  private func ask(
    _ question: inout ApprovalQuestion, for principal: Principal, _ state: TimesState?,
    isWanted: (RecordedTimes) -> Bool
  ) async throws {
    let sheet = question.sheet
    guard let from = CivilDate(sheet.from), let to = CivilDate(sheet.to),
      sheet.team.isEmpty || Int32(sheet.team) != nil
    else { return }
    var reading = try await operations.reviews.readTimeSheet(
      for: principal, PayPeriod(from: from, to: to),
      team: Int32(sheet.team).map { TeamID($0) }, state: state)
    while let lines = try await reading.next() {
      for times in lines.flatMap(\.entries).map(\.times) where isWanted(times) {
        guard question.shifts.count < approvalsMax else { return }
        question.totals.add(times, counts: true)
        let id = times.shift
        question.shifts.append("\(id.employee.rawValue)/\(id.number)/\(times.revision)")
      }
    }
  }
}

extension ShiftApproval {
  /// As forms and addresses name it.
  fileprivate init?(by: String, at: String) {
    guard let at = Int64(at) else { return nil }
    self.init(by: by, at: Instant(milliseconds: at))
  }
}

extension SheetAddress {
  fileprivate init(_ fields: FormFields) {
    self.init(
      from: fields["from"], to: fields["to"], team: fields["team"], after: fields["after"])
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
