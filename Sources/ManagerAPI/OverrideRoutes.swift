import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import OperationCore
import ReviewOperations
import ShiftDomain

extension ManagerController {
  var overrideRoutes: [AccessRoute] {
    [
      route(.get, "/v1/employees/{employee}/overrides", .employee(.coverage)) { (request, _) in
        let employee = try request.pathEmployee
        return ManagerStatus.overrides(
          try await operations.reviews.overrides(of: employee, limit: try request.limit()))
      },
      route(.post, "/v1/employees/{employee}/overrides", .employee(.coverage)) {
        (request, principal) in
        let employee = try request.pathEmployee
        let input = try OverrideRequest(JSONFields(JSONValue(parsing: request.body)))
        let given = try await operations.reviews.giveOverride(
          to: employee, input.findings, reason: input.reason, matching: request.matchedTags,
          by: principal
        ).get()
        return ManagerStatus.override(given.row, isNew: given.isNew)
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
        ManagerStatus.clockActions(
          try await operations.reviews.clockActionPage(
            of: request.employee(), for: principal, awaitingOnly: request.flag("review"),
            after: request.listPlace(), limit: request.limit()))
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
        let input = try AcceptanceRequest(JSONFields(JSONValue(parsing: request.body)))
        return .object(
          try await operations.reviews.accept(
            clockAction: clockAction, of: employee, endedAt: input.endedAt, reason: input.reason,
            by: principal
          ).get().json)
      },
      route(
        .post, "/v1/employees/{employee}/clock-actions/{clockAction}/dismiss", .employee(.coverage)
      ) {
        (request, principal) in
        let employee = try request.pathEmployee
        let clockAction = try request.pathClockAction
        let fields = try JSONFields(
          request.body.isEmpty ? .object([:]) : JSONValue(parsing: request.body))
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
        let input = try OpeningRequest(JSONFields(JSONValue(parsing: request.body)))
        let opened = try await operations.reviews.openShift(
          for: try request.pathEmployee, input, by: principal
        ).get()
        return ManagerStatus.opened(
          try await operations.insight.shiftDetails(of: opened.shift), isNew: opened.isNew)
      },
      route(.post, "/v1/employees/{employee}/shifts", .employee(.coverage)) {
        (request, principal) in
        let wanted = try AddedShift(JSONFields(JSONValue(parsing: request.body)))
        let added = try await operations.reviews.addShift(
          for: request.pathEmployee, wanted, by: principal
        ).get()
        return ManagerStatus.opened(
          try await operations.insight.shiftDetails(of: added.shift), isNew: added.isNew)
      },
      route(.post, "/v1/employees/{employee}/shifts/{shift}/corrections", .employee(.coverage)) {
        (request, principal) in
        let shift = try request.pathShift
        let input = try CorrectionRequest(JSONFields(JSONValue(parsing: request.body)))
        let corrected = try await operations.reviews.correct(
          shift, input, matching: request.matchedTags, by: principal
        ).get()
        return ManagerStatus.correction(corrected.row, isNew: corrected.isNew)
      },
      route(
        .post, "/v1/employees/{employee}/shifts/{shift}/corrections/{correction}/undo",
        .employee(.coverage)
      ) {
        (request, principal) in
        let shift = try request.pathShift
        let correction: Int16 = try request.pathNumber("correction")
        let fields = try JSONFields(JSONValue(parsing: request.body))
        try fields.allow("reason")
        let undone = try await operations.reviews.undo(
          correction: correction, of: shift,
          reason: fields.required("reason", fields.reason()), by: principal
        ).get()
        return ManagerStatus.correction(undone.row, isNew: undone.isNew)
      },
    ]
  }
}
