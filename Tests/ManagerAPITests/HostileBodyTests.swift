import Glibc
import HTTPAPI
import HTTPSending
import HTTPServing
import InstallationOperations
import Lifecycle
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// A body that is expensive to read for its length.
private struct Hostile {
  let name: String
  let head: String
  let unit: String

  /// Up to `count` bytes.
  func body(_ count: Int) -> [UInt8] {
    let units = max(0, count - head.utf8.count) / unit.utf8.count
    return Array((head + String(repeating: unit, count: units)).utf8)
  }

  static func kinds(for path: String) -> [Hostile] {
    let lists = ["overland": "locations", "transistorsoft": "location", "pings": "pings"]
    let list = lists.first { path.contains($0.key) }?.value ?? "reports"
    return [
      Hostile(name: "letters", head: "", unit: "A"),
      Hostile(name: "nesting", head: "", unit: #"{"a":"#),
      Hostile(name: "commas", head: "[", unit: ","),
      Hostile(name: "escapes", head: "\"", unit: #"\u0041"#),
      Hostile(name: "digits", head: "", unit: "1"),
      Hostile(name: "tiny items", head: #"{"\#(list)":[{}"#, unit: ",{}"),
    ]
  }
}

/// Where requests were handled, and what that cost the thread of the connections.
private final class Handling: Sendable {
  private let threads = Lock<[UInt: Int]>([:])

  /// Notes the thread that handles a request with a body of `bytes`; keeps the longest.
  func note(_ bytes: Int) {
    let thread = UInt(pthread_self())
    threads.withLock { $0[thread] = max($0[thread] ?? 0, bytes) }
  }

  /// The most bytes that a thread was given at once.
  func longest(on thread: UInt) -> Int { threads.withLock { $0[thread] ?? 0 } }
}

/// Nanoseconds of processor time that a thread has used: no other load on the machine counts.
private func processorTime(of thread: UInt) -> Int {
  var (clock, time) = (clockid_t(), timespec())
  pthread_getcpuclockid(pthread_t(thread), &clock)
  clock_gettime(clock, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Every route with the largest body that it takes, of six kinds. In a debug build the longest are
/// cut: where they are handled depends on nothing but that they are long. // R: M3
@Suite("Hostile bodies", .timeLimit(.minutes(20))) struct HostileBodyTests {
  private static let longest = 262_144

  @Test("are read on the thread of the connections up to 16 kB, and longer ones elsewhere")
  func walk() async throws {
    try await TwoTeamsWorld.run { all in
      let handling = Handling()
      var routes = all.routes.map { access -> Route in
        var route = access.route
        let handler = route.handler
        route.handler = { request in
          handling.note(request.body.count)
          return await handler(request)
        }
        return route
      }
      routes.append(Route(.get, "/thread", isBrief: true) { _ in .text("\(UInt(pthread_self()))") })
      try await serve(Router(routes)) { address in
        let sender = HTTPSender(connectionsMax: 1)
        let answer = try await sender.ask(OutgoingRequest("GET", address + "/thread"))
        let loop = try #require(UInt(String(decoding: answer.body, as: UTF8.self)))
        var longestStop = (nanoseconds: 0, at: "")
        for order in try await orders(all) {
          for count in Set([Route.unaskedBodyMax, min(order.route.bodyMax, Self.longest)]) {
            // Routes that are not brief are never on that thread: one kind is enough.
            let kinds = Hostile.kinds(for: order.route.pattern)
            for kind in order.route.isBrief ? kinds : [kinds[count % kinds.count]] {
              let before = processorTime(of: loop)
              let answer = try await sender.ask(
                OutgoingRequest(
                  order.route.method.rawValue, address + order.path, headers: order.headers,
                  body: kind.body(count)))
              let what = "\(order.route.pattern) \(count) \(kind.name)"
              #expect(answer.status < 500, "\(what)")
              if order.isOfApp { #expect(answer.status == 200, "\(what)") }
              let spent = processorTime(of: loop) - before
              if spent > longestStop.nanoseconds { longestStop = (spent, what) }
            }
          }
        }
        #expect(handling.longest(on: loop) <= Route.unaskedBodyMax)
        #expect(handling.longest(on: loop) > Route.unaskedBodyMax / 2)
        print(
          "longest stop of the connections' thread: \(longestStop.nanoseconds / 1_000) µs of its"
            + " processor time, by \(longestStop.at)")
      }
    }
  }

  private typealias Header = (name: String, value: String)
  private typealias Order = (route: Route, path: String, isOfApp: Bool, headers: [Header])

  /// Every route that takes a body, with the headers of somebody whom it lets in.
  private func orders(_ all: TwoTeamsWorld) async throws -> [Order] {
    var apps: [String: String] = [:]
    for app in PhoneApp.allCases {
      apps["/v1/apps/\(app.code)"] = try await all.operations.people.enrol(
        PhoneAppRequest(app, on: .ios), for: EmployeeID(8), by: all.boss
      ).token
    }
    let token = try await all.operations.installation.createAPIToken(
      name: "All", role: .administrator, validFor: .hours(1))
    return all.routes.filter { [.post, .put, .patch].contains($0.route.method) }.map { access in
      let pattern = access.route.pattern
      let app = apps[pattern]
      let path = pattern.split(separator: "/").map { $0.hasPrefix("{") ? "1" : $0 }
      let bearer =
        app ?? (access.access == .device ? all.phones[7] ?? "" : token.token)
      return (
        access.route, "/" + path.joined(separator: "/"), app != nil,
        [("Authorization", "Bearer \(bearer)"), ("Content-Type", "application/json")]
      )
    }
  }

  private func serve(_ router: Router, _ body: (String) async throws -> Void) async throws {
    var configuration = ServerConfiguration.patient
    configuration.threads = 1
    try await HTTPServer(configuration, router: router).serving(body)
  }
}
