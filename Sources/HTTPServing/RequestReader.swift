/// Reads the requests on one connection where their bytes were received, and refuses everything
/// that two readers might understand differently, so that no request can be smuggled past a proxy.
/// Nothing else reads requests. It keeps no bytes: what it has not taken it is given again.
/// INVARIANT: what it reads depends on the bytes alone, not on how they were cut into pieces.
struct RequestReader {
  enum Step: Equatable {
    /// All that could be taken has been taken.
    case needsMore
    /// A whole head was taken; `head` says where its parts are.
    case head
    /// The body is longer than is read without asking: goes on after `admit`.
    case admission
    /// These bytes, counted like those taken, are the next of the body, without framing.
    case body(Range<Int>)
    /// The request was complete.
    case end
  }

  private enum Phase {
    case head
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case bodyEnd
    case end
  }

  private enum Admission {
    case notNeeded, wanted, granted
  }

  private let headMax: Int
  private let bodyLimits: BodyLimits
  private var bodyMax: Int
  private var phase = Phase.head
  private var admission = Admission.notNeeded
  /// Where the current line begins in what is not taken yet, and how far its end was searched for.
  private var lineStart = 0
  private var searched = 0
  /// The head of the current request; of no use before the step `head`.
  private(set) var head = RequestHead()
  /// Bytes of the body at hand: as many as its head told, or as its chunks have told so far.
  private(set) var bodyBytes = 0

  /// `headMax` counts request line and headers with line ends, `bodyLimits` bodies without framing.
  init(headMax: Int, bodyLimits: BodyLimits) {
    self.headMax = headMax
    self.bodyLimits = bodyLimits
    bodyMax = bodyLimits.usual
  }

  /// Whether it has begun to read a request.
  var isWithinRequest: Bool {
    if case .head = phase { searched > 0 } else { true }
  }

  /// Accepts the current body, up to the maximum of its route, which never exceeds the server's.
  mutating func admit(bodyMax: Int) {
    self.bodyMax = min(bodyMax, self.bodyMax)
    admission = .granted
  }

  /// Whether the current body had to be admitted, and has been.
  var isAdmitted: Bool { admission == .granted }

  /// Whether the body may be longer than usual and is counted with the others of such length.
  var isLong: Bool {
    switch phase {
    case .body: bodyBytes > bodyLimits.usual
    case .chunkSize, .chunk, .chunkEnd: bodyMax > bodyLimits.usual
    case .head, .bodyEnd, .end: false
    }
  }

  /// Takes what comes next.
  /// - Parameters:
  ///   - bytes: Everything that was received and not taken yet.
  ///   - taken: 0; how many of them are taken now.
  /// - Throws: the first fault. After it, read no further.
  mutating func next(
    _ bytes: Span<UInt8>, taking taken: inout Int
  ) throws(FramingFault) -> Step {
    while true {
      let rest = bytes.extracting(taken...)
      switch phase {
      case .head:
        guard try readHead(rest) else { return .needsMore }
        taken += head.count
        return .head
      case .body(let left), .chunk(let left):
        guard admission != .wanted else { return .admission }
        guard !rest.isEmpty else { return .needsMore }
        let part = taken..<taken + min(left, rest.count)
        taken = part.upperBound
        takeBody(part.count, of: left)
        return .body(part)
      case .chunkSize, .chunkEnd, .bodyEnd:
        guard let end = try endOfLine(rest) else { return .needsMore }
        taken += end + 2
        forgetLine()
        try takeChunkLine(rest.extracting(..<end))
      case .end:
        finish()
        return .end
      }
    }
  }

  /// Begins with the next request. The current one has ended, or the caller takes all of its body.
  mutating func finish() {
    phase = .head
    head = RequestHead()
    bodyBytes = 0
    admission = .notNeeded
    forgetLine()
  }

  private mutating func forgetLine() {
    lineStart = 0
    searched = 0
  }

  private mutating func readHead(_ bytes: Span<UInt8>) throws(FramingFault) -> Bool {
    while let end = try endOfLine(bytes) {
      let line = lineStart..<end
      lineStart = end + 2
      if line.lowerBound == 0 {
        try head.add(requestLine: line, of: bytes)
        bodyMax = bodyLimits.max(of: head.method, to: head.target, of: bytes)
      } else if !line.isEmpty {
        try head.add(headerLine: line, of: bytes)
      } else {
        try head.end(count: lineStart, bodyMax: bodyMax)
        forgetLine()
        beginBody()
        return true
      }
    }
    return false
  }

  /// Where the current line ends, before its CR LF; `nil` if that has not come yet.
  private mutating func endOfLine(_ bytes: Span<UInt8>) throws(FramingFault) -> Int? {
    let end = min(bytes.count, headMax)
    var place = searched
    while place < end {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\r") {
        guard place + 1 < end else { break }
        guard bytes[place + 1] == UInt8(ascii: "\n") else { throw .bareLineEnd }
        searched = place + 2
        return place
      }
      guard byte != UInt8(ascii: "\n") else { throw .bareLineEnd }
      guard byte != 0 else { throw .headerValue }
      place += 1
    }
    searched = place
    guard bytes.count <= headMax else { throw .headTooLarge }
    return nil
  }

  private mutating func beginBody() {
    switch head.body {
    case .none: phase = .end
    case .length(let length):
      phase = .body(left: length)
      bodyBytes = length
      askIfLong()
    case .chunked: phase = .chunkSize
    }
  }

  private mutating func askIfLong() {
    if admission == .notNeeded, bodyBytes > bodyLimits.unasked { admission = .wanted }
  }

  private mutating func takeBody(_ count: Int, of left: Int) {
    if case .chunk = phase {
      phase = count == left ? .chunkEnd : .chunk(left: left - count)
    } else {
      phase = count == left ? .end : .body(left: left - count)
    }
  }

  /// Takes a line between chunks, without its end.
  private mutating func takeChunkLine(_ line: Span<UInt8>) throws(FramingFault) {
    switch phase {
    case .chunkSize: try takeChunkSize(line)
    case .chunkEnd:
      guard line.isEmpty else { throw .chunk }
      phase = .chunkSize
    case .bodyEnd:
      guard line.isEmpty else { throw .trailer }
      phase = .end
    case .head, .body, .chunk, .end: break
    }
  }

  /// Hex digits and nothing else: extensions are for nobody.
  private mutating func takeChunkSize(_ line: Span<UInt8>) throws(FramingFault) {
    guard (1...8).contains(line.count) else { throw .chunk }
    var size = 0
    for place in line.indices {
      guard let digit = line[place].hexDigit else { throw .chunk }
      size = size << 4 | Int(digit)
    }
    bodyBytes += size
    guard bodyBytes <= bodyMax else { throw .bodyTooLarge }
    askIfLong()
    phase = size == 0 ? .bodyEnd : .chunk(left: size)
  }
}
