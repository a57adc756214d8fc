import Lifecycle
import TestKit
import Testing

@testable import HTTPServing

@Suite("Direct ways", .timeLimit(.minutes(5))) struct DirectWayTests {
  /// Keeps the tickets of requests until the test answers them.
  private final class Tickets: Sendable {
    private let kept = Lock<[ReplyTicket]>([])
    let arrived = Signal()

    var take: DirectWay.Take {
      { _, _, ticket in
        self.kept.withLock { $0.append(ticket) }
        self.arrived.happen()
        return .taken
      }
    }

    func answer(_ text: String) {
      let tickets = kept.withLock { kept in
        defer { kept = [] }
        return kept
      }
      for ticket in tickets { ticket.answer(.text(text)) }
    }
  }

  /// Answers at once with the lengths of what it was called with.
  private static let atOnce: DirectWay.Take = { authorization, body, ticket in
    ticket.answer(.text("direct \(authorization.count) \(body.count)."))
    return .taken
  }

  private func router(_ take: @escaping DirectWay.Take) -> Router {
    let handler: Route.Handler = { .text("handler \($0.body.count).") }
    return Router([
      Route(.post, "/p", bodyMax: 1 << 20, admission: { _ in nil }, handler).directly(take),
      Route(.put, "/p", handler),
      Route(.get, "/next", deadline: TestDatabase.patience) { _ in .text("next.") },
    ])
  }

  private func post(
    _ target: String = "/p", _ headers: String = "Authorization: Bearer a\r\n", body: String = "{}",
    method: String = "POST"
  ) -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(headers)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test("answer a usual request, with the value of its header and its body")
  func taken() async throws {
    let router = router(Self.atOnce)
    try await withServer(router: router) { server in
      let client = RawClient(server.address)
      for spelling in ["Authorization:Bearer a", "aUTHORIZATION: \t Bearer a "] {
        for count in [3, Route.unaskedBodyMax] {
          client.send(post("/p", "\(spelling)\r\n", body: String(repeating: "a", count: count)))
          let answer = await client.read(until: "direct 8 \(count).")
          #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
          #expect(answer.hasSuffix("\r\n\r\ndirect 8 \(count)."))
        }
      }
    }
    let request = try HTTPRequest(
      .post, "/p", headers: ["Authorization": "Bearer a"], body: [1, 2, 3])
    #expect(await router.respond(to: request).text == "direct 8 3.")
  }

  static let unusualRows: [(name: String, target: String, headers: String, length: Int)] = [
    ("a query", "/p?a=b", "Authorization: a\r\n", 2),
    ("an escape", "/%70", "Authorization: a\r\n", 2),
    ("a whole address", "http://x/p", "Authorization: a\r\n", 2),
    ("no token", "/p", "", 2),
    ("two tokens", "/p", "Authorization: a\r\nauthorization: b\r\n", 2),
    ("a trace", "/p", "Authorization: a\r\nTraceParent: b\r\n", 2),
    ("an encoding", "/p", "Content-Encoding: gzip\r\nAuthorization: a\r\n", 2),
    ("an expectation", "/p", "Authorization: a\r\nExpect: 100-continue\r\n", 2),
    ("no body", "/p", "Authorization: a\r\n", 0),
    ("a long body", "/p", "Authorization: a\r\n", Route.unaskedBodyMax + 1),
  ]

  @Test("are not asked about an unusual request", arguments: unusualRows)
  func unusual(_ row: (name: String, target: String, headers: String, length: Int)) async throws {
    let router = router(Self.atOnce)
    try await withServer(router: router) { server in
      let client = RawClient(server.address)
      let body = String(repeating: "a", count: row.length)
      client.send(post(row.target, row.headers, body: body))
      let answer = await client.read(until: "r \(row.length).")
      #expect(answer.hasSuffix("handler \(row.length)."), "\(row.name)")
    }
    let fields = row.headers.split(separator: "\r\n").map { line in
      let parts = line.split(separator: ": ").map { String($0) }
      return (name: parts[0], value: parts[1])
    }
    guard !row.target.hasPrefix("http") else { return }
    let request = try HTTPRequest(
      .post, row.target, headers: HTTPHeaders(fields),
      body: Array(repeating: 0x61, count: row.length))
    #expect(await router.respond(to: request).text == "handler \(row.length).", "\(row.name)")
  }

  @Test("are not asked about another method")
  func method() async throws {
    try await withServer(router: router(Self.atOnce)) { server in
      let client = RawClient(server.address)
      client.send(post(method: "PUT"))
      #expect(await client.read(until: "r 2.").hasSuffix("handler 2."))
    }
  }

  @Test("are not asked about a request in pieces or in chunks, but about those after it")
  func pieces() async throws {
    try await withServer({ $0.threads = 1 }, router: router(Self.atOnce)) { server in
      let client = RawClient(server.address)
      client.send(String(post(body: "abc").dropLast()))
      // Answered after the first piece has been read.
      _ = await RawClient(server.address).ask("GET /next HTTP/1.0\r\n\r\n")
      client.send("c")
      #expect(await client.read(until: " 3.").hasSuffix("handler 3."))
      client.send(
        "POST /p HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "4\r\nabcd\r\n0\r\n\r\n")
      #expect(await client.read(until: " 4.").hasSuffix("handler 4."))
      client.send(post(body: "abcde"))
      #expect(await client.read(until: " 5.").hasSuffix("direct 8 5."))
    }
  }

  @Test("leave what they decline to the handler, whole")
  func declined() async throws {
    let asked = Mutable(0)
    let router = router { _, body, _ in
      asked.value += body.count
      return .declined
    }
    try await withServer(router: router) { server in
      let client = RawClient(server.address)
      let body = String(repeating: "a", count: Route.unaskedBodyMax)
      for number in 1...2 {
        client.send(post(body: body))
        #expect(await client.read(until: "r \(body.utf8.count).").contains("handler"))
        #expect(asked.value == number * body.utf8.count)
      }
    }
  }

  @Test("answer later, from any thread, and in the order of the requests")
  func pipelined() async throws {
    let tickets = Tickets()
    try await withServer({ $0.threads = 1 }, router: router(tickets.take)) { server in
      let client = RawClient(server.address)
      client.send(post() + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      await tickets.arrived.wait()
      // The server's only thread has nothing else to do.
      let other = RawClient(server.address)
      other.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await other.read(until: "next.").hasSuffix("next."))
      tickets.answer("late.")
      let answers = await client.read(until: "next.")
      let first = try #require(answers.range(of: "late."))
      #expect(answers[first.upperBound...].hasSuffix("next."))
    }
  }

  @Test("of a client that has left answer nobody, whoever connects in its place")
  func gone() async throws {
    let tickets = Tickets()
    try await withServer({ $0.threads = 1 }, router: router(tickets.take)) { server in
      do {
        let client = RawClient(server.address)
        client.send(post())
        await tickets.arrived.wait()
      }
      tickets.answer("late.")
      for _ in 0..<5 {
        let next = await RawClient(server.address).ask("GET /next HTTP/1.0\r\n\r\n")
        #expect(next.hasSuffix("next.<end>") && !next.contains("late."))
      }
    }
  }

  @Test("count as in progress: over the maximum, requests are refused until one is answered")
  func overload() async throws {
    let tickets = Tickets()
    try await withServer(
      {
        $0.inflightMax = 1
        $0.threads = 1
      }, router: router(tickets.take)
    ) { server in
      let first = RawClient(server.address)
      first.send(post())
      await tickets.arrived.wait()
      let second = RawClient(server.address)
      second.send(post())
      #expect(await second.read(until: "}").hasPrefix("HTTP/1.1 503 "))
      tickets.answer("kept.")
      #expect(await first.read(until: "kept.").hasPrefix("HTTP/1.1 200 "))
      second.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await second.read(until: "next.").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("count as in progress until they answer, also when their client has gone")
  func inProgress() async throws {
    let tickets = Tickets()
    try await withServer(
      {
        $0.inflightMax = 1
        $0.threads = 1
      }, router: router(tickets.take)
    ) { server in
      do {
        let client = RawClient(server.address)
        client.send(post())
        await tickets.arrived.wait()
      }
      let next = RawClient(server.address)
      next.send(post())
      #expect(await next.read(until: "}").contains("\"code\":\"overloaded\""))
      tickets.answer("late.")
      // The server may read this before the ticket's answer; then it is refused once more.
      var answer = ""
      while !answer.hasSuffix("next.<end>") {
        answer = await RawClient(server.address).ask(
          "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      }
    }
  }

  @Test("past the deadline the client gets 503, once, and the late answer nobody")
  func deadline() async throws {
    let tickets = Tickets()
    try await withServer(
      {
        $0.answerDeadline = .milliseconds(50)
        $0.threads = 1
      }, router: router(tickets.take)
    ) { server in
      let client = RawClient(server.address)
      let next = "GET /next HTTP/1.1\r\nHost: x\r\n"
      client.send(post() + next + "\r\n")
      let answers = await client.read(until: "next.")
      #expect(answers.contains("\"code\":\"deadline_exceeded\""), "\(answers)")
      #expect(answers.ranges(of: "HTTP/1.1 ").count == 2, "\(answers)")
      tickets.answer("late.")
      client.send(next + "Connection: close\r\n\r\n")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("next.<end>"))
      #expect(!answer.contains("late."))
    }
  }

  @Test("are waited for when the server is stopped")
  func drains() async throws {
    let tickets = Tickets()
    var configuration = ServerConfiguration(address: .unix(path: freshPath()))
    configuration.drainGrace = TestDatabase.patience
    let server = try HTTPServer(configuration, router: router(tickets.take))
    let running = Task { try await server.run() }
    let client = RawClient(server.address)
    client.send(post())
    await tickets.arrived.wait()
    running.cancel()
    // New connections are refused before the old ones have ended.
    while await RawClient(server.address).ask("GET /next HTTP/1.0\r\n\r\n") != "<end>" {}
    tickets.answer("last.")
    let answer = await client.readToEnd()
    #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("last.<end>"))
    try await running.value
  }

  @Test("have the answers pass what a handler's answers pass, in the same order")
  func finishes() async throws {
    let take = Mutable(DirectWay.Outcome.taken)
    let route = Route(.post, "/p") { _ in .text("answer") }
      .directly { _, _, ticket in
        if take.value == .taken { ticket.answer(.text("answer")) }
        return take.value
      }
    let router = Router([
      route.finishing { response, _ in response.adding("inner") }
        .finishing { response, _ in response.adding("outer") }
    ])
    for outcome in [DirectWay.Outcome.taken, .declined] {
      take.value = outcome
      let request = try HTTPRequest(.post, "/p", headers: ["Authorization": "a"], body: [1])
      let response = await router.respond(to: request)
      #expect(response.headers.values(of: "Passed") == ["inner", "outer"])
    }
  }

  @Test("are lost with their handler, so that nothing around it is gone round")
  func otherHandler() async throws {
    var route = Route(.post, "/p") { _ in .text("old") }.directly(Self.atOnce)
    route.handler = { _ in .text("new") }
    #expect(route.take == nil)
    let request = try HTTPRequest(.post, "/p", headers: ["Authorization": "a"], body: [1])
    #expect(await Router([route]).respond(to: request).text == "new")
  }

  @Test("a prepared head is what would be written, and is written again once it is changed")
  func prepared() {
    let usual = HTTPResponse.json([], headers: ["X-One": "1", "Connection": "upgrade"])
    var response = usual.prepared.carrying(Array("{}".utf8))
    let head = "HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Type: application/json\r\n"
    #expect(response.preparedHead == Array(head.utf8))
    #expect(response.wireBytes == usual.carrying(Array("{}".utf8)).wireBytes)
    response.headers["X-Two"] = "2"
    #expect(response.preparedHead == nil)
    #expect(String(decoding: response.wireBytes, as: UTF8.self).contains("\r\nX-Two: 2\r\n"))
    response = usual.prepared
    response.status = 503
    #expect(response.preparedHead == nil)
  }

  @Test("a head prepared once is sent as one that is not", arguments: ["HTTP/1.0", "HTTP/1.1"])
  func preparedOnTheWire(version: String) async throws {
    let plain = HTTPResponse.text("plain", type: "text/x", status: 201)
    let prepared = plain.prepared
    try await withServer(handler: { $0.path == "/plain" ? plain : prepared }) { server in
      var heads: [String] = []
      for path in ["/plain", "/prepared"] {
        let answer = await RawClient(server.address).ask(
          "GET \(path) \(version)\r\nHost: x\r\nConnection: close\r\n\r\n")
        heads.append(answer.split(separator: "Date: ").first.map { String($0) } ?? "")
      }
      #expect(heads[0] == heads[1] && heads[0].hasPrefix("\(version) 201 Created\r\n"))
    }
  }
}

extension HTTPResponse {
  fileprivate var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate func adding(_ name: String) -> HTTPResponse {
    var response = self
    response.headers.add("Passed", name)
    return response
  }
}
