import TestKit
import Testing

@testable import HTTPServing

@Suite("Draining") struct DrainingTests {
  /// A running server that the test stops itself. It listens on a Unix socket because a port that
  /// is free again could go to another test.
  private func start(
    grace: Duration = TestDatabase.patience, _ handler: @escaping Route.Handler
  ) throws -> (HTTPServer, Task<Void, any Error>) {
    var configuration = ServerConfiguration(address: .unix(path: freshPath()))
    configuration.threads = 1
    configuration.drainGrace = grace
    let server = try HTTPServer(configuration, handler: handler)
    return (server, Task { try await server.run() })
  }

  /// A client whose connection is kept alive; it ends when draining begins.
  private func idleClient(of server: HTTPServer) async -> RawClient {
    let client = RawClient(server.address)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = await client.read(until: "idle")
    return client
  }

  @Test("a request in progress is finished, then its connection is closed")
  func finishes() async throws {
    let (arrived, go) = (Signal(), Signal())
    let (server, running) = try start { request in
      guard request.method == .post else { return .text("idle") }
      arrived.happen()
      await go.wait()
      return .json(request.body)
    }
    let idle = await idleClient(of: server)
    let client = RawClient(server.address)
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nlast")
    await arrived.wait()
    running.cancel()
    #expect(await idle.readToEnd() == "<end>")
    // New connections are refused before the old ones have ended.
    #expect(await RawClient(server.address).ask("GET /draining HTTP/1.0\r\n\r\n") == "<end>")
    go.happen()
    let answer = await client.readToEnd()
    #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("last<end>"))
    try await running.value
  }

  @Test("a half-sent request may be completed") func halfSent() async throws {
    let (server, running) = try start { request in
      request.method == .post ? .json(request.body) : .text("idle")
    }
    let idle = await idleClient(of: server)
    let client = RawClient(server.address)
    client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
    _ = await client.read(until: "100 Continue\r\n\r\n")
    running.cancel()
    #expect(await idle.readToEnd() == "<end>")
    #expect(await client.ask("last").hasSuffix("last<end>"))
    try await running.value
  }

  @Test("streams end properly, and idle connections are closed") func endsStreams() async throws {
    let (server, running) = try start { request in
      guard request.path == "/stream" else { return .text("idle") }
      return HTTPResponse(body: .stream(AsyncStream { $0.yield(Array("first".utf8)) }))
    }
    let streaming = RawClient(server.address)
    streaming.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = await streaming.read(until: "first\r\n")
    let idle = await idleClient(of: server)
    running.cancel()
    #expect(await streaming.readToEnd() == "0\r\n\r\n<end>")
    #expect(await idle.readToEnd() == "<end>")
    try await running.value
  }

  @Test("a handler that never ends delays the stop at most by the grace period")
  func stubborn() async throws {
    let (arrived, go) = (Signal(), Signal())
    let (server, running) = try start(grace: .milliseconds(100)) { _ in
      arrived.happen()
      await Task { await go.wait() }.value
      return .json([])
    }
    let client = RawClient(server.address)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await arrived.wait()
    running.cancel()
    try await running.value
    #expect(await client.readToEnd() == "<end>")
    go.happen()
  }

  @Test("a server stopped before it began ends at once, and runs only once") func onlyOnce()
    async throws
  {
    let (server, running) = try start { _ in .json([]) }
    running.cancel()
    try await running.value
    await #expect(throws: ServingError.alreadyRan) { try await server.run() }
  }

  @Test("its address is free after the stop") func freesAddress() async throws {
    let (server, running) = try start { _ in .json([]) }
    running.cancel()
    try await running.value
    #expect(throws: Never.self) {
      try HTTPServer(ServerConfiguration(address: server.address), router: Router([]))
    }
  }
}
