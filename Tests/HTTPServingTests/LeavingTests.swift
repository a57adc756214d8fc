import Lifecycle
import TestKit
import Testing

@testable import HTTPServing

@Suite("Clients that leave") struct LeavingTests {
  @Test("in the middle of a request: nothing is handled, and others are served")
  func midRequest() async throws {
    let handled = Lock<[String]>([])
    try await withServer {
      $0.threads = 1
    } handler: { request in
      handled.withLock { $0.append(request.path) }
      return .text("ok")
    } _: { server in
      for start in ["", "POST", "POST /gone HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"] {
        do { RawClient(server.address).send(start) }
        _ = await RawClient(server.address).ask(
          "GET /stays HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      }
      #expect(handled.withLock { $0 } == ["/stays", "/stays", "/stays"])
    }
  }

  @Test("while their request is handled: it is handled to the end, and its response is lost")
  func midHandling() async throws {
    let (arrived, left, done) = (Signal(), Signal(), Signal())
    try await withServer(handler: { _ in
      arrived.happen()
      await left.wait()
      done.happen()
      return .text(String(repeating: "a", count: 100_000))
    }) { server in
      do {
        let client = RawClient(server.address)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        await arrived.wait()
      }
      left.happen()
      await done.wait()
      let next = await RawClient(server.address).ask("GET /leaving-a HTTP/1.0\r\n\r\n")
      #expect(next.hasPrefix("HTTP/1.0 200 OK"))
    }
  }

  @Test(
    "while a long read is handled: it is cancelled at once",
    .timeLimit(.minutes(5)),
    arguments: ["", "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"], [true, false])
  func midReading(sentMeanwhile: String, closes: Bool) async throws {
    let (arrived, cancelled) = (Signal(), Signal())
    let answers = Mutable<[Int]>([])
    let router = Router([
      Route(.get, "/long", endsWithClient: true) { _ in
        arrived.happen()
        await untilCancelled()
        cancelled.happen()
        return .text("long")
      }
    ])
    try await withServer({ $0.answeredItself = { answers.value.append($0) } }, router: router) {
      server in
      var client: RawClient? = RawClient(server.address)
      client?.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
      await arrived.wait()
      client?.send(sentMeanwhile)
      if closes { client = nil } else { client?.finishSending() }
      await cancelled.wait()
      #expect(await client?.readToEnd() ?? "<end>" == "<end>")
      #expect(answers.value == [], "not by its deadline")
    }
  }

  @Test("not at all: a long read is answered after any silence, and then the next request")
  func waitingLong() async throws {
    let (arrived, go) = (Signal(), Signal())
    let router = Router([
      Route(.get, "/long", endsWithClient: true) { _ in
        arrived.happen()
        await go.wait()
        return .text(Task.isCancelled ? "cancelled" : "long")
      },
      Route(.get, "/next") { _ in .text("next") },
    ])
    try await withServer({ $0.inactivity = .seconds(2) }, router: router) { server in
      let client = RawClient(server.address)
      client.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
      await arrived.wait()
      client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\nGET /next HT")
      // Clients that are silent within a request are disconnected first.
      for _ in 0..<2 { #expect(await RawClient(server.address).ask("GET /next HT") == "<end>") }
      go.happen()
      #expect(await client.read(until: "next").contains("long"))
      client.send("TP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(await client.readToEnd().hasSuffix("next<end>"))
    }
  }

  @Test("in the middle of a stream: the stream is cancelled at once") func midStream() async throws
  {
    let ended = StreamEnd()
    try await withServer(handler: { _ in
      HTTPResponse(
        body: .stream(
          AsyncStream { stream in
            stream.onTermination = { ended.happen($0) }
            stream.yield(Array("first".utf8))
          }))
    }) { server in
      do {
        let client = RawClient(server.address)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = await client.read(until: "first\r\n")
      }
      #expect(await ended.reason == .cancelled)
    }
  }

  @Test("before their stream begins: the stream is ended, too") func beforeStream() async throws {
    let (arrived, left, ended) = (Signal(), Signal(), StreamEnd())
    try await withServer(handler: { _ in
      arrived.happen()
      await left.wait()
      return HTTPResponse(
        body: .stream(AsyncStream { $0.onTermination = { ended.happen($0) } }))
    }) { server in
      do {
        let client = RawClient(server.address)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await arrived.wait()
      }
      left.happen()
      #expect(await ended.reason == .cancelled)
    }
  }

  @Test("in large numbers: every connection is released") func crowds() async throws {
    try await withServer {
      $0.connectionsMax = 20
      $0.threads = 1
    } handler: { _ in
      .text("ok")
    } _: { server in
      // Far more than the limit: the last client is served only if the others were released.
      for index in 0..<200 {
        let client = RawClient(server.address)
        if index % 4 == 1 { client.send("GET /") }
        if index % 4 == 2 { client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        if index % 4 == 3 { client.send("\n") }
      }
      let last = await RawClient(server.address).ask("GET /leaving-b HTTP/1.0\r\n\r\n")
      #expect(last.hasSuffix("ok<end>"))
    }
  }
}

/// How a stream of bytes ended.
private final class StreamEnd: Sendable {
  typealias Reason = AsyncStream<[UInt8]>.Continuation.Termination

  private let ended = Signal()
  private let why = Lock<Reason?>(nil)

  func happen(_ reason: Reason) {
    why.withLock { $0 = reason }
    ended.happen()
  }

  /// Waits for the end.
  var reason: Reason? {
    get async {
      await ended.wait()
      return why.withLock { $0 }
    }
  }
}
