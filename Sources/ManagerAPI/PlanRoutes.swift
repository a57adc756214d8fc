import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

extension ManagerController {
  /// Planned shifts.
  var planRoutes: [Route] {
    [
      route(.get, "/v1/employees/{employee}/plans") { (request, _) in
        let plans = try await operations.plans(
          of: EmployeeID(in: request.parameters), in: request.planSpan())
        return .object(["plans": JSONValue(plans) { $0.json }])
      },
      route(.post, "/v1/employees/{employee}/plans") { (request, requester) in
        let span = try Interval(planIn: JSONFields(JSONValue(parsing: request.body)))
        return EmployeeStatus.answer(
          to: try await operations.plan(
            EmployeeID(in: request.parameters), span, by: requester.principal))
      },
      route(.delete, "/v1/employees/{employee}/plans/{plan}") { (request, _) in
        guard let plan = request.parameters["plan"].flatMap({ Int64($0) }) else {
          throw OperationError.notFound("plan")
        }
        try await operations.deletePlan(plan, of: EmployeeID(in: request.parameters))
        return HTTPResponse(status: 204)
      },
      importRoute("/v1/plans/import") { (request, requester) in
        EmployeeStatus.answer(
          to: try await operations.importPlans(
            request.body, isTrial: request.flag("dryRun"), by: requester.principal))
      },
    ]
  }
}

extension EmployeeStatus {
  static func answer(to outcome: PlanOutcome) -> HTTPResponse {
    switch outcome {
    case .planned(let plan, let isNew): .object(plan.json, status: isNew ? 201 : 200)
    case .overlaps(let plan):
      Problem.conflict("overlaps_plan", "it overlaps another planned shift")
        .adding(["plan": .object(plan.json)]).response()
    }
  }

  static func answer(to outcome: ImportOutcome<PlanImport>) -> HTTPResponse {
    switch outcome {
    case .done(let result):
      .object([
        "dryRun": .bool(result.isTrial),
        "added": JSONValue(result.added),
        "unchanged": JSONValue(result.unchanged),
      ])
    case .faulty(let faults): faulty(faults)
    }
  }
}

extension PlannedShift {
  /// `Plan`.
  fileprivate var json: JSONObject {
    [
      "plan": .string(String(id)),
      "employee": JSONValue(employee.rawValue),
      "start": JSONValue(span.start),
      "end": JSONValue(span.end),
      "by": .string(createdBy),
    ]
  }
}

extension Interval {
  /// `NewPlan`, the body of `POST /v1/employees/{employee}/plans`.
  fileprivate init(planIn fields: JSONFields) throws(BodyFault) {
    try fields.allow("start", "end")
    self.init(
      from: try fields.required("start", fields.instant("start")),
      to: try fields.required("end", fields.instant("end")))
    guard start < end, end - start <= ManagerOperations.planMax else {
      throw BodyFault(at: fields.place("end"), "must be after `start`, and within 24 hours of it")
    }
  }
}

extension HTTPRequest {
  /// `from` and `to`; by default all stored plans.
  fileprivate func planSpan() throws(QueryFault) -> Interval {
    Interval(
      from: try instant("from") ?? Instant(milliseconds: 0),
      to: try instant("to") ?? Instant(milliseconds: 253_402_300_799_000))
  }

  private func instant(_ name: String) throws(QueryFault) -> Instant? {
    guard let text = queryValue(name) else { return nil }
    guard let instant = Instant(rfc3339: text) else {
      throw QueryFault(name, "must be an RFC 3339 instant with an offset")
    }
    return instant
  }
}
