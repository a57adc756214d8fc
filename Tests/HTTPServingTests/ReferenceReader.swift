@testable import HTTPServing

/// What was read of some bytes: whole requests, then perhaps a fault.
struct ReadRequests: Equatable {
  /// Method, target, header fields and body of each, as text.
  var requests: [String] = []
  var fault: FramingFault?
  /// Whether bytes are left of a request that is not complete.
  var isWithinRequest = false

  static let headMax = 1_000
  static let bodyMax = 100

  init() {}

  /// What a `RequestReader` reads of `bytes` that arrive in pieces, cut at these ascending places.
  init(_ bytes: [UInt8], cuts: [Int]) {
    var reader = RequestReader(
      headMax: Self.headMax, bodyLimits: BodyLimits(usual: Self.bodyMax))
    var (waiting, request, body): ([UInt8], String, [UInt8]) = ([], "", [])
    do throws(FramingFault) {
      for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
        waiting += bytes[start..<end]
        var step = RequestReader.Step.head
        while step != .needsMore {
          var taken = 0
          step = try reader.next(waiting.span, taking: &taken)
          switch step {
          case .head: request = Self.text(reader.head, of: waiting)
          case .body(let part): body += waiting[part]
          case .admission: reader.admit(bodyMax: Self.bodyMax)
          case .end:
            requests.append(request + String(decoding: body, as: UTF8.self))
            body = []
          case .needsMore: break
          }
          waiting.removeFirst(taken)
        }
      }
    } catch {
      fault = error
    }
    isWithinRequest = fault != nil || reader.isWithinRequest || !waiting.isEmpty
  }

  private static func text(_ head: RequestHead, of bytes: [UInt8]) -> String {
    let target = bytes.span.text(head.target)
    let start = "\(head.method.rawValue) \(target) 1.\(head.minorVersion)\n"
    let request = try? HTTPRequest(
      head, of: bytes.span, receivedAt: .now, from: nil)
    let fields = request?.headers.fields.map { "\($0.name): \($0.value)\n" }
    // A target that is no path has no request.
    return start + (fields?.joined() ?? "")
  }
}

/// Reads requests byte by byte and line by line into arrays. Slow, but simple to check against the
/// RFC; `RequestReader` must come to the same.
struct ReferenceReader {
  private let bytes: [UInt8]
  private var place = 0

  static func read(_ bytes: [UInt8]) -> ReadRequests {
    var read = ReadRequests()
    var reader = ReferenceReader(bytes: bytes)
    while reader.place < bytes.count {
      do throws(FramingFault) {
        guard let request = try reader.request() else {
          read.isWithinRequest = true
          return read
        }
        read.requests.append(request)
      } catch {
        read.fault = error
        read.isWithinRequest = true
        return read
      }
    }
    return read
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next line without its end, or `nil` when the bytes end first.
  /// - Parameter left: How many bytes it may have; those that it has are taken off.
  private mutating func line(_ left: inout Int) throws(FramingFault) -> String? {
    var line: [UInt8] = []
    while place < bytes.count {
      guard left > 0 else { throw .headTooLarge }
      let byte = bytes[place]
      place += 1
      left -= 1
      if line.last == 13 {
        guard byte == 10 else { throw .bareLineEnd }
        // One character a byte.
        return String(String.UnicodeScalarView(line.dropLast().map { Unicode.Scalar($0) }))
      }
      guard byte != 10 else { throw .bareLineEnd }
      guard byte != 0 else { throw .headerValue }
      line.append(byte)
    }
    // A line that is too long is so before its end has come.
    return nil
  }

  private mutating func request() throws(FramingFault) -> String? {
    var left = ReadRequests.headMax
    guard let first = try line(&left) else { return nil }
    let words = first.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
      .map { String($0) }
    guard words.count == 3, !words[1].isEmpty else { throw .requestLine }
    guard let method = HTTPMethod(rawValue: words[0]) else {
      throw Self.isToken(words[0]) ? .method : .requestLine
    }
    guard words[1].unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
      throw .target
    }
    let version = words[2]
    guard version.unicodeScalars.count == 8, version.hasPrefix("HTTP/") else { throw .requestLine }
    guard version == "HTTP/1.0" || version == "HTTP/1.1" else { throw .version }
    var fields: [(name: String, value: String)] = []
    while true {
      guard let line = try line(&left) else { return nil }
      if line.unicodeScalars.isEmpty { break }
      fields.append(try Self.field(line))
      guard fields.count <= 100 else { throw .headTooLarge }
      try Self.check(fields)
    }
    let body = try body(method, fields, isOld: version == "HTTP/1.0")
    guard let body else { return nil }
    var text = "\(method.rawValue) \(words[1]) \(version.dropFirst(5))\n"
    if (try? RequestTarget(parsing: words[1])) != nil {
      for (name, value) in fields {
        let bytes = value.unicodeScalars.map { UInt8($0.value) }
        text += "\(name): \(String(decoding: bytes, as: UTF8.self))\n"
      }
    }
    return text + String(decoding: body, as: UTF8.self)
  }

