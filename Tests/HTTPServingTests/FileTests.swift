import Testing

@testable import HTTPServing

@Suite("Files of any length") struct FileTests {
  private struct Broken: Error {}

  /// Pieces of 64 KiB, counted as they are asked for.
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

  @Test("are made no faster than they are read, and arrive whole")
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
      // Others are served meanwhile, and what they ask takes the server round its loop.
      for _ in 0..<50 {
        #expect(await RawClient(server.address).ask("GET /idle HTTP/1.0\r\n\r\n").contains("idle"))
      }
      // The kernel's buffers hold some ten megabytes of thirty, ours one piece.
      #expect(asked.value < 400)
      #expect(await slow.countToEnd() > 499 * 65_536)
      #expect(asked.value == 501)
    }
  }

  @Test("are cut off where they cannot be gone on with, so that nobody takes a part for the whole")
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
    "are let go when their client has gone, and not asked for at all by HEAD",
    .timeLimit(.minutes(1)))
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

  @Test("leave no connection behind when crowds go away in the middle of them")
  func crowds() async throws {
    try await withServer {
      $0.connectionsMax = 20
      $0.threads = 1
    } handler: { request in
      request.path == "/last" ? .text("ok") : Self.pieces(1_000_000, asked: Mutable(0))
    } _: { server in
      // Far more than the cap: the last can only be served if those who left are forgotten.
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
