import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ManagerAccess
import ManagerCore
import ManagerOperations
import OperationCore
import PeopleOperations
import ShiftDomain

/// - Parameters:
///   - boards: `nil`: boards open, and get no changes.
///   - setUpChannels: The channels that this process can use; `nil`: it does not know.
package func managerRoutes(
  _ operations: ManagerOperations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver(), boards: BoardStreams? = nil,
  setUpChannels: @escaping @Sendable () -> Set<Channel>? = { nil }
) -> [AccessRoute] {
  let controller = ManagerController(
    operations: operations, observer: observer, authenticator: Authenticator(operations),
    boards: boards ?? BoardStreams(operations: operations, monitor: .unread),
    setUpChannels: setUpChannels)
  return [
    controller.route(.get, "/v1/employees/{employee}/shifts/{shift}", .employee(.coverage)) {
      (request, principal) in
      let details = try await operations.insight.shiftDetails(of: request.pathShift)
      return ManagerStatus.shift(
        details, visits: try await operations.insight.siteVisits(of: details.row, for: principal))
    },
    controller.route(.get, "/v1/employees/{employee}/shifts/{shift}/coverage", .employee(.coverage))
    { (request, _) in
      .object(JSONObject(try await operations.insight.coverage(of: request.pathShift)))
    },
  ] + controller.boardRoutes + controller.coverageRoutes + controller.trackRoutes
    + controller.mapRoutes
    + controller.listRoutes
    + controller.policyRoutes + controller.policyTrialRoutes
    + controller.statisticsRoutes + controller.overrideRoutes
    + controller.clockActionRoutes + controller.correctionRoutes + controller.sessionRoutes
    + controller.accountRoutes
    + controller.auditRoutes + controller.teamRoutes + controller.employeeRoutes
    + controller.deviceRoutes
    + controller.plannedShiftRoutes + controller.absenceRoutes + controller.retentionRoutes
    + controller.timeSheetRoutes + controller.payrollRoutes
    + controller.contactRoutes + controller.ownContactRoutes + controller.siteRoutes
    + controller.channelRoutes
    + controller.quarantineRoutes
    + controller.privacyRoutes
}

struct ManagerController: Sendable {
  let operations: ManagerOperations
  let observer: RouteObserver
  let authenticator: Authenticator
  let boards: BoardStreams
  var setUpChannels: @Sendable () -> Set<Channel>? = { nil }
  /// How long a heavy read waits for its turn before it is refused.
  var reportPatience = Duration.seconds(10)

  /// - Parameter bodyMax: In bytes.
  func route(
    _ method: HTTPMethod, _ pattern: String, _ access: Access, cost: Cost = .light,
    bodyMax: Int = 16_384, deadline: Duration? = nil,
    _ handle: @escaping @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse
  ) -> AccessRoute {
    precondition(access.isForManagers, "\(pattern) is not for managers")
    return AccessRoute(
      method, pattern, access, cost: cost, bodyMax: bodyMax, deadline: deadline,
      admission: { request in
        do {
          _ = try await admit(request, access)
          return nil
        } catch { return answer(to: error) }
      },
      Authenticator.renewing { request in
        await answer {
          let principal = try await admit(request, access)
          let (response, place) = try await operations.heavyReads.run(
            request, at: cost, for: principal, patience: reportPatience
          ) { try await handle(request, principal) }
          return operations.heavyReads.sending(response, in: place)
        }
      })
  }

  /// A route that reads a whole file, which may have a hundred thousand lines and take a while.
  func importRoute(
    _ pattern: String, _ access: Access,
    _ handle: @escaping @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse
  ) -> AccessRoute {
    route(.post, pattern, access, bodyMax: importBytesMax, deadline: .seconds(120), handle)
  }

  /// The response of `respond`, or the problem for its error.
  func answer(_ respond: () async throws -> HTTPResponse) async -> HTTPResponse {
    do { return ManagerStatus.private(try await respond()) } catch { return answer(to: error) }
  }

  private func answer(to error: any Error) -> HTTPResponse {
    let problem = observer.problem(for: error)
    return ManagerStatus.private(
      ((error as? Refusal)?.subject.map { problem.adding($0) } ?? problem).response())
  }

  private func admit(_ request: HTTPRequest, _ access: Access) async throws -> Principal {
    let principal = try await authenticator.admit(request)
    if case .listing = access {
      // An unreadable query is an error, even when the route does not use it.
      _ = (try request.employee(), try request.team())
    }
    try await principal.check(access, in: request, operations)
    return principal
  }
}
