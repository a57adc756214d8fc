import HTTPAPI
import HTTPServing
import OperationCore
import PeopleOperations
import PolicyOperations
import ShiftDomain

extension PageController {
  var rehearsalRoutes: [AccessRoute] {
    let all = "/settings/rehearsals"
    return [
      page(all, .administrator) { request, _ in
        var view = RehearsalsView(rehearsals: try await operations.policies.rehearsals())
        let ended = request.queryValue("ended").flatMap { Int32($0) }
        let over = request.queryValue("over").flatMap { Int32($0) }
        view.done =
          ended.map { "Rehearsal ended. Practice employee \($0) is erased." }
          ?? over.map { "The rehearsal with number \($0) is over." }
        return .page(view.page)
      },
      form(all, .administrator) { _, _, principal in
        do {
          let rehearsal = try await operations.policies.beginRehearsal(by: principal).get()
          // Reloading the page creates another code, not another employee.
          return .resend("\(all)/\(rehearsal.employee.employee.rawValue)/codes")
        } catch {
          return try RehearsalsView(rehearsals: try await operations.policies.rehearsals())
            .refused(by: error)
        }
      },
      page(all + "/{employee}", .administrator) { request, _ in
        let employee = try request.pathEmployee
        do {
          let view = try await rehearsalView(of: employee)
          return request.queryValue("fragment") == "steps"
            ? .fragment(view.steps) : .page(view.page)
        } catch OperationError.notFound {
          // It has ended, perhaps while the page was open.
          return .seeOther("\(all)?over=\(employee.rawValue)")
        }
      },
      form(all + "/{employee}/codes", .administrator) { request, _, principal in
        var view = try await rehearsalView(of: request.pathEmployee)
        let code = try await operations.people.createEnrolmentCode(
          for: view.rehearsal.employee.employee, validFor: rehearsalSpan, by: principal)
        view.code = (code, address(of: code, request))
        return .page(view.page)
      },
      form(all + "/{employee}/end", .administrator, deadline: .seconds(300)) {
        request, _, principal in
        let employee = try request.pathEmployee
        try await operations.policies.endRehearsal(of: employee, by: principal)
        return .seeOther("\(all)?ended=\(employee.rawValue)")
      },
    ]
  }

  private func rehearsalView(of employee: EmployeeID) async throws -> RehearsalView {
    let rehearsal = try await operations.policies.rehearsal(of: employee)
    let team = try await operations.people.team(rehearsal.employee.team)
    return RehearsalView(
      rehearsal: rehearsal, clock: try TeamClock(zone: team.timeZone, now: settings.now()),
      timeZone: team.timeZone)
  }
}
