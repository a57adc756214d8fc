/// Follows the framing of the requests on one connection and rejects everything that two readers
/// might understand differently, so that no request can be smuggled past a proxy: evhttp accepts
/// bare LF, folded headers, NUL (which truncates a value), two Content-Lengths and more. Every byte
/// is checked before evhttp sees it; what is passed through has one reading in HTTP/1.1.
/// INVARIANT: the verdict depends on the bytes alone, not on how they were cut into reads.
struct FramingScanner {
  private enum State {
    case requestLine
    case headers(RequestHead)
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case bodyEnd
  }

  private enum Admission {
    case notNeeded, wanted, granted
  }

  private let headMax: Int
  private let bodyLimits: BodyLimits
  private var bodyMax: Int
  private var state = State.requestLine
  private var line: [UInt8] = []
  private var headBytes = 0
  private var sawCarriageReturn = false
  private var unfinishedBytes = 0
  private var admission = Admission.notNeeded
  /// The head of a request whose body may need authentication; its lines end by LF.
  private(set) var headText: [UInt8] = []
  /// Where the unfinished request began in the last scan; negative: in an earlier one.
  private(set) var requestStart = 0

  private(set) var finished = 0

  var isWithinRequest: Bool { unfinishedBytes > 0 }

  /// `headMax` counts request line and headers with line ends, `bodyLimits` bodies without framing.
  init(headMax: Int, bodyLimits: BodyLimits) {
    self.headMax = headMax
    self.bodyLimits = bodyLimits
    bodyMax = bodyLimits.usual
  }

  /// Whether the current body is longer than allowed without authentication.
  var wantsAdmission: Bool { admission == .wanted }

  /// Bytes of the body at hand: as many as its head told, or as its chunks have told so far.
  private(set) var bodyBytes = 0

  /// Accepts the current body, up to the maximum of its route, which never exceeds the server's.
  mutating func admit(bodyMax: Int) {
    self.bodyMax = min(bodyMax, self.bodyMax)
    admission = .granted
    headText = []
  }

  /// Whether the body may be longer than usual and is counted with the others of such length.
  var isLong: Bool {
    switch state {
    case .body: bodyBytes > bodyLimits.usual
    case .chunkSize, .chunk, .chunkEnd: bodyMax > bodyLimits.usual
    default: false
    }
  }

  /// Bytes that may wait to be read: a body of up to `admitted`, or of any unasked one, and heads.
  func waitingMax(admitted: Int) -> Int { max(admitted, bodyLimits.unasked) + 4 * headMax }

  /// Takes the next bytes. After a fault, scan no further.
  /// - Throws: the first fault; `requestStart` then tells where the faulty request began.
  mutating func scan(_ bytes: Span<UInt8>) throws(FramingFault) {
    var index = 0
    defer { requestStart = index - unfinishedBytes }
    while index < bytes.count {
      switch state {
      case .body(let left):
        let taken = min(left, bytes.count - index)
        index += taken
        unfinishedBytes += taken
        if taken == left { finishRequest() } else { state = .body(left: left - taken) }
      case .chunk(let left):
        let taken = min(left, bytes.count - index)
        index += taken
        unfinishedBytes += taken
        state = taken == left ? .chunkEnd : .chunk(left: left - taken)
      default:
        index += 1
        unfinishedBytes += 1
        if try takeLineByte(bytes[index - 1]) { try takeLine() }
      }
    }
  }

  /// Whether `byte` completed a line, which is then in `line`.
  private mutating func takeLineByte(_ byte: UInt8) throws(FramingFault) -> Bool {
    headBytes += 1
    guard headBytes <= headMax else { throw .headTooLarge }
    switch byte {
    case UInt8(ascii: "\n"):
      guard sawCarriageReturn else { throw .bareLineEnd }
      sawCarriageReturn = false
      return true
    case _ where sawCarriageReturn: throw .bareLineEnd
    case UInt8(ascii: "\r"): sawCarriageReturn = true
    case 0: throw .headerValue
    default: line.append(byte)
    }
    return false
  }

  private mutating func takeLine() throws(FramingFault) {
    defer { line.removeAll(keepingCapacity: true) }
    switch state {
    case .requestLine:
      let head = try RequestHead(requestLine: line, bodyLimits)
      bodyMax = head.bodyMax
      keepLine(of: head)
      state = .headers(head)
    case .headers(var head):
      if line.isEmpty { return try begin(head.framing(bodyMax: bodyMax)) }
      try head.add(headerLine: line)
      keepLine(of: head)
      state = .headers(head)
    case .chunkSize: try takeChunkSize()
    case .chunkEnd:
      guard line.isEmpty else { throw .chunk }
      headBytes = 0
      state = .chunkSize
    case .bodyEnd:
      guard line.isEmpty else { throw .trailer }
      finishRequest()
    case .body, .chunk: break
    }
  }

  private mutating func keepLine(of head: RequestHead) {
    guard head.mayHaveBody else { return }
    headText.append(contentsOf: line)
    headText.append(UInt8(ascii: "\n"))
  }

  private mutating func begin(_ framing: RequestHead.BodyFraming) {
    headBytes = 0
    switch framing {
    case .none: finishRequest()
    case .length(let length):
      bodyBytes = length
      askIfLong()
      if admission == .notNeeded { forgetHead() }
      state = .body(left: length)
    case .chunked: state = .chunkSize
    }
  }

  private mutating func askIfLong() {
    if admission == .notNeeded, bodyBytes > bodyLimits.unasked { admission = .wanted }
  }

  /// Keeps the room for the next head, unless it is much for a connection that may be idle.
  private mutating func forgetHead() {
    if headText.capacity > 4_096 {
      headText = []
    } else {
      headText.removeAll(keepingCapacity: true)
    }
  }

  /// Hex digits and nothing else: extensions are for nobody, and evhttp knows none.
  private mutating func takeChunkSize() throws(FramingFault) {
    guard (1...8).contains(line.count) else { throw .chunk }
    var size = 0
    for byte in line {
      guard let digit = byte.hexDigit else { throw .chunk }
      size = size << 4 | Int(digit)
    }
    headBytes = 0
    bodyBytes += size
    guard bodyBytes <= bodyMax else { throw .bodyTooLarge }
    askIfLong()
    state = size == 0 ? .bodyEnd : .chunk(left: size)
  }

  private mutating func finishRequest() {
    finished += 1
    state = .requestLine
    headBytes = 0
    bodyBytes = 0
    unfinishedBytes = 0
    admission = .notNeeded
    forgetHead()
  }
}

struct BodyLimits: Sendable {
  /// Bytes, wherever nothing else is said.
  let usual: Int
  /// Bytes of a body that are read without authentication; longer bodies need it first.
  let unasked: Int
  /// Bytes of what is posted to these very paths; over the usual. A handful, looked through for
  /// every request without making a string of its path.
  private let long: [(path: [UInt8], max: Int)]

  init(usual: Int, long: [String: Int] = [:]) {
    self.usual = usual
    unasked = min(usual, Route.unaskedBodyMax)
    self.long = long.filter { $0.value > usual }.map { (Array($0.key.utf8), $0.value) }
  }

  var longest: Int { long.map(\.max).max() ?? usual }

  /// - Parameter target: The path and what follows, as sent.
  func max(of method: HTTPMethod, to target: ArraySlice<UInt8>) -> Int {
    guard method == .post else { return usual }
    let path = target.prefix { $0 != UInt8(ascii: "?") }
    return long.first { $0.path.count == path.count && $0.path.elementsEqual(path) }?.max ?? usual
  }
}
