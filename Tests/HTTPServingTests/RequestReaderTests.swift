import TestKit
import Testing

@testable import HTTPServing

@Suite("Request reader") struct RequestReaderTests {
  /// What is read of `bytes` when they arrive in pieces of `step` bytes.
  private func read(_ bytes: [UInt8], step: Int) -> ReadRequests {
    ReadRequests(bytes, cuts: Array(stride(from: step, to: bytes.count, by: step)))
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
      let read = read(Array(text.utf8), step: step)
      #expect(read.fault == nil, "in steps of \(step)")
      #expect(!read.isWithinRequest, "in steps of \(step)")
      #expect(!read.requests.isEmpty, "in steps of \(step)")
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
      #expect(read(Array(row.bytes.utf8), step: step).fault == row.fault, "in steps of \(step)")
    }
  }

  @Test("every fault has a test and a response") func complete() {
    // A reader cannot know the number of long bodies.
    let own = Set(FramingFault.allCases).subtracting([.tooManyLongBodies])
    #expect(Set(Self.faulty.map(\.fault)) == own)
    for fault in FramingFault.allCases {
      #expect((400...599).contains(fault.problem.status))
    }
  }

  @Test("every cut into two pieces gives one result", arguments: whole + faulty.map(\.bytes))
  func cuts(_ text: String) {
    let bytes = Array(text.utf8)
    let expected = ReferenceReader.read(bytes)
    for cut in 0...bytes.count {
      #expect(ReadRequests(bytes, cuts: [cut]) == expected, "cut at \(cut)")
    }
  }

  @Test(
    "random damage gives what a simpler reader makes of it, however it is split",
    arguments: 0..<20 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let whole = Array(repeatElement(Self.whole, count: 5).joined())
    let seeds = (whole + Self.faulty.map(\.bytes)).map { Array($0.utf8) }.filter {
      $0.count < 300
    }
    func number(below end: Int) -> Int { Int(random.next() % UInt64(end)) }
    for _ in 0..<500 {
      var bytes = seeds[number(below: seeds.count)]
      if number(below: 3) == 0 { bytes += seeds[number(below: seeds.count)] }
      for _ in 0..<number(below: 4) where !bytes.isEmpty {
        let place = number(below: bytes.count)
        bytes.replaceSubrange(
          place..<min(place + number(below: 2), bytes.count),
          with: Self.damages[number(below: Self.damages.count)])
      }
      let expected = ReferenceReader.read(bytes)
      let cuts = [number(below: bytes.count + 1), number(below: bytes.count + 1)].sorted()
      for cuts in [[], cuts, Array(0..<bytes.count)] {
        let read = ReadRequests(bytes, cuts: cuts)
        #expect(read == expected, "\(String(decoding: bytes, as: UTF8.self)) cut at \(cuts)")
      }
    }
  }

  private static let damages = [
    "", "\0", "\r", "\n", "\r\n", " ", "\t", ":", ",", "0", "1", ";", "\u{7F}", "\u{E9}",
    "HTTP/1.0",
    "GET", "Host: b\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n", "Expect: 100-continue\r\n", "\r\n\r\n",
  ].map { Array($0.utf8) }

  @Test(
    "a head asks for what it says",
    arguments: [
      ("Connection: close\r\n", true, false), ("connection:\tClose \r\n", true, false),
      ("Connection: te, close\r\n", true, false), ("Connection: closed\r\n", false, false),
      ("Connection: keep-alive\r\n", false, true), ("Connection: ,Keep-Alive,\r\n", false, true),
      ("Connection: a\r\nConnection: close\r\n", true, false), ("Connection:\r\n", false, false),
      ("", false, false),
    ])
  func connection(field: String, asksForClose: Bool, asksForMore: Bool) throws {
    let head = try Self.head("GET / HTTP/1.1\r\nHost: x\r\n\(field)\r\n")
    #expect(head.asksForClose == asksForClose)
    #expect(head.asksForMore == asksForMore)
  }

  @Test(
    "only one plain Authorization opens a direct way",
    arguments: [
      ("Authorization: \t a b \r\n", "a b"), ("aUTHORIZATION:a\r\n", "a"),
      ("", nil), ("Authorization: a\r\nAuthorization: a\r\n", nil),
      ("Authorization: a\r\nTraceparent: b\r\n", nil),
      ("Expect: 100-continue\r\nAuthorization: a\r\n", nil),
      ("Authorization: a\r\nContent-encoding: gzip\r\n", nil),
    ] as [(String, String?)])
  func authorization(fields: String, value: String?) throws {
    let text = "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    let head = try Self.head(text)
    #expect(head.onlyAuthorization.map { Array(text.utf8).span.text($0) } == value)
  }

  private static func head(_ text: String) throws -> RequestHead {
    var reader = RequestReader(headMax: 1_000, bodyLimits: BodyLimits(usual: 100))
    var taken = 0
    #expect(try reader.next(Array(text.utf8).span, taking: &taken) == .head)
    #expect(taken == text.utf8.count)
    return reader.head
  }

  @Test("the bytes of names are those of RFC 9110, those of values all but control characters")
  func bytes() {
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      #expect(byte.isTokenByte == (isPlain || marks.contains(byte)), "\(byte)")
      #expect(byte.isValueByte == (byte == 9 || byte >= 32 && byte != 127), "\(byte)")
    }
  }

  @Test("what is left of the bytes received keeps about the room that it needs")
  func room() {
    var input = ReceivedBytes()
    input.append(Array(repeating: UInt8(ascii: "a"), count: 60_000).span)
    input.append(Array("end".utf8).span)
    for _ in 0..<60 { input.drop(1_000) }
    #expect(Array(input.bytes[input.start...]) == Array("end".utf8))
    #expect(input.bytes.capacity < 1_000)
    input.append(Array("more".utf8).span)
    input.drop(1)
    #expect(Array(input.bytes[input.start...]) == Array("ndmore".utf8))
    input.drop(6)
    #expect(input.isEmpty && input.bytes.capacity == 0)
  }
}
