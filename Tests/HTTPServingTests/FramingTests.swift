import Lifecycle
import TestKit
import Testing

@testable import HTTPServing

@Suite("Framing on the wire") struct FramingTests {
  @Test(
    "a faulty request is answered once, never handled, and ends the connection",
    arguments: RequestReaderTests.faulty)
  func refuses(_ row: RequestReaderTests.Row) async throws {
    let handled = Lock<[String]>([])
    try await withServer {
      $0.headerMax = 1_000
      $0.bodyMax = 100
      $0.threads = 1
    } handler: { request in
      handled.withLock { $0.append("\(request.method) \(request.path) \(request.headers)") }
      return .json([])
    } _: { server in
      // The rest would be the smuggled request.
      let answer = await RawClient(server.address).ask(
        row.bytes + "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
      let problem = row.fault.problem
      #expect(answer.hasPrefix("HTTP/1.1 \(problem.status) "))
      #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(answer.contains("\"code\":\"\(problem.code)\""))
      #expect(answer.hasSuffix("}<end>"))
      #expect(answer.components(of: "HTTP/1.1") == 1)
      #expect(handled.withLock { $0 } == [])
    }
  }

  @Test("requests before a faulty one are answered first, in order") func behindGood() async throws
  {
    try await withServer(handler: { .text($0.path) }) { server in
      let answer = await RawClient(server.address).ask(
        "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
          + "GET /3 HTTP/1.1\nHost: x\r\n\r\n")
      let bodies = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) + $0.suffix(2) }
      #expect(bodies == ["200/1", "200/2", "400d>"])
    }
  }

  @Test("a fault in a later request of a connection is answered, too") func later() async throws {
    try await withServer(handler: { .text($0.path) }) { server in
      let client = RawClient(server.address)
      client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = await client.read(until: "/1")
      #expect(await client.ask("GET /2 HTTP/1.1\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("a fault after a stream is answered when the stream has ended") func behindStream()
    async throws
  {
    let (stream, end) = AsyncStream<[UInt8]>.makeStream()
    try await withServer(handler: { _ in HTTPResponse(body: .stream(stream)) }) { server in
      let client = RawClient(server.address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      end.yield(Array("first".utf8))
      _ = await client.read(until: "first\r\n")
      client.send("garbage\n")
      end.yield(Array("second".utf8))
      #expect(await client.read(until: "second\r\n") == "6\r\nsecond\r\n")
      end.finish()
      let rest = await client.readToEnd()
      #expect(rest.hasPrefix("0\r\n\r\nHTTP/1.1 400 ") && rest.hasSuffix("}<end>"))
    }
  }

  @Test("a refused client may keep sending and still reads its response")
  func lingers() async throws {
    try await withServer({ $0.bodyMax = 10 }) { server in
      let client = RawClient(server.address)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
      // More than the kernel buffers: without a reader, sending would block or reset the
      // connection.
      for _ in 0..<30 { await client.send(Array(repeating: 0x61, count: 10_000)) }
      #expect(await client.readToEnd().hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test("random bytes give no more requests than are in them", arguments: 0..<8 as Range<UInt64>)
  func fuzz(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let seeds =
      RequestReaderTests.whole.map { Array($0.utf8) }
      + RequestReaderTests.faulty.map { Array($0.bytes.utf8) }
    var inputs: [[UInt8]] = []
    for _ in 0..<25 {
      var bytes: [UInt8] = []
      for _ in 0...random.next() % 3 { bytes += seeds[Int(random.next() % UInt64(seeds.count))] }
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      inputs.append(bytes)
    }
    let handled = Lock(0)
    try await withServer {
      $0.headerMax = 1_000
      $0.bodyMax = 100
      $0.drainGrace = .seconds(1)
    } handler: { _ in
      handled.withLock { $0 += 1 }
      return HTTPResponse(status: 204)
    } _: { server in
      for bytes in inputs {
        let expected = ReferenceReader.read(bytes).requests.count
        handled.withLock { $0 = 0 }
        let client = RawClient(server.address)
        await client.send(bytes)
        client.finishSending()
        _ = await client.readToEnd()
        #expect(handled.withLock { $0 } <= expected, "\(bytes)")
      }
    }
  }
}

extension String {
  /// The number of occurrences of `text`.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
