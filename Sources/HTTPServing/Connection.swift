internal import CLibevent
internal import Lifecycle

/// One client's connection. Its loop's thread only. libevent has a plain pointer to it, so the loop
/// holds it until libevent says that the connection is about to end.
@safe final class Connection {
  unowned let loop: EventLoop
  let bufferevent: OpaquePointer
  /// evhttp's connection; known from the loop's next step on.
  var evhttp: OpaquePointer?
  var scanner: FramingScanner
  /// The request being answered, until the response's last byte has been written.
  var exchange: Exchange?
  /// Nothing more is read; this response is sent once it is its turn after earlier ones.
  var refusal: [UInt8]?
  /// The sender of the current long body is being authenticated.
  var admission: Admission?
  /// Whether reading is paused until that is known.
  var isPaused = false
  /// Bytes of requests that are not answered yet, as the loop counts them.
  var held = 0
  /// Whether the input buffer is being cut, which calls back like any other change.
  var isCutting = false
  var answered = 0
  /// Bytes of the body that the request in turn was let send; 0 when it did not have to ask.
  var admittedMax = 0
  /// Whether the request in turn is one of those with a long body.
  var hasLongBody = false
  /// The deadline; `nil` while a stream runs.
  var deadline: ContinuousClock.Instant?
  /// The peer's IP address; `nil` on a Unix socket.
  var remoteAddress: String?

  init(
    loop: EventLoop, bufferevent: OpaquePointer, scanner: FramingScanner,
    deadline: ContinuousClock.Instant
  ) {
    self.loop = loop
    unsafe self.bufferevent = bufferevent
    self.scanner = scanner
    self.deadline = deadline
  }

  var key: UInt { unsafe Self.key(bufferevent) }

  static func key(_ bufferevent: OpaquePointer) -> UInt { UInt(bitPattern: bufferevent) }

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> Connection? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// A request being processed. Its loop's thread only; tasks know its number.
@safe final class Exchange {
  enum Phase {
    case handling
    case streaming
    /// libevent has the whole response; some of it may not be written yet.
    case flushing
  }

  let id: LoopMessage.ExchangeID
  /// evhttp's request; libevent owns it again once the response is written or the client gone.
  let request: UnsafeMutablePointer<evhttp_request>
  unowned let connection: Connection
  var phase = Phase.handling
  /// The handler at first, then the one that forwards the stream.
  var task: Task<Void, Never>?
  /// Wakes the sender of a file when the client has received a part; `nil` for other responses.
  var taken: WakeSignal?

  init(
    id: LoopMessage.ExchangeID, request: UnsafeMutablePointer<evhttp_request>,
    connection: Connection
  ) {
    self.id = id
    unsafe self.request = request
    self.connection = connection
  }
}

/// The check whether a connection may send the long body whose head has arrived.
struct Admission {
  let id: LoopMessage.ExchangeID
  let bodyMax: Int
  let task: Task<Void, Never>
}
