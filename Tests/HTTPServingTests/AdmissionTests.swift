import Testing

@testable import HTTPServing

/// `/guarded` accepts 1 MiB with the right token; `/small` accepts short bodies from anyone.
@Suite("Admission of long bodies", .timeLimit(.minutes(5))) struct AdmissionTests {
  private static let free = Route.unaskedBodyMax
  private static let longest = 1 << 20

  private func withRoutes(
    _ edit: (inout ServerConfiguration) -> Void = { _ in },
    admission: @escaping Route.Admission = { request in
      request.headers["Authorization"] == "Bearer word"
        ? nil : Problem(status: 401, code: "unauthorized").response()
    },
    handler: @escaping Route.Handler = { .text("\($0.body.count)") },
    _ body: (HTTPServer) async throws -> Void
  ) async throws {
    let router = Router([
      Route(.post, "/guarded", bodyMax: Self.longest, admission: admission, handler),
      Route(.post, "/small", bodyMax: Self.free, handler),
    ])
    try await withServer(
      {
        $0.threads = 1
        edit(&$0)
      }, router: router
    ) { server in try await body(server) }
  }

  private func head(_ path: String, _ length: Int, word: String? = nil, more: String = "") -> String
  {
    "POST \(path) HTTP/1.1\r\nHost: x\r\n"
      + (word.map { "authorization:\tBearer \($0) \r\n" } ?? "")
      + "\(more)Content-Length: \(length)\r\n\r\n"
  }

  @Test("a body that is not allowed is refused by its head, without waiting for it")
  func refused() async throws {
    try await withRoutes { server in
      for (path, length, word, status) in [
        ("/guarded", Self.free + 1, nil, 401), ("/guarded", Self.free + 1, "wrong", 401),
        ("/nowhere", Self.free + 1, "word", 404), ("/small", Self.free + 1, "word", 413),
        ("/guarded", Self.longest + 1, "word", 413),
      ] as [(String, Int, String?, Int)] {
        let answer = await RawClient(server.address).ask(head(path, length, word: word))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path) \(length): \(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n"))
      }
    }
  }

  @Test("an authorized client sends all of it, and further requests on the same connection")
  func taken() async throws {
    try await withRoutes { server in
      let client = RawClient(server.address)
      for length in [Self.longest, Self.free + 1, 5] {
        client.send(head("/guarded", length, word: "word"))
        await client.send(Array(repeating: 0x61, count: length))
        let answer = await client.read(until: "\r\n\r\n\(length)")
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
      }
    }
  }

  @Test("a short body is accepted from anyone, and judged by its handler")
  func little() async throws {
    try await withRoutes { server in
      let client = RawClient(server.address)
      client.send(head("/guarded", Self.free))
      await client.send(Array(repeating: 0x61, count: Self.free))
      #expect(await client.read(until: "\r\n\r\n\(Self.free)").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("a chunked body is checked when it exceeds the free size", arguments: ["word", "wrong"])
  func chunked(word: String) async throws {
    try await withRoutes { server in
      let client = RawClient(server.address)
      client.send(
        "POST /guarded HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(word)\r\n"
          + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array("1000\r\n".utf8) + Array(repeating: 0x61, count: 4_096) + Array("\r\n".utf8)
      for _ in 0..<40 { await client.send(chunk) }
      client.send("0\r\n\r\n")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix(word == "word" ? "HTTP/1.1 200 " : "HTTP/1.1 401 "), "\(answer)")
      if word == "word" { #expect(answer.hasSuffix("\(40 * 4_096)<end>")) }
    }
  }

  @Test("a client is not read during its admission check, and all of its body arrives afterwards")
  func slowLookup() async throws {
    let (asked, answer) = (Signal(), Signal())
    try await withRoutes(
      admission: { _ in
        asked.happen()
        await answer.wait()
        return nil
      }
    ) { server in
      let client = RawClient(server.address)
      let sending = Task {
        client.send(head("/guarded", Self.longest))
        await client.send(Array(repeating: 0x61, count: Self.longest))
      }
      await asked.wait()
      answer.happen()
      #expect(await client.read(until: "\(Self.longest)").contains("\r\n\r\n\(Self.longest)"))
      await sending.value
    }
  }

  @Test("a long body after a request that is not answered yet waits for its turn")
  func behind() async throws {
    let (arrived, go) = (Signal(), Signal())
    try await withRoutes(handler: { request in
      if request.body.isEmpty {
        arrived.happen()
        await go.wait()
      }
      return .text("\(request.body.count)")
    }) { server in
      for word in ["word", "wrong"] {
        let client = RawClient(server.address)
        client.send(head("/small", 0) + head("/guarded", 100_000, word: word, more: "A: b\r\n"))
        let sending = Task { await client.send(Array(repeating: 0x61, count: 100_000)) }
        await arrived.wait()
        go.happen()
        let answers = await client.read(until: word == "word" ? "\r\n\r\n100000" : "<end>")
        #expect(answers.hasPrefix("HTTP/1.1 200 "))
        #expect(answers.contains("\r\n\r\n0HTTP/1.1 \(word == "word" ? 200 : 401) "), "\(answers)")
        await sending.value
      }
    }
  }

  @Test("a long body behind a short request during a stream waits for both")
  func behindShort() async throws {
    let (stream, pieces) = AsyncStream<[UInt8]>.makeStream()
    try await withRoutes(handler: { request in
      request.body.isEmpty ? HTTPResponse(body: .stream(stream)) : .text("\(request.body.count)")
    }) { server in
      let client = RawClient(server.address)
      client.send(head("/small", 0))
      _ = await client.read(until: "\r\n\r\n")
      client.send(head("/small", 1) + "a" + head("/guarded", Self.longest, word: "word"))
      let sending = Task { await client.send(Array(repeating: 0x61, count: Self.longest)) }
      // Meanwhile the server receives as much of the body as it takes during a stream.
      for _ in 0..<50 { _ = await RawClient(server.address).ask("GET / HTTP/1.0\r\n\r\n") }
      pieces.finish()
      let answers = await client.read(until: "\r\n\r\n\(Self.longest)")
      #expect(answers.hasPrefix("0\r\n\r\nHTTP/1.1 200 "), "\(answers)")
      #expect(answers.contains("\r\n\r\n1HTTP/1.1 200 "), "\(answers)")
      await sending.value
    }
  }

  @Test("memory for many requests returns to the system once all are answered, not before")
  func handedBack() async throws {
    // Bodies of different lengths, so that the handler can tell the requests apart.
    let arrivals = (0..<5).map { _ in Signal() }
    let (answer, handedBack, times) = (Signal(), Signal(), Mutable(0))
    try await withRoutes(
      {
        $0.giveMemoryBack = {
          times.value += 1
          handedBack.happen()
        }
      },
      handler: { request in
        arrivals[Self.longest - request.body.count].happen()
        await answer.wait()
        return .text("\(request.body.count)")
      }
    ) { server in
      var clients: [RawClient] = []
      for (index, arrival) in arrivals.enumerated() {
        let client = RawClient(server.address)
        client.send(head("/guarded", Self.longest - index, word: "word"))
        await client.send(Array(repeating: 0x61, count: Self.longest - index))
        await arrival.wait()
        clients.append(client)
      }
      #expect(times.value == 0)
      answer.happen()
      await handedBack.wait()
      for (index, client) in clients.enumerated() {
        let text = await client.read(until: "\r\n\r\n\(Self.longest - index)")
        #expect(text.hasPrefix("HTTP/1.1 200 "))
      }
      #expect(times.value == 1)
    }
  }

  @Test("the memory of all clients is bounded: beyond it 503, until some have left")
  func sum() async throws {
    try await withRoutes({ $0.heldMax = 200_000 }) { server in
      func probe() async -> String {
        let client = RawClient(server.address)
        client.send(head("/small", Self.free))
        await client.send(Array(repeating: 0x61, count: Self.free - 1))
        // What has arrived whole is answered; so the last byte waits until the others were read.
        let other = RawClient(server.address)
        _ = await other.ask("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        client.send("a")
        return String(await client.read(until: "\r\n\r\n").prefix(12))
      }
      var holders: [RawClient] = []
      var status = await probe()
      #expect(status == "HTTP/1.1 200")
      while holders.count < 20, status != "HTTP/1.1 503" {
        let client = RawClient(server.address)
        client.send(head("/small", Self.free))
        await client.send(Array(repeating: 0x61, count: Self.free - 1))
        holders.append(client)
        status = await probe()
      }
      #expect(status == "HTTP/1.1 503")
      holders.removeAll()
      // Each of these may be read before the server has seen that the other clients have left.
      for _ in 0..<1_000 where status != "HTTP/1.1 200" { status = await probe() }
      #expect(status == "HTTP/1.1 200")
    }
  }

  @Test("beyond that memory, a request that is being answered is answered before the 503")
  func sumBehind() async throws {
    let (arrived, go) = (Signal(), Signal())
    try await withRoutes(
      { $0.heldMax = 1_000 },
      handler: { _ in
        arrived.happen()
        await go.wait()
        return .text("answered")
      }
    ) { server in
      let client = RawClient(server.address)
      client.send(
        head("/small", 0) + head("/small", Self.free) + String(repeating: "a", count: 5_000))
      await arrived.wait()
      go.happen()
      let answers = await client.readToEnd()
      #expect(answers.hasPrefix("HTTP/1.1 200 "), "\(answers)")
      #expect(answers.contains("\r\n\r\nansweredHTTP/1.1 503 "), "\(answers)")
    }
  }

  @Test("beyond that memory, a body is refused while its sender is being authenticated, too")
  func sumOfUnjudged() async throws {
    let (asked, answer) = (Signal(), Signal())
    try await withRoutes(
      { $0.heldMax = 200 },
      admission: { _ in
        asked.happen()
        await answer.wait()
        return nil
      }
    ) { server in
      let filler = "A: " + String(repeating: "a", count: 200) + "\r\n"
      let refused = await RawClient(server.address).ask(
        head("/guarded", Self.longest, more: filler))
      #expect(refused.contains("\"code\":\"overloaded\""), "\(refused)")
      await asked.wait()
      answer.happen()
      // The decision comes too late, for a connection that has ended.
      let client = RawClient(server.address)
      client.send(head("/small", 1) + "a")
      #expect(await client.read(until: "\r\n\r\n1").hasPrefix("HTTP/1.1 200 "))
    }
  }
}
