import Lifecycle
import TestKit
import Testing

@testable import HTTPServing

@Suite("Files while the server drains", .timeLimit(.minutes(5))) struct DrainingFilesTests {
  /// Signals when it is released, which means that no more pieces are made.
  private final class Token: Sendable {
    private let gone: Signal
    init(_ gone: Signal) { self.gone = gone }
    deinit { gone.happen() }
  }

  private static let piece = 65_536

  /// A server of files that the test stops itself.
  private struct Fixture {
    let server: HTTPServer
    let running: Task<Void, any Error>
    /// Happens when no more pieces are made.
    let letGo = Signal()

    /// - Parameter count: Pieces of the file; each waits at `place` before it is made.
    init(
      grace: Duration, count: Int,
      at place: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) throws {
      var configuration = ServerConfiguration(address: .unix(path: freshPath()))
      configuration.threads = 1
      configuration.drainGrace = grace
      let letGo = letGo
      let server = try HTTPServer(configuration) { request in
        guard request.path == "/file" else { return .text("idle") }
        let (token, made) = (Token(letGo), Mutable(0))
        return HTTPResponse(
          body: .file(
            AsyncThrowingStream {
              _ = token
              let number = made.value
              made.value += 1
              guard number < count else { return nil }
              try await place(number)
              return Array(repeating: UInt8(ascii: "a"), count: piece)
            }))
      }
      self.server = server
      running = Task { try await server.run() }
    }

    /// A client that has begun to read the file.
    func reader() async -> RawClient {
      let client = RawClient(server.address)
      client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "aaa")
      return client
    }

    /// Stops the server, and waits until it has begun to drain.
    func drain() async {
      let idle = RawClient(server.address)
      idle.send("GET /idle HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await idle.read(until: "idle")
      running.cancel()
      #expect(await idle.readToEnd() == "<end>")
    }
  }

  @Test("arrive completely when the client keeps reading within the grace period")
  func finishes() async throws {
    let fixture = try Fixture(grace: TestDatabase.patience, count: 200)
    let client = await fixture.reader()
    await fixture.drain()
    #expect(await client.countToEnd() > 199 * Self.piece)
    try await fixture.running.value
    await fixture.letGo.wait()
  }

  @Test("are cut at the end of the grace period when the client stops reading")
  func stuck() async throws {
    let fixture = try Fixture(grace: .milliseconds(300), count: 1_000_000)
    let client = await fixture.reader()
    await fixture.drain()
    try await fixture.running.value
    await fixture.letGo.wait()
    // What the kernel buffered, then the end of the connection.
    #expect(await client.countToEnd() < 100 * Self.piece)
  }

  @Test("are released at once when the client leaves")
  func left() async throws {
    let fixture = try Fixture(grace: .seconds(3_600), count: 1_000_000)
    do {
      let client = await fixture.reader()
      await fixture.drain()
      withExtendedLifetime(client) {}
    }
    // The grace period is an hour, the time limit of the suite five minutes.
    await #expect(throws: Never.self) { try await fixture.running.value }
    await fixture.letGo.wait()
  }

  @Test("are cut at the end of the grace period when the next piece does not come")
  func unmade() async throws {
    // Waits until its task is cancelled, because nothing is ever yielded.
    let (never, source) = AsyncStream<Void>.makeStream()
    defer { source.finish() }
    let waits = Signal()
    let fixture = try Fixture(grace: .milliseconds(300), count: 9) { number in
      guard number == 3 else { return }
      waits.happen()
      for await _ in never {}
    }
    let client = await fixture.reader()
    async let rest = client.readToEnd()
    await waits.wait()  // the client has received the pieces before
    await fixture.drain()
    try await fixture.running.value
    await fixture.letGo.wait()
    #expect(await rest.hasSuffix("aaa\r\n<end>"))
  }
}
