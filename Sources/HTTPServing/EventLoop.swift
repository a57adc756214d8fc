internal import CLibevent

/// Serves the connections of one thread: one `event_base`, one listener, one `evhttp`.
/// INVARIANT: created, used and freed on one thread; libevent's objects never leave it. The base
/// takes no locks, so breaking this is a data race. Other threads use the mailbox.
@safe final class EventLoop {
  typealias Dispatching = @Sendable (HTTPRequest) -> Router.Dispatch

  let configuration: ServerConfiguration
  let bodyLimits: BodyLimits
  let dispatching: Dispatching
  let directWays: [DirectWay]
  let mailbox: Mailbox<LoopMessage>
  let executor: LoopExecutor
  let longBodyThreads: LongBodyThreads
  let socket: ListeningSocket
  let connectionsMax: Int
  let base: OpaquePointer
  let http: OpaquePointer
  var listener: OpaquePointer?
  var boundSocket: OpaquePointer?
  private var waking: OpaquePointer?
  private var sweeping: OpaquePointer?
  /// Activated by an accept, so that new evhttp connections are registered before any of
  /// them can end; and by work that must not be done from within evhttp.
  var meeting: OpaquePointer?
  var newcomers: [Connection] = []
  var connections: [UInt: Connection] = [:]
  var exchanges: [LoopMessage.ExchangeID: Exchange] = [:]
  var lastExchangeID: LoopMessage.ExchangeID = 0
  /// Connections whose reading is paused, from `meeting` on.
  var pausing: [Connection] = []
  var admissions: [LoopMessage.ExchangeID: Connection] = [:]
  /// Bytes of unanswered requests, and of the memory that each read takes.
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
    self.directWays = directWays
    self.mailbox = mailbox
    executor = LoopExecutor(mailbox)
    self.longBodyThreads = longBodyThreads
    self.socket = socket
    heldMax = configuration.heldMax / max(1, configuration.threads)
    connectionsMax = max(1, configuration.connectionsMax / max(1, configuration.threads))
    let settings = unsafe event_config_new()
    defer { unsafe event_config_free(settings) }
    var flags = EVENT_BASE_FLAG_NOLOCK.rawValue
    // A change list saves a call of epoll per request. It also puts off the removal of descriptors:
    // not for a Unix socket, of which every thread has a copy that epoll would then never forget.
    if case .tcp = configuration.address { flags |= EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue }
    unsafe event_config_set_flag(settings, Int32(flags))
    guard let base = unsafe event_base_new_with_config(settings) else {
      throw .cannotServe(detail: "no event base")
    }
    guard let http = unsafe evhttp_new(base) else {
      unsafe event_base_free(base)
      throw .cannotServe(detail: "no evhttp")
    }
    unsafe self.base = base
    unsafe self.http = http
  }

  /// Frees libevent's objects. Not in `deinit`: callbacks still come for remaining connections.
  private func tearDown() {
    for exchange in exchanges.values { exchange.task?.cancel() }
    for connection in admissions.values { connection.admission?.task.cancel() }
    unsafe listener = nil
    unsafe evhttp_free(http)
    if let event = unsafe waking { unsafe event_free(event) }
    if let event = unsafe sweeping { unsafe event_free(event) }
    if let event = unsafe meeting { unsafe event_free(event) }
    unsafe event_base_free(base)
  }

  /// Serves until drained. To be called once, whatever happens: it frees the loop's objects.
  func run() throws(ServingError) {
    defer {
      for case .job(let job) in mailbox.close() { LoopExecutor.runElsewhere(job) }
      tearDown()
      socket.close()
    }
    setUpHTTP()
    try setUpEvents()
    try listen()
    guard unsafe event_base_dispatch(base) >= 0 else {
      throw .cannotServe(detail: "the event loop failed")
    }
  }

  private func setUpHTTP() {
    // The scanner refuses earlier; evhttp's own limits must not apply first, because its responses
    // are pages of HTML.
    unsafe evhttp_set_max_body_size(http, bodyLimits.longest + 1)
    unsafe evhttp_set_max_headers_size(http, 2 * configuration.headerMax)
    var inactivity = timeval(configuration.inactivity)
    unsafe evhttp_set_timeout_tv(http, &inactivity)
    unsafe evhttp_set_allowed_methods(http, UInt16.max)
    unsafe evhttp_set_default_content_type(http, nil)
    unsafe evhttp_set_bevcb(http, { _, loop in unsafe EventLoop.from(loop)?.accepted() }, pointer)
    unsafe evhttp_set_gencb(
      http,
      { request, loop in
        guard let request = unsafe request else { return }
        unsafe EventLoop.from(loop)?.received(request)
      }, pointer)
  }

  private func setUpEvents() throws(ServingError) {
    unsafe waking = event_new(
      base, mailbox.wakeDescriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, loop in unsafe EventLoop.from(loop)?.readMailbox() }, pointer)
    unsafe sweeping = event_new(
      base, -1, Int16(EV_PERSIST), { _, _, loop in unsafe EventLoop.from(loop)?.sweep() }, pointer)
    unsafe meeting = event_new(
      base, -1, 0,
      { _, _, loop in
        unsafe EventLoop.from(loop)?.meetNewcomers()
        unsafe EventLoop.from(loop)?.pauseReading()
      }, pointer)
    guard let waking = unsafe waking, let sweeping = unsafe sweeping, unsafe meeting != nil else {
      throw .cannotServe(detail: "no events")
    }
    var interval = timeval(tv_sec: 0, tv_usec: Self.sweepMicroseconds)
    unsafe event_add(waking, nil)
    unsafe event_add(sweeping, &interval)
  }

  private func listen() throws(ServingError) {
    // Closed before the loop began when the server was stopped at once.
    guard let descriptor = socket.descriptor else { return }
    // Backlog 0: the socket listens already. Its owner closes it.
    let listener = unsafe evconnlistener_new(base, nil, nil, 0, 0, descriptor)
    guard let listener = unsafe listener,
      let bound = unsafe evhttp_bind_listener(http, listener)
    else { throw .cannotServe(detail: "no listener") }
    // Out of descriptors, for instance: without a pause the loop would spin. sweep() tries again.
    unsafe evconnlistener_set_error_cb(listener) { listener, _ in
      unsafe evconnlistener_disable(listener)
    }
    unsafe self.listener = listener
    unsafe boundSocket = bound
  }

  private func readMailbox() {
    mailbox.acknowledgeWake()
    for _ in 0..<Self.mailboxRoundsMax {
      guard mailbox.take(into: &messages) else { return }
      for message in messages { take(message) }
      messages.removeAll(keepingCapacity: true)
    }
    mailbox.wake()
  }

  private func take(_ message: LoopMessage) {
    switch message {
    case .reply(let id, let response): handlerAnswered(id, response)
    case .judged(let id, let refusal): judged(id, refusal)
    case .chunk(let id, let bytes): sendChunk(id, bytes)
    case .finish(let id): finishStream(id)
    case .abort(let id): abortStream(id)
    case .job(let job): executor.run(job)
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

extension timeval {
  /// Rounded down to microseconds.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
  }
}
