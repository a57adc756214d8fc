import APIJSON
import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var plannedShiftRoutes: [AccessRoute] {
    [
      route(.get, "/v1/planned-shifts", .listing(.coverage)) { (request, principal) in
        let page = try await operations.people.plannedShifts(
          request.planFilter(for: principal), limit: request.limit())
        return .object(page.json(called: "plannedShifts") { $0.json })
      },
      route(.post, "/v1/teams/{team}/planned-shifts/copy", .team(.coverage)) {
        (request, principal) in
        let fields = try request.fields()
        try fields.allow("from", "to")
        let copy = try await operations.people.copyWeek(
          of: request.pathTeam, from: fields.day("from"), to: fields.day("to"),
          isTrial: request.flag("dryRun"), by: principal
        ).get()
        return .object(copy.json)
      },
      route(.get, "/v1/employees/{employee}/planned-shifts", .employee(.coverage)) { (request, _) in
        let plannedShifts = try await operations.people.plannedShifts(
          of: request.pathEmployee, in: request.plannedSpan())
        return .object(["plannedShifts": JSONValue(plannedShifts) { $0.json }])
      },
      route(.post, "/v1/employees/{employee}/planned-shifts", .employee(.coverage)) {
        (request, principal) in
        let fields = try request.fields()
        let span = try Interval(plannedIn: fields)
        let planned = try await operations.people.planShift(
          request.pathEmployee, span, sites: fields.siteNumbers(), by: principal
        ).get()
        return .object(planned.row.json, status: planned.isNew ? 201 : 200)
      },
      route(.patch, "/v1/employees/{employee}/planned-shifts/{plannedShift}", .employee(.coverage))
      { (request, principal) in
        let changes = try PlannedShiftChanges(request.fields())
        let changed = try await operations.people.changePlannedShift(
          request.pathNumber("plannedShift", of: "planned shift"), of: request.pathEmployee,
          start: changes.start, end: changes.end, sites: changes.sites, by: principal
        ).get()
        return .object(changed.row.json)
      },
      route(.delete, "/v1/employees/{employee}/planned-shifts/{plannedShift}", .employee(.coverage))
      { (request, principal) in
        try await operations.people.deletePlannedShift(
          request.pathNumber("plannedShift", of: "planned shift"), of: request.pathEmployee,
          by: principal)
        return HTTPResponse(status: 204)
      },
      importRoute("/v1/planned-shifts/import", .administrator) { (request, principal) in
        let outcome = try await operations.people.importPlannedShifts(
          request.body, isTrial: request.flag("dryRun"), by: principal)
        return EmployeeStatus.imported(outcome) { result in
          [
            "dryRun": .bool(result.isTrial), "added": JSONValue(result.added),
            "unchanged": JSONValue(result.unchanged),
          ]
        }
      },
    ]
  }
}

/// The body of `PATCH /v1/employees/{employee}/planned-shifts/{plannedShift}`.
private struct PlannedShiftChanges {
  var start: Instant?
  var end: Instant?
  var sites: [Int16]?

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("start", "end", "sites")
    (start, end) = (try fields.instant("start"), try fields.instant("end"))
    sites = try fields.siteNumbers()
    guard start != nil || end != nil || sites != nil else {
      throw BodyFault(at: "", "must have `start`, `end` or `sites`")
    }
  }
}

extension JSONFields {
  func day(_ name: String) throws(BodyFault) -> CivilDate {
    guard let day = CivilDate(try required(name, text(name, max: 10))) else {
      throw BodyFault(at: place(name), "must be a day such as 2026-10-25")
    }
    return day
  }

  /// `sites` of a planned shift; `nil` when absent.
  fileprivate func siteNumbers() throws(BodyFault) -> [Int16]? {
    guard let elements = try elements("sites") else { return nil }
    guard elements.count <= PlannedShift.sitesMax else {
      throw BodyFault(at: place("sites"), "must have at most \(PlannedShift.sitesMax) elements")
    }
    var numbers: [Int16] = []
    for (index, element) in elements.enumerated() {
      guard let number = element.wholeNumber.flatMap({ Int16(exactly: $0) }), number > 0 else {
        throw BodyFault(
          at: place("sites", index), "must be a whole number from 1 to \(Int16.max)")
      }
      numbers.append(number)
    }
    return numbers
  }
}

extension Interval {
  /// The body of `POST /v1/employees/{employee}/planned-shifts`.
  fileprivate init(plannedIn fields: JSONFields) throws(BodyFault) {
    try fields.allow("start", "end", "sites")
    self.init(
      from: try fields.required("start", fields.instant("start")),
      to: try fields.required("end", fields.instant("end")))
    guard start < end, end - start <= PeopleOperations.plannedShiftMax else {
      throw BodyFault(at: fields.place("end"), "must be after `start`, and within 24 hours of it")
    }
  }
}

extension HTTPRequest {
  /// `from` and `to`; by default all that are stored.
  fileprivate func plannedSpan() throws(QueryFault) -> Interval {
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
