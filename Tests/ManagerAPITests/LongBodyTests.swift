import DeviceAPI
import HTTPAPI
import HTTPServing
import ManagerAPI
import ShiftDomain
import Testing

/// Routes that accept bodies over 16 kB, which are read only after the head has been checked.
@Suite("Routes with long bodies") struct LongBodyTests {
  @Test("check access by the head, and refuse unauthorized senders") func judged() async throws {
    try await ManagerWorld.run { world in
      let now = world.clock.reading
      let routes =
        deviceRoutes(world.operations.device, now: now)
        + managerRoutes(world.operations.manager, now: now)
      let long = routes.filter { $0.route.bodyMax > Route.unaskedBodyMax }
      let paths = Set(long.map(\.route.pattern))
      #expect(
        paths.isSuperset(of: ["/v1/pings", "/v1/permission-reports", "/v1/employees/import"]))
      for (route, access) in long.map({ ($0.route, $0.access) }) {
        let admission = try #require(route.admission, "\(route.pattern)")
        let isManager = access != .device
        for (token, status) in [
          (nil, 401), ("sg_7_1_wrong", 401), (isManager ? world.phone : world.access, 401),
          (isManager ? world.access : world.phone, nil),
        ] as [(String?, Int?)] {
          var headers = HTTPHeaders()
          headers["Authorization"] = token.map { "Bearer \($0)" }
          let head = try HTTPRequest(route.method, route.pattern, headers: headers)
          #expect(await admission(head)?.status == status, "\(route.pattern) \(token ?? "")")
        }
      }
    }
  }
}
