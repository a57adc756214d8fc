import HTTPAPI
import HTTPServing
import InstallationOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  private static let entriesMax = 100
  private static let matchesMax = 20

  var auditRoutes: [AccessRoute] {
    [
      page("/audit", .administrator, cost: .heavy) { request, _ in
        let search = try AuditSearch(request)
        let zone = try await operations.people.teams().first?.timeZone ?? "UTC"
        let clock = try TeamClock(zone: zone, now: settings.now())
        var view = AuditView(search: search, zone: zone, clock: clock)
        do {
          try await fill(&view)
        } catch OperationError.notFound {
          view.fault = "Employee \(search.employee) does not exist."
        }
        view.names = try await operations.installation.names(in: view.entries)
        return .page(view.page, status: view.fault == nil ? 200 : 422)
      }
    ]
  }

  private func fill(_ view: inout AuditView) async throws {
    guard var filter = view.search.filter(view.clock) else {
      view.fault = "Enter dates such as 2026-11-30, the first day before the last."
      return
    }
    if let number = Int32(view.search.employee), number > 0 {
      filter.employee = EmployeeID(number)
    } else if !view.search.employee.isEmpty {
      let matches = try await operations.people.employees(
        named: view.search.employee, limit: Self.matchesMax + 1)
      guard matches.count == 1 else {
        view.matches = Array(matches.prefix(Self.matchesMax))
        view.hasMore = matches.count > Self.matchesMax
        view.fault = matches.isEmpty ? "No employee has this name." : nil
        return
      }
      filter.employee = matches.first?.employee
    }
    let entries = try await operations.installation.auditEntries(filter, limit: Self.entriesMax + 1)
    view.entries = Array(entries.prefix(Self.entriesMax))
    view.hasMore = entries.count > Self.entriesMax
    if settings.hasDownloads { view.file = "/v1/audit" + filter.query.with("format", "csv").text }
  }
}
