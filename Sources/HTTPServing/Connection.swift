internal import CLibevent
internal import Lifecycle

/// One client's connection. Its loop's thread only. libevent has a plain pointer to it, which the
/// loop's `close` takes away before it lets go of the connection.
@safe final class Connection {
  unowned let loop: EventLoop
  let descriptor: Int32
  /// Its place in the loop's list.
  let slot: Int
  /// The peer's IP address; `nil` on a Unix socket.
  let remoteAddress: String?
  /// libevent's events for reading and, once it was needed, for writing.
  var reading: OpaquePointer?
  var writing: OpaquePointer?
  /// Whether libevent is to say that there is something to read.
  var isWatched = false
  var isOpen = true

  var reader: RequestReader
  /// What was received and not read yet; usually nothing.
  var input = ReceivedBytes()
  /// The request being read, once its head has been.
  var pending: PendingRequest?
  /// The request being answered, until the response's last byte has been written.
  var exchange: Exchange?
  /// The sender of the current long body is being authenticated.
  var admission: Admission?
  /// What the socket does not take yet; usually nothing.
  var output = Output()
  /// Nothing more is read; this response is sent once it is its turn after earlier ones.
  var refusal: [UInt8]?
  /// The last response is written or being written: no further request is read.
  var isEnding = false
  /// Its own half is closed. Input is dropped until the client has read everything and closes;
  /// closing at once would reset the connection, and the client might lose the last response.
  var isLingering = false
  /// Requests are left in what was received: they are answered before anything more is received.
  var isBehind = false
  /// What has piled up behind a stream must wait: reading stops until the stream has ended.
  var isPaused = false

  /// Bytes of requests that are not answered yet, as the loop counts them.
  var held = 0
  var answered = 0
  /// Whether the request in turn is one of those with a long body.
  var hasLongBody = false
  /// The deadline; `nil` while a stream runs.
  var deadline: ContinuousClock.Instant?
  /// When a byte was last read or written, or began to be waited for.
  var progressed: ContinuousClock.Instant

  init(
    loop: EventLoop, descriptor: Int32, slot: Int, remoteAddress: String?, reader: RequestReader,
    now: ContinuousClock.Instant
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.slot = slot
    self.remoteAddress = remoteAddress
    self.reader = reader
    progressed = now
  }

  /// Whether the next request may be read now.
  var mayRead: Bool {
    mayKeepInput && exchange == nil && admission == nil
  }

  /// Whether what was received and not read is still of use.
  var mayKeepInput: Bool { isOpen && refusal == nil && !isEnding }

  /// Whether some of a request has arrived that is not being answered.
  var isWithinRequest: Bool { reader.isWithinRequest || !input.isEmpty }

  /// Whether nothing is received at present, so that further bytes stay in the kernel, and then
  /// with the client. Its leaving is not noticed then.
  var isWaiting: Bool {
    if isLingering { return false }
    if isEnding || isPaused || isBehind || admission != nil { return true }
    guard let exchange else { return false }
    return switch exchange.phase {
    case .handling: !exchange.endsWithClient
    case .streaming: false
    case .flushing: true
    }
  }

  /// Whether a client that does nothing now keeps us waiting.
  var isStalled: Bool { !output.isEmpty || (mayRead && isWithinRequest) }

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> Connection? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// A request whose head has been read.
struct PendingRequest {
  /// Without what has not arrived of its body; or why its target cannot be read.
  var request: Result<HTTPRequest, RequestTargetError>
  let framing: ResponseFraming
  /// Whether the client waits for 100 before it sends the body.
  var owesContinue: Bool
  /// Bytes of the head, and of the body so far.
  var count: Int
}

/// A request being answered. Tasks know its number.
struct Exchange {
  enum Phase {
    case handling
    case streaming
    /// The whole response has been made; some of it may not be written yet.
    case flushing
  }

  let number: UInt64
  var framing: ResponseFraming
  /// Bytes of the request, while they are in memory.
  let held: Int
  var phase = Phase.handling
  /// Whether the handler is cancelled when the client leaves.
  var endsWithClient = false
  /// The handler at first, then the one that forwards the stream.
  var task: Task<Void, Never>?
  /// Wakes the sender of a file when the client has received a part; `nil` for other responses.
  var taken: WakeSignal?
}

/// The check whether a connection may send the long body whose head has arrived.
struct Admission {
  let number: UInt64
  let bodyMax: Int
  let task: Task<Void, Never>
}

/// Bytes that were received and are still to be read.
struct ReceivedBytes {
  private(set) var bytes: [UInt8] = []
  /// Those before it have been read.
  private(set) var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ new: Span<UInt8>) {
    guard !new.isEmpty else { return }
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(new)
  }

  /// Leaves out the first `count`. The rest keeps at most about twice its room: a client could fill
  /// our memory uncounted by sending a little more than whole requests.
  mutating func drop(_ count: Int) {
    start += count
    if start == bytes.count {
      self = ReceivedBytes()
    } else if start > bytes.count / 2 {
      bytes = Array(bytes[start...])
      start = 0
    }
  }
}

/// Bytes to be sent, in order.
struct Output {
  /// Up to this length pieces are copied and joined, so that many small ones take no more memory
  /// than they have bytes.
  private static let joinedMax = 16_384

  private var pieces: [ArraySlice<UInt8>] = []
  /// Those before it have been sent.
  private var next = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// What is to be sent first.
  var first: ArraySlice<UInt8>? { next < pieces.count ? pieces[next] : nil }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = pieces.last, next < pieces.count, last.count + bytes.count <= Self.joinedMax {
      pieces[pieces.count - 1] = last + bytes
    } else {
      pieces.append(bytes.count <= Self.joinedMax ? ArraySlice(Array(bytes)) : bytes)
    }
  }

  /// Leaves out the first `sent` bytes, which are no more than those of the first piece.
  mutating func drop(_ sent: Int) {
    guard next < pieces.count else { return }
    count -= sent
    pieces[next] = pieces[next].dropFirst(sent)
    guard pieces[next].isEmpty else { return }
    pieces[next] = []
    next += 1
    if next == pieces.count { self = Output() }
  }
}
