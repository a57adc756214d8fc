import Lifecycle
import TestKit
import Testing

@testable import HTTPServing

/// Requests that are sent before earlier ones have been answered.
@Suite("Requests sent ahead", .timeLimit(.minutes(5))) struct PipeliningTests {
  /// Requests by what they ask for, and what is answered.
  private static let pairs: [(request: String, answer: String)] = [
    ("GET /at-once HTTP/1.1\r\nHost: x\r\n\r\n", "at-once;"),
    ("GET /later HTTP/1.1\r\nHost: x\r\n\r\n", "later;"),
    ("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n", "not_found"),
    ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nlength", "length"),
    (
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nchu\r\n3\r\nnks\r\n0\r\n\r\n",
      "chunks"
    ),
    ("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n", "stream"),
    (
      "POST /direct HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Length: 1\r\n\r\nb", "direct"
    ),
  ]

  private static let router = Router([
    Route(.get, "/at-once", isBrief: true) { _ in .text("at-once;") },
    Route(.get, "/later") { _ in
      for _ in 0..<5 { await Task.yield() }
      return .text("later;")
    },
    Route(.post, "/echo", isBrief: true) { .json($0.body) },
    Route(.get, "/stream") { _ in
      HTTPResponse(
        body: .stream(
          AsyncStream { stream in
            stream.yield(Array("stream".utf8))
            stream.finish()
          }))
    },
    Route(.post, "/direct") { _ in .text("direct") }.directly { _, _, ticket in
      ticket.answer(.text("direct"))
      return .taken
    },
  ])

  @Test("every pair is answered in order, however it is cut in two")
  func pairs() async throws {
    try await withServer({ $0.threads = 1 }, router: Self.router) { server in
      let client = RawClient(server.address)
      var step = 0
      for first in Self.pairs {
        for second in Self.pairs {
          let bytes = Array((first.request + second.request).utf8)
          step += 1
          let cut = step * 7 % bytes.count
          await client.send(Array(bytes[..<cut]))
          // The rest follows once another client has been answered.
          let other = RawClient(server.address)
          _ = await other.ask("GET /at-once HTTP/1.0\r\n\r\n")
          await client.send(Array(bytes[cut...]))
          client.send("GET /nowhere?last HTTP/1.1\r\nHost: x\r\n\r\n")
          var answers = await client.read(until: "not_found")
          // Of /nowhere there may be more than one answer.
          let more = [first, second].count { $0.answer == "not_found" }
          for _ in 0..<more where answers.ranges(of: "not_found").count <= more {
            answers += await client.read(until: "not_found")
          }
          let places = answers.ranges(of: "HTTP/1.1 ").map(\.lowerBound)
          #expect(places.count == 3, "\(answers)")
          guard places.count == 3 else { return }
          #expect(answers[places[0]..<places[1]].contains(first.answer), "\(answers)")
          #expect(answers[places[1]..<places[2]].contains(second.answer), "\(answers)")
        }
      }
    }
  }

  @Test("ten thousand are answered, and other clients meanwhile") func many() async throws {
    try await withServer({ $0.threads = 1 }, router: Self.router) { server in
      let client = RawClient(server.address)
      let request = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
      let last = "GET /at-once HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      let sending = Task {
        await client.send(Array((String(repeating: request, count: 10_000) + last).utf8))
      }
      let other = RawClient(server.address)
      #expect(await other.ask("GET /at-once HTTP/1.0\r\n\r\n").hasSuffix("at-once;<end>"))
      let answers = await client.readToEnd()
      #expect(answers.ranges(of: "HTTP/1.1 404").count == 10_000)
      #expect(answers.hasSuffix("at-once;<end>"))
      await sending.value
    }
  }

  @Test("a client that sends many and reads nothing is not read any more, and then dropped")
  func neverReads() async throws {
    let handled = Mutable(0)
    try await withServer(
      {
        $0.threads = 1
        $0.inactivity = .seconds(1)
      },
      handler: { request in
        guard request.path == "/large" else { return .text("other") }
        handled.value += 1
        return .text(String(repeating: "a", count: 1 << 20))
      }
    ) { server in
      let client = RawClient(server.address, receiveBuffer: 4_096)
      let request = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
      // Ends when the server has dropped the connection, for it cannot send all of this.
      await client.send(Array(String(repeating: request, count: 1_000_000).utf8))
      // The kernel's buffers hold a few megabytes.
      #expect(handled.value < 100)
      #expect(await RawClient(server.address).ask("GET / HTTP/1.0\r\n\r\n").hasSuffix("other<end>"))
    }
  }

  @Test("a response longer than the socket takes at once arrives whole, also for half a connection")
  func longAnswer() async throws {
    let length = 20 << 20
    try await withServer(
      { $0.threads = 1 }, handler: { _ in .text(String(repeating: "a", count: length)) }
    ) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      client.finishSending()
      #expect(await client.countToEnd() > length)
    }
  }

  @Test("after the last request of a connection nothing is read, and its response is not lost")
  func behindClose() async throws {
    try await withServer(router: Self.router) { server in
      let client = RawClient(server.address)
      client.send("GET /at-once HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      await client.send(Array(repeating: UInt8(ascii: "a"), count: 300_000))
      #expect(await client.readToEnd().hasSuffix("at-once;<end>"))
    }
  }
}
