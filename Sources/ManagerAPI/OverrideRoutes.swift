import HTTPAPI
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerController {
  /// Overrides: permission for one clock-in in spite of findings.
  var overrideRoutes: [Route] {
    let operations = operations
    return [
      route(.get, "/v1/employees/{employee}/overrides") { (request, _) in
        let employee = try EmployeeID(in: request.parameters)
        return ManagerStatus.overrides(
          try await operations.overrides(of: employee, limit: try request.limit()))
      },
      route(.post, "/v1/employees/{employee}/overrides") { (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        let input = try OverrideRequest(JSONFields(JSONValue(parsing: request.body)))
        return ManagerStatus.answer(
          to: try await operations.giveOverride(
            to: employee, input.findings, reason: input.reason, matching: request.matchedTags,
            by: requester.principal.actor))
      },
      route(.post, "/v1/employees/{employee}/overrides/{override}/withdraw") { (request, _) in
        ManagerStatus.answer(
          to: try await operations.withdrawOverride(
            number(of: "override", in: request.parameters), of: EmployeeID(in: request.parameters)
          ))
      },
    ]
  }

  /// Clock actions, among them those that wait for review.
  var clockActionRoutes: [Route] {
    let operations = operations
    return [
      route(.get, "/v1/clock-actions") { (request, requester) in
        ManagerStatus.clockActions(
          try await operations.clockActions(
            of: request.employee(), for: requester.principal, awaitingOnly: request.flag("review"),
            limit: request.limit()))
      },
      route(.get, "/v1/employees/{employee}/clock-actions/{clockAction}") { (request, _) in
        ManagerStatus.clockAction(
          try await operations.clockActionRow(
            clockActionNumber(in: request.parameters), of: EmployeeID(in: request.parameters)))
      },
      route(.post, "/v1/employees/{employee}/clock-actions/{clockAction}/accept") {
        (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        let clockAction = try clockActionNumber(in: request.parameters)
        let input = try AcceptanceRequest(JSONFields(JSONValue(parsing: request.body)))
        return ManagerStatus.answer(
          to: try await operations.accept(
            clockAction: clockAction, of: employee, endedAt: input.endedAt, reason: input.reason,
            by: requester.principal.actor))
      },
      route(.post, "/v1/employees/{employee}/clock-actions/{clockAction}/dismiss") {
        (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        let clockAction = try clockActionNumber(in: request.parameters)
        let fields = try JSONFields(
          request.body.isEmpty ? .object([:]) : JSONValue(parsing: request.body))
        try fields.allow("reason")
        return ManagerStatus.answer(
          to: try await operations.dismiss(
            clockAction: clockAction, of: employee, reason: fields.reason(),
            by: requester.principal.actor))
      },
    ]
  }

  /// Corrections of a shift's start and end.
  var correctionRoutes: [Route] {
    let operations = operations
    return [
      route(.post, "/v1/employees/{employee}/shifts/{shift}/corrections") {
        (request, requester) in
        let shift = try ShiftID(in: request.parameters)
        let input = try CorrectionRequest(JSONFields(JSONValue(parsing: request.body)))
        return ManagerStatus.answer(
          to: try await operations.correct(
            shift, input, matching: request.matchedTags, by: requester.principal.actor))
      },
      route(.post, "/v1/employees/{employee}/shifts/{shift}/corrections/{correction}/undo") {
        (request, requester) in
        let shift = try ShiftID(in: request.parameters)
        let number = try number(of: "correction", in: request.parameters)
        guard let correction = Int16(exactly: number) else {
          throw OperationError.notFound("correction \(number) of shift \(shift.number)")
        }
        let fields = try JSONFields(JSONValue(parsing: request.body))
        try fields.allow("reason")
        return ManagerStatus.answer(
          to: try await operations.undo(
            correction: correction, of: shift,
            reason: fields.required("reason", fields.reason()), by: requester.principal.actor))
      },
    ]
  }
}

/// The number of the clock action in the path; `.notFound` when it is not a number.
private func clockActionNumber(in parameters: [String: String]) throws(OperationError) -> Int32 {
  guard let number = parameters["clockAction"].flatMap({ Int32($0) }) else {
    throw .notFound("clock action")
  }
  return number
}
