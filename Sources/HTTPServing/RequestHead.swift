/// What a request's head says: how its body is framed, how its response is to be sent, and where
/// its parts are, counted in bytes from its first. Gathered line by line.
struct RequestHead {
  enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
  }

  private(set) var method = HTTPMethod.get
  private(set) var target = 0..<0
  /// 0 or 1.
  private(set) var minorVersion: UInt8 = 1
  /// Where the header lines begin.
  private(set) var fieldsStart = 0
  private(set) var fieldCount = 0
  /// With the empty line; 0 until that has come.
  private(set) var count = 0
  private(set) var body = BodyFraming.none
  /// Whether the client waits for 100 before it sends the body.
  private(set) var expectsContinue = false
  /// Whether the client asked for the end of the connection, or for more requests on it.
  private(set) var asksForClose = false
  private(set) var asksForMore = false
  /// The value of the only `Authorization`; `nil` if there are none or more, or a field that no
  /// direct way knows.
  var onlyAuthorization: Range<Int>? { isUnusual ? nil : authorization }

  private var length: Int?
  private var isChunked = false
  private var hosts = 0
  private var authorization: Range<Int>?
  private var isUnusual = false

  /// Takes the request line, `GET /path HTTP/1.1`, with one space between.
  mutating func add(requestLine line: Range<Int>, of bytes: Span<UInt8>) throws(FramingFault) {
    guard let first = bytes.place(of: 0x20, in: line),
      let second = bytes.place(of: 0x20, in: first + 1..<line.upperBound),
      bytes.place(of: 0x20, in: second + 1..<line.upperBound) == nil, first + 1 < second
    else { throw .requestLine }
    let word = line.lowerBound..<first
    guard let method = HTTPMethod(word, of: bytes) else {
      throw !word.isEmpty && Self.isToken(word, of: bytes) ? .method : .requestLine
    }
    target = first + 1..<second
    for place in target where !(0x21...0x7E).contains(bytes[place]) { throw .target }
    let version = second + 1..<line.upperBound
    guard version.count == 8, bytes.holds("HTTP/", at: version.lowerBound..<version.lowerBound + 5)
    else { throw .requestLine }
    let minor = bytes[version.upperBound - 1]
    guard bytes.holds("HTTP/1.", at: version.lowerBound..<version.upperBound - 1),
      minor == UInt8(ascii: "0") || minor == UInt8(ascii: "1")
    else { throw .version }
    self.method = method
    minorVersion = minor - UInt8(ascii: "0")
    fieldsStart = line.upperBound + 2
  }

  /// Takes a header line, which is not empty.
  mutating func add(headerLine line: Range<Int>, of bytes: Span<UInt8>) throws(FramingFault) {
    guard !bytes[line.lowerBound].isBlank else { throw .foldedHeader }
    var colon = line.lowerBound
    while colon < line.upperBound, bytes[colon].isTokenByte { colon += 1 }
    guard colon < line.upperBound, colon > line.lowerBound, bytes[colon] == UInt8(ascii: ":") else {
      throw .headerName
    }
    for place in colon..<line.upperBound where !bytes[place].isValueByte { throw .headerValue }
    fieldCount += 1
    guard fieldCount <= Self.fieldsMax else { throw .headTooLarge }
    try note(line.lowerBound..<colon, bytes.trimmed(colon + 1..<line.upperBound), of: bytes)
  }

  private static let fieldsMax = 100

  /// Notes what matters here of a field.
  private mutating func note(
    _ name: Range<Int>, _ value: Range<Int>, of bytes: Span<UInt8>
  ) throws(FramingFault) {
    switch name.count {
    case 4 where bytes.isWord("host", at: name): hosts += 1
    case 6 where bytes.isWord("expect", at: name):
      guard bytes.isWord("100-continue", at: value) else { throw .expectation }
      expectsContinue = true
    case 10 where bytes.isWord("connection", at: name): noteConnection(value, of: bytes)
    case 14 where bytes.isWord("content-length", at: name):
      guard length == nil else { throw .ambiguousLength }
      length = try Self.number(value, of: bytes)
    case 17 where bytes.isWord("transfer-encoding", at: name):
      guard !isChunked else { throw .ambiguousLength }
      guard bytes.isWord("chunked", at: value) else { throw .transferEncoding }
      isChunked = true
    default: break
    }
    switch DirectWay.field(named: bytes.extracting(name)) {
    case .other: break
    case .unusual: isUnusual = true
    case .authorization:
      if authorization != nil { isUnusual = true }
      authorization = value
    }
  }

  private static func number(
    _ digits: Range<Int>, of bytes: Span<UInt8>
  ) throws(FramingFault) -> Int {
    // Ten digits are more than any body we take, and fit in an Int.
    guard (1...10).contains(digits.count) else { throw .contentLength }
    var number = 0
    for place in digits {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit <= 9 else { throw .contentLength }
      number = number * 10 + Int(digit)
    }
    return number
  }

  private mutating func noteConnection(_ value: Range<Int>, of bytes: Span<UInt8>) {
    var rest = value
    while !rest.isEmpty {
      let end = bytes.place(of: UInt8(ascii: ","), in: rest) ?? rest.upperBound
      let option = bytes.trimmed(rest.lowerBound..<end)
      if bytes.isWord("close", at: option) { asksForClose = true }
      if bytes.isWord("keep-alive", at: option) { asksForMore = true }
      rest = min(end + 1, rest.upperBound)..<rest.upperBound
    }
  }

  /// Checks the whole head, at its empty line.
  /// - Parameter count: Bytes of the head, with that line.
  mutating func end(count: Int, bodyMax: Int) throws(FramingFault) {
    guard hosts <= 1, hosts == 1 || minorVersion == 0 else { throw .host }
    // An old proxy in front would read a chunked HTTP/1.0 body in another way.
    guard !isChunked || (length == nil && minorVersion == 1) else { throw .ambiguousLength }
    self.count = count
    guard let length else {
      guard !isChunked || method.mayHaveBody else { throw .unexpectedBody }
      body = isChunked ? .chunked : .none
      return
    }
    guard length == 0 || method.mayHaveBody else { throw .unexpectedBody }
    guard length <= bodyMax else { throw .bodyTooLarge }
    body = length == 0 ? .none : .length(length)
  }

  private static func isToken(_ word: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    for place in word where !bytes[place].isTokenByte { return false }
    return true
  }
}

