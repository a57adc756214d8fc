internal import CLibevent
internal import Glibc

/// Serves the connections of one thread: one `event_base`, one listening socket.
/// INVARIANT: created, used and freed on one thread; libevent's objects never leave it. The base
/// takes no locks, so breaking this is a data race. Other threads use the mailbox.
@safe final class EventLoop {
  typealias Dispatching = @Sendable (HTTPRequest) -> Router.Dispatch

  let configuration: ServerConfiguration
  let bodyLimits: BodyLimits
  let dispatching: Dispatching
  let directWays: [LoopWay]
  let mailbox: Mailbox<LoopMessage>
  let executor: LoopExecutor
  let longBodyThreads: LongBodyThreads
  let socket: ListeningSocket
  let connectionsMax: Int
  let base: OpaquePointer
  /// Says that there is a connection to accept; `nil` before the beginning and from draining on.
  var accepting: OpaquePointer?
  var isAccepting = false
  private var waking: OpaquePointer?
  private var sweeping: OpaquePointer?
  /// For the next turn of the loop, when connections go on that have fallen behind.
  private(set) var catchingUp: OpaquePointer?
  var behind: [Connection] = []
  /// What each read receives into. Read where it is, so that a request that arrives whole takes no
  /// memory of its connection.
  let room: UnsafeMutableBufferPointer<UInt8>
  /// The response being made, whose memory the next one uses again.
  var outgoing: [UInt8] = []
  var date = DateField()
  /// When the callback that runs began.
  var now = ContinuousClock.now
  /// Every connection, at its slot.
  var connections: [Connection?] = []
  var freeSlots: [Int] = []
  var connectionCount: Int { connections.count - freeSlots.count }
  /// Of the last exchange or admission.
  var lastNumber: UInt64 = 0
  /// Bytes of unanswered requests.
  var heldBytes = 0
  /// Its maximum since memory was last returned to the system.
  var heldPeak = 0
  let heldMax: Int
  /// Connections with a long body being received, or not answered yet.
  var longBodies = 0
  /// Running handlers and admissions, including those whose clients have given up.
  var inflight = 0
  /// The latest time to stop, once draining.
  var drainDeadline: ContinuousClock.Instant?
  private var messages: [LoopMessage] = []

  private static let roomBytes = 65_536
  private static let sweepMicroseconds = 250_000
  /// Rounds of messages before sockets get their turn again.
  private static let mailboxRoundsMax = 8

  init(
    _ configuration: ServerConfiguration, _ bodyLimits: BodyLimits, socket: ListeningSocket,
    mailbox: Mailbox<LoopMessage>, longBodyThreads: LongBodyThreads,
    directWays: [DirectWay], dispatching: @escaping Dispatching
  ) throws(ServingError) {
    self.configuration = configuration
    self.bodyLimits = bodyLimits
    self.dispatching = dispatching
    self.directWays = directWays.map(LoopWay.init)
    self.mailbox = mailbox
    executor = LoopExecutor(mailbox)
    self.longBodyThreads = longBodyThreads
    self.socket = socket
    heldMax = configuration.heldMax / max(1, configuration.threads)
    connectionsMax = max(1, configuration.connectionsMax / max(1, configuration.threads))
    let settings = unsafe event_config_new()
    defer { unsafe event_config_free(settings) }
    var flags = EVENT_BASE_FLAG_NOLOCK.rawValue
    // A change list saves calls of epoll. It also puts off the removal of descriptors: not for a
    // Unix socket, of which every thread has a copy that epoll would then never forget.
    if case .tcp = configuration.address { flags |= EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue }
    unsafe event_config_set_flag(settings, Int32(flags))
    guard let base = unsafe event_base_new_with_config(settings) else {
      throw .cannotServe(detail: "no event base")
    }
    unsafe self.base = base
    unsafe room = .allocate(capacity: Self.roomBytes)
  }

  deinit { unsafe room.deallocate() }

  /// Ends what is left, and frees libevent's objects.
  private func tearDown() {
    for case let connection? in connections { close(connection) }
    if let event = unsafe accepting { unsafe event_free(event) }
    if let event = unsafe waking { unsafe event_free(event) }
    if let event = unsafe sweeping { unsafe event_free(event) }
    if let event = unsafe catchingUp { unsafe event_free(event) }
    unsafe event_base_free(base)
  }

  /// Serves until drained. To be called once, whatever happens: it frees the loop's objects.
  func run() throws(ServingError) {
    defer {
      for case .job(let job) in mailbox.close() { LoopExecutor.runElsewhere(job) }
      tearDown()
      socket.close()
    }
    try setUpEvents()
    try listen()
    guard unsafe event_base_dispatch(base) >= 0 else {
      throw .cannotServe(detail: "the event loop failed")
    }
  }

  private func setUpEvents() throws(ServingError) {
    unsafe waking = event_new(
      base, mailbox.wakeDescriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, loop in unsafe EventLoop.from(loop)?.readMailbox() }, pointer)
    unsafe sweeping = event_new(
      base, -1, Int16(EV_PERSIST), { _, _, loop in unsafe EventLoop.from(loop)?.sweep() }, pointer)
    unsafe catchingUp = event_new(
      base, -1, 0, { _, _, loop in unsafe EventLoop.from(loop)?.catchUp() }, pointer)
    guard let waking = unsafe waking, let sweeping = unsafe sweeping, unsafe catchingUp != nil
    else {
      throw .cannotServe(detail: "no events")
    }
    var interval = timeval(tv_sec: 0, tv_usec: Self.sweepMicroseconds)
    unsafe event_add(waking, nil)
    unsafe event_add(sweeping, &interval)
  }

  private func listen() throws(ServingError) {
    // Closed before the loop began when the server was stopped at once.
    guard let descriptor = socket.descriptor else { return }
    unsafe accepting = event_new(
      base, descriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, loop in unsafe EventLoop.from(loop)?.accept() }, pointer)
    guard unsafe accepting != nil else { throw .cannotServe(detail: "no listener") }
    makeRoom()
  }

  private func readMailbox() {
    mailbox.acknowledgeWake()
    for _ in 0..<Self.mailboxRoundsMax {
      guard mailbox.take(into: &messages) else { return }
      now = .now
      for message in messages { take(message) }
      messages.removeAll(keepingCapacity: true)
    }
    mailbox.wake()
  }

  private func take(_ message: LoopMessage) {
    switch message {
    case .reply(let id, let response): answered(id, response)
    case .judged(let id, let refusal): judged(id, refusal)
    case .chunk(let id, let bytes): sendChunk(id, bytes)
    case .finish(let id): finishStream(id)
    case .abort(let id): abortStream(id)
    case .job(let job):
      executor.run(job)
      now = .now
    case .drain: drain()
    }
  }

  private var pointer: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> EventLoop? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
  }
}
