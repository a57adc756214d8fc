import TestKit
import Testing

@testable import HTTPServing

@Suite("Router") struct RouterTests {
  private static let router: Router = {
    let names: [(HTTPMethod, String)] = [
      (.get, "/"), (.get, "/v1/employees/{employee}"), (.get, "/v1/employees/me"),
      (.post, "/v1/employees"), (.delete, "/v1/employees/{employee}"),
      (.get, "/v1/employees/{employee}/shifts/{shift}"), (.put, "/only/put"),
    ]
    let routes = names.map { (method, pattern) in
      Route(method, pattern) { request in
        let found = request.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        return .text(([pattern] + found).joined(separator: " "))
      }
    }
    return Router(
      routes + [
        Route(.get, "/raw", isRaw: true) { _ in .text("raw") },
        Route(.post, "/small", bodyMax: 3) { _ in .text("small") },
      ])
  }()

  private func answer(
    _ method: HTTPMethod, _ target: String, body: [UInt8] = []
  ) async throws -> HTTPResponse {
    await Self.router.respond(to: try HTTPRequest(method, target, body: body))
  }

  private func text(_ response: HTTPResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  typealias Row = (method: HTTPMethod, target: String, found: String)
  static let found: [Row] = [
    (.get, "/", "/"),
    (.get, "/?a=b", "/"),
    (.get, "/raw?a=b", "raw"),
    (.head, "/raw", "raw"),
    (.get, "/v1/employees/7", "/v1/employees/{employee} employee=7"),
    (.head, "/v1/employees/7", "/v1/employees/{employee} employee=7"),
    (.get, "/v1/employees/me", "/v1/employees/me"),
    (.get, "/v1/employees/m%65", "/v1/employees/me"),
    (.get, "/v1/employees/a%2Fb%20c", "/v1/employees/{employee} employee=a/b c"),
    (
      .get, "/v1/employees/7/shifts/3",
      "/v1/employees/{employee}/shifts/{shift} employee=7 shift=3"
    ),
    (.get, "http://h/v1/employees/7", "/v1/employees/{employee} employee=7"),
  ]

  @Test("the best matching route answers", arguments: found) func finds(_ row: Row) async throws {
    let response = try await answer(row.method, row.target)
    #expect(response.status == 200)
    #expect(text(response) == row.found)
  }

  @Test(
    "an unknown path gets 404",
    arguments: [
      "/%72aw", "/ra%77", "/%72%61%77", "//raw", "/x", "/v1/employees/", "/v1/employees//shifts/3",
      "/v1/employees/7/", "//", "/V1",
    ])
  func unknown(_ target: String) async throws {
    let response = try await answer(.get, target)
    #expect(response.status == 404)
    #expect(response.headers["Content-Type"] == "application/problem+json")
    #expect(text(response).contains("\"code\":\"not_found\""))
  }

  typealias Refusal = (method: HTTPMethod, target: String, allow: String)
  static let refused: [Refusal] = [
    (.post, "/v1/employees/7", "DELETE, GET, HEAD"),
    (.get, "/v1/employees", "POST"),
    (.head, "/only/put", "PUT"),
    (.post, "/v1/employees/me", "GET, HEAD"),
    (.delete, "/v1/employees/me", "GET, HEAD"),
  ]

  @Test("a method that the path does not have gets 405 with the allowed ones", arguments: refused)
  func methods(_ row: Refusal) async throws {
    let response = try await answer(row.method, row.target)
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == row.allow)
  }

  @Test("a body longer than the route allows gets 413", arguments: [(3, 200), (4, 413)])
  func bodyMax(count: Int, status: Int) async throws {
    let body = [UInt8](repeating: 0, count: count)
    #expect(try await answer(.post, "/small", body: body).status == status)
  }

  @Test("every route is listed") func routes() {
    let routes = Self.router.routes
    #expect(routes.count == 9)
    #expect(routes.contains { $0.method == .put && $0.pattern == "/only/put" })
  }

  @Test("a handler past its deadline is cancelled, and the client gets 503")
  func deadline() async throws {
    let cancelled = Signal()
    let router = Router([
      Route(.get, "/slow", deadline: .milliseconds(50)) { _ in
        await untilCancelled()
        cancelled.happen()
        return .text("late")
      },
      Route(.get, "/next") { _ in .text("next") },
    ])
    try await withServer(router: router) { server in
      let client = RawClient(server.address)
      client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = await client.read(until: "}")
      #expect(answer.hasPrefix("HTTP/1.1 503 "))
      #expect(answer.contains("\r\nRetry-After: 1\r\n"))
      await cancelled.wait()
      client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "next").hasSuffix("\r\nnext"))
    }
  }

  @Test("the router answers over a connection as it does directly") func onTheWire() async throws {
    try await withServer(router: Self.router) { server in
      let client = RawClient(server.address)
      client.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "}").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
      client.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfour")
      #expect(await client.read(until: "}").hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
      client.send("PATCH /only/put HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "}").contains("\r\nAllow: PUT\r\n"))
    }
  }
}