  private static func isToken(_ word: String) -> Bool {
    !word.unicodeScalars.isEmpty
      && word.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(scalar.value))
          || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
      }
  }

  private static func field(_ line: String) throws(FramingFault) -> (name: String, value: String) {
    let scalars = line.unicodeScalars
    guard scalars.first != " ", scalars.first != "\t" else { throw .foldedHeader }
    guard let colon = scalars.firstIndex(of: ":"), isToken(String(scalars[..<colon])) else {
      throw .headerName
    }
    let rest = scalars[scalars.index(after: colon)...]
    guard rest.allSatisfy({ $0 == "\t" || $0.value >= 32 && $0.value != 127 }) else {
      throw .headerValue
    }
    var value = Array(rest)
    while value.last == " " || value.last == "\t" { value.removeLast() }
    let start = value.drop { $0 == " " || $0 == "\t" }
    return (String(scalars[..<colon]), String(String.UnicodeScalarView(start)))
  }

  private static func values(_ name: String, in fields: [(name: String, value: String)]) -> [String]
  {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Checks what can be checked before the head has ended, of the last field.
  private static func check(_ fields: [(name: String, value: String)]) throws(FramingFault) {
    guard let last = fields.last else { return }
    switch last.name.lowercased() {
    case "expect":
      guard last.value.lowercased() == "100-continue" else { throw .expectation }
    case "content-length":
      guard values("content-length", in: fields).count == 1 else { throw .ambiguousLength }
      guard (1...10).contains(last.value.unicodeScalars.count),
        last.value.unicodeScalars.allSatisfy({ (48...57).contains($0.value) })
      else { throw .contentLength }
    case "transfer-encoding":
      guard values("transfer-encoding", in: fields).count == 1 else { throw .ambiguousLength }
      guard last.value.lowercased() == "chunked" else { throw .transferEncoding }
    default: break
    }
  }

  private mutating func body(
    _ method: HTTPMethod, _ fields: [(name: String, value: String)], isOld: Bool
  ) throws(FramingFault) -> [UInt8]? {
    let hosts = Self.values("host", in: fields).count
    guard hosts == 1 || (hosts == 0 && isOld) else { throw .host }
    let length = Self.values("content-length", in: fields).first.flatMap { Int($0) }
    let isChunked = !Self.values("transfer-encoding", in: fields).isEmpty
    guard !isChunked || (length == nil && !isOld) else { throw .ambiguousLength }
    if isChunked {
      guard method != .head else { throw .unexpectedBody }
      return try chunks()
    }
    let count = length ?? 0
    guard count == 0 || method != .head else { throw .unexpectedBody }
    guard count <= ReadRequests.bodyMax else { throw .bodyTooLarge }
    return part(count)
  }

  private mutating func part(_ count: Int) -> [UInt8]? {
    guard place + count <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  private mutating func chunks() throws(FramingFault) -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      var left = ReadRequests.headMax
      guard let digits = try line(&left) else { return nil }
      guard (1...8).contains(digits.unicodeScalars.count), !digits.hasPrefix("+"),
        !digits.hasPrefix("-"), let size = Int(digits, radix: 16)
      else { throw .chunk }
      guard body.count + size <= ReadRequests.bodyMax else { throw .bodyTooLarge }
      left = ReadRequests.headMax
      if size == 0 {
        guard let end = try line(&left) else { return nil }
        guard end.unicodeScalars.isEmpty else { throw .trailer }
        return body
      }
      guard let chunk = part(size) else { return nil }
      body += chunk
      guard let end = try line(&left) else { return nil }
      guard end.unicodeScalars.isEmpty else { throw .chunk }
    }
  }
}
