import Testing

@testable import HTTPServing

/// Bodies may have 100 bytes, and 4 MiB on routes that allow it.
@Suite("Long bodies", .timeLimit(.minutes(5))) struct LongBodiesTests {
  private static let longest = 4 << 20

  private func withRoutes(
    longAtOnce: Int = 2, _ handler: @escaping Route.Handler = { .text("\($0.body.count)") },
    _ body: (HTTPServer) async throws -> Void
  ) async throws {
    let router = Router([
      Route(.post, "/long", bodyMax: Self.longest, handler),
      Route(.put, "/long", bodyMax: Self.longest, handler),
      Route(.post, "/usual", bodyMax: 100, handler),
    ])
    try await withServer(
      {
        $0.threads = 1
        $0.bodyMax = 100
        $0.longBodiesMax = longAtOnce
      }, router: router
    ) { server in try await body(server) }
  }

  private func ask(_ server: HTTPServer, _ line: String, _ count: Int) async -> String {
    let client = RawClient(server.address)
    client.send(
      "\(line) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n")
    await client.send(Array(repeating: UInt8(ascii: "a"), count: count))
    return await client.readToEnd()
  }

  @Test("are accepted for a POST to the exact path of a route that allows them, and nowhere else")
  func taken() async throws {
    try await withRoutes { server in
      for (line, count, status) in [
        ("POST /long", Self.longest, 200), ("POST /long?dryRun=true", Self.longest, 200),
        ("POST /long", Self.longest + 1, 413), ("POST /usual", 101, 413), ("PUT /long", 101, 413),
        ("POST /long/", 101, 413), ("POST /other", 101, 413), ("POST /usual", 100, 200),
      ] {
        let answer = await ask(server, line, count)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(line) \(count): \(answer)")
        if status == 200 { #expect(answer.hasSuffix("\(count)<end>")) }
      }
    }
  }

  @Test("are also accepted in chunks")
  func chunked() async throws {
    try await withRoutes { server in
      let chunk = "40\r\n" + String(repeating: "a", count: 64) + "\r\n"
      for (path, status) in [("/long", 200), ("/usual", 413)] {
        let answer = await RawClient(server.address).ask(
          "POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk + "0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      }
    }
  }

  @Test("are read before the next request of their connection")
  func followed() async throws {
    try await withRoutes { server in
      let client = RawClient(server.address)
      client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: \(Self.longest)\r\n\r\n")
      await client.send(Array(repeating: UInt8(ascii: "a"), count: Self.longest))
      client.send(
        "POST /usual HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\na")
      let answers = await client.readToEnd()
      #expect(answers.contains("\r\n\r\n\(Self.longest)HTTP/1.1 200 "), "\(answers)")
      #expect(answers.hasSuffix("\r\n\r\n1<end>"))
    }
  }

  @Test("have their own time, also on a connection that has been used before")
  func slow() async throws {
    let router = Router([
      Route(.post, "/long", bodyMax: Self.longest) { .text("\($0.body.count)") }
    ])
    try await withServer(
      {
        $0.threads = 1
        $0.bodyMax = 100
        $0.requestDeadline = .milliseconds(100)
      }, router: router
    ) { server in
      let client = RawClient(server.address)
      client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
      _ = await client.read(until: "\r\n\r\n1")
      client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 200\r\n\r\nhalf")
      // This connection begins later and ends when the time of a usual request is over.
      #expect(await RawClient(server.address).ask("") == "<end>")
      client.send(String(repeating: "a", count: 196))
      #expect(await client.read(until: "\r\n\r\n200").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("are refused after a request that is not answered yet")
  func behind() async throws {
    let (stream, pieces) = AsyncStream<[UInt8]>.makeStream()
    defer { pieces.finish() }
    try await withRoutes(
      longAtOnce: 1,
      { request in
        request.body.isEmpty
          ? HTTPResponse(body: .stream(stream)) : .text("\(request.body.count)")
      }
    ) { server in
      let client = RawClient(server.address)
      client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
      _ = await client.read(until: "\r\n\r\n")
      client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: \(Self.longest)\r\n\r\n")
      await client.send(Array(repeating: UInt8(ascii: "a"), count: Self.longest / 2))
      // It does not count towards the limit.
      let answer = await ask(server, "POST /long", Self.longest)
      #expect(answer.hasSuffix("\(Self.longest)<end>"), "\(answer)")
      pieces.finish()
      #expect(await client.readToEnd().contains("HTTP/1.1 503 "))
    }
  }

  @Test("are limited in number: more are refused by their head, until one is done or gone")
  func few() async throws {
    let (arrived, go) = (Signal(), Signal())
    try await withRoutes(
      longAtOnce: 2,
      { request in
        arrived.happen()
        await go.wait()
        return .text("\(request.body.count)")
      }
    ) { server in
      let head =
        "POST /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        + "Content-Length: \(Self.longest)\r\n\r\n"
      let body = Array(repeating: UInt8(ascii: "a"), count: Self.longest)
      let whole = RawClient(server.address)
      whole.send(head)
      await whole.send(body)
      await arrived.wait()
      do {
        let half = RawClient(server.address)
        half.send(head + "half of it")
        let refused = await RawClient(server.address).ask(head)
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("Retry-After"))
        // Short bodies are not affected.
        let short = RawClient(server.address)
        short.send("POST /usual HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
        go.happen()
        #expect(await short.read(until: "\r\n\r\n1").hasPrefix("HTTP/1.1 200 "))
        #expect(await whole.readToEnd().hasSuffix("\(Self.longest)<end>"))
      }
      for _ in 0..<5 { #expect(await ask(server, "POST /long", 1_000).hasSuffix("1000<end>")) }
    }
  }
}
