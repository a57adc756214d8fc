import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations

extension PageController {
  var employeeDataRoutes: [AccessRoute] {
    let path = "/employees/{employee}/data"
    return [
      page(path, .employee(.coverage)) { request, principal in
        var view = try await dataView(in: request, for: principal)
        view.frame.done = request.completed
        return .page(view.page)
      },
      form(path, .administrator) { request, fields, principal in
        try await changeEmployee(request, fields, principal)
      },
      form("/employees/{employee}/deactivate", .administrator) { request, fields, principal in
        let view = try await dataView(in: request, for: principal)
        let employee = view.frame.row.employee
        guard fields.isSure else { return view.deactivation }
        if case .onShift(let shift) = try await operations.people.deactivate(
          employee, by: principal)
        {
          var now = view
          now.frame.row.openShift = shift.number
          return now.deactivation
        }
        let done = CompletedEmployeeAction.deactivated.rawValue
        return .seeOther("\(EmployeeTab.data.path(of: employee))?done=\(done)")
      },
      form("/employees/{employee}/reactivate", .administrator) { request, _, principal in
        let row = try await operations.people.reactivate(request.pathEmployee, by: principal)
        let done = CompletedEmployeeAction.reactivated.rawValue
        return .seeOther("\(EmployeeTab.devices.path(of: row.employee))?done=\(done)")
      },
    ]
  }

  private func dataView(in request: HTTPRequest, for principal: Principal) async throws
    -> EmployeeDataView
  {
    let frame = EmployeeFrame(try await employee(in: request), for: principal)
    return EmployeeDataView(
      frame: frame, teams: frame.mayEdit ? try await operations.people.teams() : [])
  }

  private func changeEmployee(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await dataView(in: request, for: principal)
    view.typed = fields
    do {
      let details = try EmployeeDetails(fields)
      let row = try await operations.people.changeEmployee(
        view.frame.row.employee, matching: [fields["tag"]], by: principal
      ) { $0 = details }.get()
      return .seeOther(
        "\(EmployeeTab.data.path(of: row.employee))?done=\(CompletedEmployeeAction.saved.rawValue)")
    } catch {
      if case .employee(let row) = Refusal(error)?.subject {
        (view.frame.row, view.typed) = (row, nil)
      }
      return try view.refused(by: error)
    }
  }
}
