import TestKit
import Testing

@testable import HTTPServing

@Suite("Requests on a direct way", .timeLimit(.minutes(5))) struct DirectRequestTests {
  /// A route whose direct way declines a body that begins with `!`, and keeps tickets of those that
  /// begin with `?`.
  private static func router(keeping tickets: Mutable<[ReplyTicket]>, _ kept: Signal) -> Router {
    let route = Route(.post, "/direct", isBrief: true) { .text("ordinary \($0.body.count)") }
    return Router([
      route.directly { authorization, body, ticket in
        switch body[0] {
        case UInt8(ascii: "!"): return .declined
        case UInt8(ascii: "?"):
          tickets.value.append(ticket)
          kept.happen()
        default: ticket.answer(.text("direct \(authorization.count) \(body.count)"))
        }
        return .taken
      },
      Route(.get, "/next") { _ in .text("next") },
    ])
  }

  private static func request(
    _ target: String = "/direct", _ fields: String = "Authorization: abc\r\n", body: String
  ) -> String {
    "POST \(target) HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func withDirect(
    _ edit: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, Mutable<[ReplyTicket]>, Signal) async throws -> Void
  ) async throws {
    let (tickets, kept) = (Mutable<[ReplyTicket]>([]), Signal())
    try await withServer(
      {
        $0.threads = 1
        edit(&$0)
      }, router: Self.router(keeping: tickets, kept)
    ) { server in try await body(server, tickets, kept) }
  }

  typealias Row = (request: String, answer: String)
  private static let rows: [Row] = [
    (request(body: "ab"), "direct 3 2"),
    (request("/direct", "aUTHORIZATION: \t abc \r\n", body: "ab"), "direct 3 2"),
    (request(body: String(repeating: "a", count: 16_384)), "direct 3 16384"),
    (request(body: "!b"), "ordinary 2"),
    (request(body: ""), "ordinary 0"),
    (request("/direct?a=b", body: "ab"), "ordinary 2"),
    (request("/d%69rect", body: "ab"), "ordinary 2"),
    (request("http://x/direct", body: "ab"), "ordinary 2"),
    (request("/direct", "", body: "ab"), "ordinary 2"),
    (request("/direct", "Authorization: a\r\nAuthorization: a\r\n", body: "ab"), "ordinary 2"),
    (request("/direct", "Authorization: a\r\nTraceparent: b\r\n", body: "ab"), "ordinary 2"),
    (request("/direct", "Authorization: a\r\nContent-Encoding: b\r\n", body: "ab"), "ordinary 2"),
    (request("/direct", "Authorization: a\r\nExpect: 100-continue\r\n", body: "ab"), "ordinary 2"),
    (
      "POST /direct HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nab\r\n0\r\n\r\n", "ordinary 2"
    ),
  ]

  @Test("take what is usual, in any number on one connection; the rest takes the ordinary way")
  func offered() async throws {
    try await withDirect { server, _, _ in
      let client = RawClient(server.address)
      for (request, answer) in Self.rows {
        client.send(request)
        let found = await client.read(until: answer)
        #expect(found.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(request.prefix(200)): \(found)")
      }
    }
  }

  @Test("in pieces take the ordinary way") func pieces() async throws {
    try await withDirect { server, _, _ in
      let client = RawClient(server.address)
      client.send(String(Self.request(body: "abc").dropLast()))
      _ = await RawClient(server.address).ask("GET /next HTTP/1.0\r\n\r\n")
      client.send("c")
      #expect(await client.read(until: "ordinary 3").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("that are not answered by their deadline get 503, once; later answers are dropped")
  func late() async throws {
    try await withDirect({ $0.answerDeadline = .milliseconds(100) }) { server, tickets, _ in
      let client = RawClient(server.address)
      client.send(Self.request(body: "?") + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      let answers = await client.read(until: "next")
      #expect(answers.contains("deadline_exceeded"), "\(answers)")
      for ticket in tickets.value { ticket.answer(.text("late")) }
      client.send("GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(await !client.readToEnd().contains("late"))
    }
  }

  @Test("of a client that has left are answered to nobody, whoever connects in its place")
  func gone() async throws {
    try await withDirect { server, tickets, kept in
      do {
        let client = RawClient(server.address)
        client.send(Self.request(body: "?"))
        await kept.wait()
      }
      for ticket in tickets.value { ticket.answer(.text("late")) }
      for _ in 0..<5 {
        let next = await RawClient(server.address).ask("GET /next HTTP/1.0\r\n\r\n")
        #expect(next.hasSuffix("next<end>") && !next.contains("late"))
      }
    }
  }

  @Test("count as running: over the maximum the ordinary way refuses them") func overload()
    async throws
  {
    try await withDirect({ $0.inflightMax = 1 }) { server, tickets, kept in
      let first = RawClient(server.address)
      first.send(Self.request(body: "?"))
      await kept.wait()
      let second = RawClient(server.address)
      second.send(Self.request(body: "ab"))
      #expect(await second.read(until: "}").hasPrefix("HTTP/1.1 503 "))
      for ticket in tickets.value { ticket.answer(.text("kept")) }
      #expect(await first.read(until: "kept").hasPrefix("HTTP/1.1 200 "))
      second.send(Self.request(body: "ab"))
      #expect(await second.read(until: "direct 3 2").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("a head prepared once is sent as one that is not", arguments: ["HTTP/1.0", "HTTP/1.1"])
  func prepared(version: String) async throws {
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
    var changed = prepared
    changed.headers["X"] = "y"
    #expect(changed.preparedHead == nil)
  }
}
