import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var absenceRoutes: [AccessRoute] {
    [
      route(.get, "/v1/absences", .listing(.coverage)) { (request, principal) in
        let page = try await operations.people.absences(
          request.planFilter(for: principal), limit: request.limit())
        return .object(page.json(called: "absences") { $0.json })
      },
      route(.post, "/v1/employees/{employee}/absences", .employee(.coverage)) {
        (request, principal) in
        let fields = try request.fields()
        try fields.allow("start", "end", "note")
        let added = try await operations.people.addAbsence(
          of: request.pathEmployee,
          Interval(
            from: fields.required("start", fields.instant("start")),
            to: fields.required("end", fields.instant("end"))),
          note: fields.text("note", max: Absence.noteMax), by: principal
        ).get()
        return .object(added.row.json, status: added.isNew ? 201 : 200)
      },
      route(.delete, "/v1/employees/{employee}/absences/{absence}", .employee(.coverage)) {
        (request, principal) in
        try await operations.people.removeAbsence(
          request.pathNumber("absence", of: "absence"), of: request.pathEmployee, by: principal)
        return HTTPResponse(status: 204)
      },
    ]
  }
}

extension HTTPRequest {
  /// Of what is planned for employees.
  func planFilter(for principal: Principal) throws(QueryFault) -> ListFilter {
    var filter = ListFilter(in: principal.scope(.coverage).narrowed(to: try team()))
    filter.employee = try employee()
    (filter.from, filter.to) = try span()
    filter.after = try listPlace()
    return filter
  }
}
