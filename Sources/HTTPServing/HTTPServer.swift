public import Lifecycle
public import SystemCalls

/// An HTTP/1.1 server. Listens from its creation on, serves while it runs.
public final class HTTPServer: Service {
  public let name = "http-server"

  private let configuration: ServerConfiguration
  private let bodyLimits: BodyLimits
  private let dispatching: EventLoop.Dispatching
  private let directWays: [DirectWay]
  private let sockets: [ListeningSocket]
  private let mailboxes: [Mailbox<LoopMessage>]
  private let longBodyThreads = LongBodyThreads()
  private let hasRun = Lock(false)

  /// Binds and listens; connections wait until `run()`.
  public convenience init(
    _ configuration: ServerConfiguration, router: Router
  ) throws(ServingError) {
    try self.init(
      configuration, longBodies: router.bodyMaxes, directWays: router.directWays,
      dispatching: { router.dispatch($0) })
  }

  /// One handler for everything.
  public convenience init(
    _ configuration: ServerConfiguration, handler: @escaping Route.Handler
  ) throws(ServingError) {
    let route = Route(.get, "/", bodyMax: .max, handler)
    try self.init(configuration, dispatching: { .run($0, route) })
  }

  private init(
    _ configuration: ServerConfiguration, longBodies: [String: Int] = [:],
    directWays: [DirectWay] = [], dispatching: @escaping EventLoop.Dispatching
  ) throws(ServingError) {
    precondition((1...64).contains(configuration.threads), "1 to 64 threads")
    self.configuration = configuration
    bodyLimits = BodyLimits(usual: configuration.bodyMax, long: longBodies)
    self.dispatching = dispatching
    self.directWays = directWays
    sockets = try ListeningSocket.listen(on: configuration.address, count: configuration.threads)
    var mailboxes: [Mailbox<LoopMessage>] = []
    for _ in sockets { mailboxes.append(try Mailbox()) }
    self.mailboxes = mailboxes
  }

  /// The TCP port, even if the system chose it; `nil` on a Unix socket.
  public var boundPort: Int? { sockets.first?.port }

  public var address: ListenAddress {
    guard case .tcp(let host, _) = configuration.address, let boundPort else {
      return configuration.address
    }
    return .tcp(host: host, port: boundPort)
  }

  /// Serves until its task is cancelled. Then refuses new connections, ends streams, finishes the
  /// requests in progress within `drainGrace`, and returns. Handlers still running then are
  /// cancelled and not waited for. May be called once.
  public func run() async throws {
    let isFirst = hasRun.withLock { hasRun in
      defer { hasRun = true }
      return !hasRun
    }
    guard isFirst else { throw ServingError.alreadyRan }
    boundKeptMemory()
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (socket, mailbox) in zip(sockets, mailboxes) {
          group.addTask { try await self.serve(socket, mailbox) }
        }
        // If one loop fails, the others are drained too.
        do { try await group.waitForAll() } catch {
          drain()
          throw error
        }
      }
    } onCancel: {
      drain()
    }
  }

  private func serve(
    _ socket: ListeningSocket, _ mailbox: Mailbox<LoopMessage>
  ) async throws(ServingError) {
    try await onOwnThread {
      [configuration, bodyLimits, longBodyThreads, directWays, dispatching]
      () throws(ServingError) in
      let loop = try EventLoop(
        configuration, bodyLimits, socket: socket, mailbox: mailbox,
        longBodyThreads: longBodyThreads, directWays: directWays, dispatching: dispatching)
      try loop.run()
    }
  }

  private func drain() {
    for mailbox in mailboxes { mailbox.post(.drain) }
  }
}