extension HTTPMethod {
  private static let known = allCases

  fileprivate init?(_ word: Range<Int>, of bytes: Span<UInt8>) {
    for method in Self.known where bytes.holds(method.rawValue, at: word) {
      self = method
      return
    }
    return nil
  }
}

extension HTTPRequest {
  /// The request of a whole head, without its body. `bytes` begin with the head.
  init(
    _ head: RequestHead, of bytes: Span<UInt8>, receivedAt: ContinuousClock.Instant,
    from remoteAddress: String?
  ) throws(RequestTargetError) {
    var fields: [(name: String, value: String)] = []
    fields.reserveCapacity(head.fieldCount)
    var rest = head.fieldsStart..<head.count - 2
    // Each line is a name, a colon and a value, or the reader would have refused it.
    while let colon = bytes.place(of: UInt8(ascii: ":"), in: rest),
      let end = bytes.place(of: UInt8(ascii: "\r"), in: colon + 1..<rest.upperBound)
    {
      fields.append(
        (
          name: bytes.text(rest.lowerBound..<colon),
          value: bytes.text(bytes.trimmed(colon + 1..<end))
        ))
      rest = end + 2..<rest.upperBound
    }
    try self.init(
      head.method, bytes.text(head.target), headers: HTTPHeaders(fields), receivedAt: receivedAt,
      remoteAddress: remoteAddress)
  }
}
