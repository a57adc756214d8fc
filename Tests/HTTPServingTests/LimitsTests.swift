import Lifecycle
import Testing

@testable import HTTPServing

@Suite("Limits") struct LimitsTests {
  @Test("too many requests at once get 503 with Retry-After, and the connection stays open")
  func overload() async throws {
    let answered = Lock<[Int]>([])
    try await withServer({
      $0.inflightMax = 0
      $0.answeredItself = { status in answered.withLock { $0.append(status) } }
    }) { server in
      let client = RawClient(server.address)
      for _ in 0..<2 {
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
        let answer = await client.read(until: "}")
        #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.contains("\r\nRetry-After: 1\r\n"))
        #expect(answer.contains("\"code\":\"overloaded\""))
      }
      client.send("GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "}").hasPrefix("HTTP/1.1 400 "))
    }
    #expect(answered.withLock { $0 } == [503, 503, 400])
  }

  @Test("a handler past its deadline counts as in progress until it ends") func overloadBySlow()
    async throws
  {
    let (release, releasing) = AsyncStream<Void>.makeStream()
    let route = Route(.get, "/", deadline: .milliseconds(1)) { _ in
      // Ignores cancellation because another task waits.
      await Task { for await _ in release {} }.value
      return .text("late")
    }
    try await withServer(
      {
        $0.inflightMax = 1
        $0.threads = 1
      }, router: Router([route])
    ) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "}").contains("\"code\":\"deadline_exceeded\""))
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.read(until: "}").contains("\"code\":\"overloaded\""))
      releasing.finish()
    }
  }

  @Test(
    "a body of the limit passes, one byte more gets 413",
    arguments: [("Content-Length: 100\r\n\r\n", 200), ("Content-Length: 101\r\n\r\n", 413)])
  func bodyMax(_ headers: String, status: Int) async throws {
    try await withServer({ $0.bodyMax = 100 }) { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers)
      await client.send(Array(repeating: 0x61, count: 101))
      #expect(await client.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  @Test("a chunked body of the limit passes, one byte more gets 413", arguments: [0, 1])
  func chunkedBodyMax(more: Int) async throws {
    try await withServer({ $0.bodyMax = 20 }) { server in
      let chunk = "A\r\n0123456789\r\n"
      let rest = more == 0 ? "0\r\n\r\n" : "1\r\n!\r\n0\r\n\r\n"
      let answer = await RawClient(server.address).ask(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
          + chunk + chunk + rest)
      #expect(answer.hasPrefix(more == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 413 "))
    }
  }

  @Test("a body larger than the kernel's buffers arrives") func largeBody() async throws {
    try await withServer(
      { $0.bodyMax = 8 << 20 }, handler: { .text("\($0.body.count)") }
    ) { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8388608\r\n\r\n")
      await client.send(Array(repeating: 0x61, count: 8 << 20))
      #expect(await client.read(until: "8388608").hasSuffix("8388608"))
    }
  }

  @Test("a first request that does not come is cut off", arguments: ["", "GET / HT"])
  func slowFirst(_ start: String) async throws {
    try await withServer({ $0.requestDeadline = .milliseconds(100) }) { server in
      #expect(await RawClient(server.address).ask(start) == "<end>")
    }
  }

  @Test("sending byte by byte does not extend the deadline") func trickling() async throws {
    try await withServer(
      { $0.requestDeadline = .milliseconds(300) }, handler: { _ in .text("one") }
    ) { server in
      let (client, other) = (RawClient(server.address), RawClient(server.address))
      let sending = Task {
        client.send("GET / HTTP/1.1\r\nHost: x\r\nA: ")
        while !Task.isCancelled {
          client.send("b")
          // The next byte follows once another client has been answered.
          other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
          _ = await other.read(until: "one")
        }
      }
      #expect(await client.readToEnd() == "<end>")
      sending.cancel()
      await sending.value
    }
  }

  @Test("a second request that does not come is cut off", arguments: ["", "GET / HT"])
  func slowSecond(_ start: String) async throws {
    try await withServer(
      {
        $0.keepAliveDeadline = .milliseconds(100)
        $0.requestDeadline = .milliseconds(100)
      }, handler: { _ in .text("one") }
    ) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "one")
      #expect(await client.ask(start) == "<end>")
    }
  }

  @Test("a second request gets no more time than the first, even with a long keep-alive")
  func tricklingSecond() async throws {
    try await withServer(
      {
        $0.keepAliveDeadline = .seconds(3_600)
        $0.requestDeadline = .milliseconds(300)
      }, handler: { _ in .text("one") }
    ) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "one")
      let answer = await client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
      #expect(answer == "<end>")
    }
  }

  @Test("a request without progress is cut off") func inactivity() async throws {
    try await withServer({ $0.inactivity = .milliseconds(100) }) { server in
      let answer = await RawClient(server.address).ask(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel")
      #expect(answer == "<end>")
    }
  }

  @Test(
    "a silent stream is not cut off", arguments: ["", "GET / HTTP/1.1\r\n"])
  func silentStream(sentMeanwhile: String) async throws {
    let (stream, end) = AsyncStream<[UInt8]>.makeStream()
    try await withServer {
      $0.inactivity = .seconds(2)
      $0.keepAliveDeadline = .seconds(2)
    } handler: { request in
      request.path == "/one" ? .text("one") : HTTPResponse(body: .stream(stream))
    } _: { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "\r\n\r\n")
      client.send(sentMeanwhile)
      // Clients without a stream that fall silent later are disconnected first.
      let idle = RawClient(server.address)
      idle.send("GET /one HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await idle.read(until: "one")
      #expect(await idle.readToEnd() == "<end>")
      let halting = await RawClient(server.address).ask(
        "POST /one HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel")
      #expect(halting == "<end>")
      end.yield(Array("still here".utf8))
      #expect(await client.read(until: "still here").contains("still here"))
      end.finish()
    }
  }

  @Test("connections over the limit wait until others leave") func connectionCap() async throws {
    try await withServer(
      {
        $0.connectionsMax = 3
        $0.threads = 1
      }, handler: { _ in .text("served") }
    ) { server in
      let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
      var first: [RawClient] = []
      for _ in 0..<3 {
        let client = RawClient(server.address)
        client.send(request)
        #expect(await client.read(until: "served").hasSuffix("served"))
        first.append(client)
      }
      let waiting = RawClient(server.address)
      waiting.send(request)
      let isServed = Mutable(false)
      let answer = Task {
        let answer = await waiting.read(until: "served")
        isServed.value = true
        return answer
      }
      // The three are served once more while the fourth is not.
      for client in first {
        client.send(request)
        _ = await client.read(until: "served")
      }
      #expect(!isServed.value)
      first.removeFirst()
      #expect(await answer.value.hasSuffix("served"))
    }
  }

  @Test("a streaming client that does not read is disconnected") func slowReader() async throws {
    let ended = Signal()
    let (stream, pieces) = AsyncStream<[UInt8]>.makeStream()
    pieces.onTermination = { _ in ended.happen() }
    try await withServer(
      {
        $0.streamBacklogMax = 100_000
        $0.inactivity = .seconds(3_600)
      },
      handler: { _ in HTTPResponse(body: .stream(stream)) }
    ) { server in
      let client = RawClient(server.address, receiveBuffer: 4_096)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "\r\n\r\n")
      let filling = Task {
        let piece = [UInt8](repeating: 0x61, count: 50_000)
        while true {
          let yielded = pieces.yield(piece)
          guard case .enqueued = yielded else { return yielded }
          await Task.yield()
        }
      }
      await ended.wait()
      let wasTerminated = if case .terminated = await filling.value { true } else { false }
      #expect(wasTerminated)
      client.finishSending()  // kept until here: its end would end the stream
    }
  }

  @Test("a client that sends during a stream cannot fill our memory")
  func floodedStream() async throws {
    let ended = Signal()
    let (stream, pieces) = AsyncStream<[UInt8]>.makeStream()
    pieces.onTermination = { _ in ended.happen() }
    try await withServer(
      {
        $0.bodyMax = 1_000
        $0.headerMax = 1_000
      }, handler: { _ in HTTPResponse(body: .stream(stream)) }
    ) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "\r\n\r\n")
      client.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000))
      await ended.wait()
      #expect(await client.readToEnd() == "<end>")
    }
  }
}
