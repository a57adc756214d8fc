import TestKit
import Testing

@testable import HTTPServing

@Suite("Framing scanner") struct FramingScannerTests {
  /// The fault in `bytes`, scanned in pieces of `step` bytes, and whether a request is unfinished.
  private func scan(
    _ bytes: [UInt8], step: Int, bodyMax: Int = 100
  ) -> (fault: FramingFault?, isWithinRequest: Bool) {
    var scanner = FramingScanner(headMax: 1_000, bodyLimits: BodyLimits(usual: bodyMax))
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      rest = rest.dropFirst(step)
      do throws(FramingFault) {
        try scanner.scan(piece)
      } catch {
        return (error, scanner.isWithinRequest)
      }
    }
    return (nil, scanner.isWithinRequest)
  }

  static let whole: [String] = [
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /fuzz HTTP/1.0\r\n\r\n",
    "GET /a?b=%20c HTTP/1.1\r\nhOST:x\r\nX-Tab:\ta\tb \r\nX-Empty:\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n\0\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
      + String(repeating: "a", count: 100),
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
    "HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\n\r\n0\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n00\r\n\r\n",
    "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n!",
    "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
  ]

  @Test("complete requests pass, however they are split", arguments: whole)
  func passes(_ text: String) {
    for step in [1, 2, 3, 7, 10_000] {
      let (fault, isWithinRequest) = scan(Array(text.utf8), step: step)
      #expect(fault == nil, "in steps of \(step)")
      #expect(!isWithinRequest, "in steps of \(step)")
    }
  }

  typealias Row = (bytes: String, fault: FramingFault)
  static let hosted = "POST / HTTP/1.1\r\nHost: x\r\n"
  static let chunked = hosted + "Transfer-Encoding: chunked\r\n\r\n"
  static let faulty: [Row] = [
    ("\r\n", .requestLine),
    ("GET /\r\n", .requestLine),
    ("GET  / HTTP/1.1\r\n", .requestLine),
    ("GET / HTTP/1.1 \r\n", .requestLine),
    (" GET / HTTP/1.1\r\n", .requestLine),
    ("GET\t/\tHTTP/1.1\r\n", .requestLine),
    ("GET / http/1.1\r\n", .requestLine),
    ("GET / HTTP/11\r\n", .requestLine),
    ("get / HTTP/1.1\r\n", .method),
    ("BREW / HTTP/1.1\r\n", .method),
    ("CONNECT x:1 HTTP/1.1\r\n", .method),
    ("TRACE / HTTP/1.1\r\n", .method),
    ("GE(T / HTTP/1.1\r\n", .requestLine),
    ("GET / HTTP/1.2\r\n", .version),
    ("GET / HTTP/2.0\r\n", .version),
    ("PRI * HTTP/2.0\r\n", .method),
    ("GET /é HTTP/1.1\r\n", .target),
    ("GET /\u{7F} HTTP/1.1\r\n", .target),
    ("GET /\u{0} HTTP/1.1\r\n", .headerValue),
    ("GET / HTTP/1.1\n", .bareLineEnd),
    (hosted + "A: b\n", .bareLineEnd),
    (hosted + "A: b\rC: d\r\n", .bareLineEnd),
    (hosted + "A: b\r\r\n", .bareLineEnd),
    (hosted + "A: b\r\n\n", .bareLineEnd),
    (hosted + "A: b\r\n c\r\n", .foldedHeader),
    (hosted + "A: b\r\n\tc\r\n", .foldedHeader),
    (hosted + "A: b\u{0}c\r\n", .headerValue),
    (hosted + "A: b\u{8}c\r\n", .headerValue),
    (hosted + "A : b\r\n", .headerName),
    (hosted + ": b\r\n", .headerName),
    (hosted + "no colon\r\n", .headerName),
    (hosted + "A\u{0}: b\r\n", .headerValue),
    (hosted + "Ä: b\r\n", .headerName),
    ("GET / HTTP/1.1\r\n\r\n", .host),
    (hosted + "Host: y\r\n\r\n", .host),
    (hosted + "Content-Length: 1\r\nContent-Length: 1\r\n", .ambiguousLength),
    (hosted + "Content-Length: 1, 1\r\n", .contentLength),
    (hosted + "Content-Length: +1\r\n", .contentLength),
    (hosted + "Content-Length: -1\r\n", .contentLength),
    (hosted + "Content-Length: 0x1\r\n", .contentLength),
    (hosted + "Content-Length: 1 2\r\n", .contentLength),
    (hosted + "Content-Length:\r\n", .contentLength),
    (hosted + "Content-Length: 00000000001\r\n", .contentLength),
    (hosted + "Content-Length: 18446744073709551617\r\n", .contentLength),
    (hosted + "Content-Length: 101\r\n\r\n", .bodyTooLarge),
    (hosted + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .ambiguousLength),
    (hosted + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", .ambiguousLength),
    (hosted + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .ambiguousLength),
    (hosted + "Transfer-Encoding: xchunked\r\n", .transferEncoding),
    (hosted + "Transfer-Encoding: gzip, chunked\r\n", .transferEncoding),
    (hosted + "Transfer-Encoding: identity\r\n", .transferEncoding),
    (hosted + "Transfer-Encoding:\r\n", .transferEncoding),
    (hosted + "Transfer-Encoding : chunked\r\n", .headerName),
    ("POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", .ambiguousLength),
    ("HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n", .unexpectedBody),
    ("HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", .unexpectedBody),
    (hosted + "Expect: 200-ok\r\n", .expectation),
    (chunked + "\r\n", .chunk),
    (chunked + "1;a=b\r\n", .chunk),
    (chunked + "0x1\r\n", .chunk),
    (chunked + "-1\r\n", .chunk),
    (chunked + "1 \r\n", .chunk),
    (chunked + "000000001\r\n", .chunk),
    (chunked + "1\n", .bareLineEnd),
    (chunked + "1\r\nab\r\n", .chunk),
    (chunked + "1\r\na\n", .bareLineEnd),
    (chunked + "ffffffff\r\n", .bodyTooLarge),
    (chunked + "60\r\n" + String(repeating: "a", count: 96) + "\r\n5\r\n", .bodyTooLarge),
    (chunked + "0\r\nTrailer: x\r\n", .trailer),
    (hosted + "A: " + String(repeating: "a", count: 1_000), .headTooLarge),
    ("GET /" + String(repeating: "a", count: 1_000), .headTooLarge),
    (hosted + String(repeating: "A:\r\n", count: 100), .headTooLarge),
  ]

  @Test("ambiguous requests are refused, however they are split", arguments: faulty)
  func refuses(_ row: Row) {
    for step in [1, 2, 3, 7, 10_000] {
      #expect(scan(Array(row.bytes.utf8), step: step).fault == row.fault, "in steps of \(step)")
    }
  }

  @Test("every fault has a test and a response") func complete() {
    // A scanner cannot know the number of long bodies.
    let own = Set(FramingFault.allCases).subtracting([.tooManyLongBodies])
    #expect(Set(Self.faulty.map(\.fault)) == own)
    for fault in FramingFault.allCases {
      #expect((400...599).contains(fault.problem.status))
    }
  }

  @Test("the start of a faulty request is known, even from an earlier read")
  func requestStart() {
    let good = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    let bad = Array("GET / HTTP/1.1\n".utf8)
    var scanner = FramingScanner(headMax: 1_000, bodyLimits: BodyLimits(usual: 100))
    #expect(throws: FramingFault.bareLineEnd) { try scanner.scan(good + bad) }
    #expect(scanner.requestStart == good.count)
    scanner = FramingScanner(headMax: 1_000, bodyLimits: BodyLimits(usual: 100))
    #expect(throws: FramingFault.bareLineEnd) {
      try scanner.scan(good + bad.prefix(4))
      try scanner.scan(Array(bad.dropFirst(4)))
    }
    #expect(scanner.requestStart == -4)
  }

  @Test("random damage gives one result, however it is split", arguments: 0..<20 as Range<UInt64>)
  func fuzz(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let seeds = Self.whole.map { Array($0.utf8) } + Self.faulty.map { Array($0.bytes.utf8) }
    for _ in 0..<300 {
      var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0...random.next() % 4 where !bytes.isEmpty {
        let place = Int(random.next() % UInt64(bytes.count))
        let tokens: [[UInt8]] = [[], [0], [13], [10], [13, 10], [32], [58], [48], [0xE9]]
        bytes.replaceSubrange(place...place, with: tokens[Int(random.next() % 9)])
      }
      let verdict = scan(bytes, step: bytes.count + 1)
      for step in [1, 1 + Int(random.next() % 9)] {
        let again = scan(bytes, step: step)
        #expect(again == verdict, "\(bytes) in steps of \(step)")
      }
    }
  }
}

extension FramingScanner {
  /// The same, for an array.
  mutating func scan(_ bytes: [UInt8]) throws(FramingFault) { try scan(bytes.span) }
}
