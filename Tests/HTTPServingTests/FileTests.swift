import Testing

@testable import HTTPServing

@Suite("Files of any length") struct FileTests {
  private struct Broken: Error {}

  /// Pieces of 64 KiB; `asked` counts the requested ones.
  private static func pieces(
    _ count: Int, asked: Mutable<Int>,
    at place: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> HTTPResponse {
    HTTPResponse(
      body: .file(
        AsyncThrowingStream {
          let number = asked.value
          asked.value += 1
          guard number < count else { return nil }
          try await place(number)
          return Array(repeating: UInt8(ascii: "a"), count: 65_536)
        }))
  }

  @Test("are made no faster than they are read, and arrive completely")
  func paced() async throws {
    let asked = Mutable(0)
    try await withServer(
      { $0.threads = 1 },
      handler: { request in
        request.path == "/idle" ? .text("idle") : Self.pieces(500, asked: asked)
      }
    ) { server in
      let slow = RawClient(server.address)
      slow.send("GET /file HTTP/1.0\r\n\r\n")
      _ = await slow.read(until: "\r\n\r\n")
      // Other clients are served meanwhile, which keeps the server's loop running.
      for _ in 0..<50 {
        #expect(await RawClient(server.address).ask("GET /idle HTTP/1.0\r\n\r\n").contains("idle"))
      }
      // The kernel's buffers hold about ten megabytes of the thirty, ours one piece.
      #expect(asked.value < 400)
      #expect(await slow.countToEnd() > 499 * 65_536)
      #expect(asked.value == 501)
    }
  }

  @Test("are cut off on an error, so that no client takes a part for the whole")
  func broken() async throws {
    let asked = Mutable(0)
    try await withServer(handler: { _ in
      Self.pieces(9, asked: asked) { number in if number == 3 { throw Broken() } }
    }) { server in
      let client = RawClient(server.address)
      let answer = await client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(answer.contains("Transfer-Encoding: chunked"))
      #expect(answer.hasSuffix("aaa\r\n<end>"))
    }
  }

  @Test(
    "are released when the client has left, and are not requested at all for HEAD",
    .timeLimit(.minutes(5)))
  func gone() async throws {
    final class Token: Sendable {
      let ended: Signal
      init(_ ended: Signal) { self.ended = ended }
      deinit { ended.happen() }
    }
    let (asked, ended) = (Mutable(0), Signal())
    try await withServer(handler: { request in
      guard request.method == .get else { return Self.pieces(9, asked: asked) }
      let token = Token(ended)
      return Self.pieces(1_000_000, asked: Mutable(0)) { _ in _ = token }
    }) { server in
      do {
        let client = RawClient(server.address)
        client.send("GET / HTTP/1.0\r\n\r\n")
        _ = await client.read(until: "aaa")
      }
      await ended.wait()
      let head = await RawClient(server.address).ask("HEAD / HTTP/1.0\r\n\r\n")
      #expect(head.hasPrefix("HTTP/1") && head.hasSuffix("\r\n\r\n<end>"))
      #expect(asked.value == 0)
    }
  }

  @Test("leave no connection behind when many clients leave in the middle")
  func crowds() async throws {
    try await withServer {
      $0.connectionsMax = 20
      $0.threads = 1
    } handler: { request in
      request.path == "/last" ? .text("ok") : Self.pieces(1_000_000, asked: Mutable(0))
    } _: { server in
      // Far more than the limit: the last client is served only if the others were released.
      for _ in 0..<200 {
        let client = RawClient(server.address)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = await client.read(until: "aaa")
      }
      let last = await RawClient(server.address).ask("GET /last HTTP/1.0\r\n\r\n")
      #expect(last.hasSuffix("ok<end>"))
    }
  }
}
