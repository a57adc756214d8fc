import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension ManagerController {
  var overrideRoutes: [AccessRoute] {
    [
      route(.get, "/v1/employees/{employee}/overrides", .employee(.coverage)) { (request, _) in
        let employee = try request.pathEmployee
        let rows = try await operations.reviews.overrides(of: employee, limit: request.limit())
        return .object(
          ["overrides": JSONValue(rows) { $0.json }],
          headers: HTTPHeaders(tag: overrideTag(newest: rows.first)))
      },
      route(.post, "/v1/employees/{employee}/overrides", .employee(.coverage)) {
        (request, principal) in
        let employee = try request.pathEmployee
        let fields = try request.fields()
        try fields.allow("findings", "reason")
        let findings = try fields.required("findings", fields.findings())
        guard !findings.isEmpty else {
          throw BodyFault(at: fields.place("findings"), "must name at least one finding")
        }
        let given = try await operations.reviews.giveOverride(
          to: employee, findings, reason: fields.required("reason", fields.reason()),
          matching: request.matchedTags, by: principal
        ).get()
        return given.isNew
          ? .object(
            given.row.json, status: 201, headers: HTTPHeaders(tag: overrideTag(newest: given.row)))
          : .object(given.row.json)
      },
      route(.post, "/v1/employees/{employee}/overrides/{override}/withdraw", .employee(.coverage)) {
        (request, principal) in
        .object(
          try await operations.reviews.withdrawOverride(
            request.pathNumber("override"), of: request.pathEmployee, by: principal
          ).get().json)
      },
    ]
  }

  var clockActionRoutes: [AccessRoute] {
    [
      route(.get, "/v1/clock-actions", .listing(.coverage)) { (request, principal) in
        let page = try await operations.reviews.clockActionPage(
          of: request.employee(), for: principal, awaitingOnly: request.flag("review"),
          after: request.listPlace(), limit: request.limit())
        return .object(page.json(called: "clockActions") { $0.json })
      },
      route(.get, "/v1/employees/{employee}/clock-actions/{clockAction}", .employee(.coverage)) {
        (request, _) in
        .object(
          try await operations.reviews.clockActionRow(
            request.pathClockAction, of: request.pathEmployee
          ).json)
      },
      route(
        .post, "/v1/employees/{employee}/clock-actions/{clockAction}/accept", .employee(.coverage)
      ) {
        (request, principal) in
        let employee = try request.pathEmployee
        let clockAction = try request.pathClockAction
        let fields = try request.fields()
        try fields.allow("endedAt", "reason")
        return .object(
          try await operations.reviews.accept(
            clockAction: clockAction, of: employee, endedAt: fields.instant("endedAt"),
            reason: fields.required("reason", fields.reason()), by: principal
          ).get().json)
      },
      route(
        .post, "/v1/employees/{employee}/clock-actions/{clockAction}/dismiss", .employee(.coverage)
      ) {
        (request, principal) in
        let employee = try request.pathEmployee
        let clockAction = try request.pathClockAction
        let fields = try request.optionalFields()
        try fields.allow("reason")
        return .object(
          try await operations.reviews.dismiss(
            clockAction: clockAction, of: employee, reason: fields.reason(),
            by: principal
          ).get().json)
      },
      route(
        .post, "/v1/employees/{employee}/clock-actions/{clockAction}/undo-dismissal",
        .employee(.coverage)
      ) {
        (request, principal) in
        .object(
          try await operations.reviews.undoDismissal(
            ofClockAction: request.pathClockAction, of: request.pathEmployee, by: principal
          ).get().json)
      },
    ]
  }

  var correctionRoutes: [AccessRoute] {
    [
      route(.post, "/v1/employees/{employee}/shift", .employee(.coverage)) {
        (request, principal) in
        let input = try OpeningRequest(request.fields())
        let opened = try await operations.reviews.openShift(
          for: try request.pathEmployee, input, by: principal
        ).get()
        return ManagerStatus.opened(
          try await operations.insight.shiftDetails(of: opened.shift), isNew: opened.isNew)
      },
      route(.post, "/v1/employees/{employee}/shifts", .employee(.coverage)) {
        (request, principal) in
        let wanted = try AddedShift(request.fields())
        let added = try await operations.reviews.addShift(
          for: request.pathEmployee, wanted, by: principal
        ).get()
        return ManagerStatus.opened(
          try await operations.insight.shiftDetails(of: added.shift), isNew: added.isNew)
      },
      route(.post, "/v1/employees/{employee}/shifts/{shift}/corrections", .employee(.coverage)) {
        (request, principal) in
        let shift = try request.pathShift
        let input = try CorrectionRequest(request.fields())
        let corrected = try await operations.reviews.correct(
          shift, input, matching: request.matchedTags, by: principal
        ).get()
        return .object(JSONObject(corrected.row), status: corrected.isNew ? 201 : 200)
      },
      route(
        .post, "/v1/employees/{employee}/shifts/{shift}/corrections/{correction}/undo",
        .employee(.coverage)
      ) {
        (request, principal) in
        let shift = try request.pathShift
        let correction: Int16 = try request.pathNumber("correction")
        let fields = try request.fields()
        try fields.allow("reason")
        let undone = try await operations.reviews.undo(
          correction: correction, of: shift,
          reason: fields.required("reason", fields.reason()), by: principal
        ).get()
        return .object(JSONObject(undone.row), status: undone.isNew ? 201 : 200)
      },
    ]
  }
}
