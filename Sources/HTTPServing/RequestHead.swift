/// What the framing of a request depends on, gathered line by line from its head.
struct RequestHead {
  enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
  }

  private let method: HTTPMethod
  /// Bytes that its body may have.
  let bodyMax: Int
  private let minorVersion: UInt8
  private var length: Int?
  private var chunked = false
  private var hosts = 0
  private var headers = 0

  /// Begins with the request line, without its line end: `GET /path HTTP/1.1`, one space between.
  init(requestLine line: [UInt8], _ limits: BodyLimits) throws(FramingFault) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty else { throw .requestLine }
    let known = HTTPMethod.allCases.first { $0.rawValue.utf8.elementsEqual(parts[0]) }
    guard let method = known else {
      throw !parts[0].isEmpty && parts[0].allSatisfy(\.isTokenByte) ? .method : .requestLine
    }
    guard parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .target }
    guard parts[2].count == 8, parts[2].starts(with: "HTTP/".utf8) else { throw .requestLine }
    guard parts[2].starts(with: "HTTP/1.".utf8), let minor = parts[2].last?.hexDigit, minor <= 1
    else { throw .version }
    self.method = method
    bodyMax = limits.max(of: method, to: parts[1])
    minorVersion = minor
  }

  var mayHaveBody: Bool { method.mayHaveBody }

  /// Takes one header line, without its line end.
  mutating func add(headerLine line: [UInt8]) throws(FramingFault) {
    guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t") else {
      throw .foldedHeader
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(\.isTokenByte)
    else { throw .headerName }
    guard line[colon...].allSatisfy(\.isValueByte) else { throw .headerValue }
    headers += 1
    guard headers <= Self.headersMax else { throw .headTooLarge }
    try noteFraming(name: line[..<colon], value: line[(colon + 1)...].trimmed)
  }

  private static let headersMax = 100

  private mutating func noteFraming(
    name: ArraySlice<UInt8>, value: ArraySlice<UInt8>
  ) throws(FramingFault) {
    switch name.count {
    case 4 where name.isWord("host"): hosts += 1
    case 6 where name.isWord("expect"):
      guard value.isWord("100-continue") else { throw .expectation }
    case 14 where name.isWord("content-length"):
      guard length == nil else { throw .ambiguousLength }
      // Ten digits are more than any body we take, and fit in an Int.
      guard (1...10).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .contentLength
      }
      length = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    case 17 where name.isWord("transfer-encoding"):
      guard !chunked else { throw .ambiguousLength }
      guard value.isWord("chunked") else { throw .transferEncoding }
      chunked = true
    default: break
    }
  }

  /// Checks the whole head, at its empty line.
  func framing(bodyMax: Int) throws(FramingFault) -> BodyFraming {
    guard hosts <= 1, hosts == 1 || minorVersion == 0 else { throw .host }
    // An old proxy in front would read a chunked HTTP/1.0 body in another way.
    guard !chunked || (length == nil && minorVersion == 1) else { throw .ambiguousLength }
    guard let length else {
      guard !chunked || method.mayHaveBody else { throw .unexpectedBody }
      return chunked ? .chunked : .none
    }
    guard length == 0 || method.mayHaveBody else { throw .unexpectedBody }
    guard length <= bodyMax else { throw .bodyTooLarge }
    return length == 0 ? .none : .length(length)
  }
}

extension UInt8 {
  /// RFC 9110, 5.6.2: what a method or a header name may be made of.
  fileprivate var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }

  /// RFC 9110, 5.5: anything but control characters; tab is allowed.
  fileprivate var isValueByte: Bool { self == 0x09 || (self >= 0x20 && self != 0x7F) }
}

extension ArraySlice<UInt8> {
  /// Whether these bytes are `word`, which is in lower case, regardless of their case.
  fileprivate func isWord(_ word: String) -> Bool {
    word.utf8.elementsEqual(lazy.map(\.lowercased))
  }

  var trimmed: ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let last = lastIndex(where: { !isSpace($0) }) else { return [] }
    return drop(while: isSpace).prefix(through: last)
  }
}
