public import SystemCalls

/// A server's address and its limits. Every limit protects the server from its clients.
public struct ServerConfiguration: Sendable {
  /// The address. The default is for a proxy on the same machine; TLS is the proxy's task.
  public var address: ListenAddress
  /// Threads that read and write, and run the handlers of brief routes; others run on Swift's
  /// threads. Where the body is long, both run on threads of their own. 1 to 64.
  public var threads = 2
  /// Bytes of a request's body; more gets 413. Bodies are held in memory.
  public var bodyMax = 1 << 20
  /// Bodies over `bodyMax` accepted at once, per thread; further ones get 503 at their head.
  public var longBodiesMax = 2
  /// From the admission of a body over `Route.unaskedBodyMax` to its end.
  public var longBodyDeadline = Duration.seconds(60)
  /// Bytes of request line and headers together; more gets 431.
  public var headerMax = 16 << 10
  /// Bytes of requests held at once, over all threads, from a first byte to its response's last;
  /// what exceeds them gets 503, and its connection is closed.
  public var heldMax = 128 << 20
  /// Connections open at once, over all threads; further ones wait to be accepted.
  public var connectionsMax = 10_000
  /// Handlers running at once, per thread; further requests get 503 at once.
  public var inflightMax = 4_096
  /// From a connection's beginning to its first whole request, and from a later request's first
  /// byte to its last, however slowly it trickles in.
  public var requestDeadline = Duration.seconds(10)
  /// From a request's last byte to its response, on routes that name no `deadline` of their own.
  public var answerDeadline = Duration.seconds(15)
  /// From a response to the next request's first byte, and for reading a response.
  public var keepAliveDeadline = Duration.seconds(75)
  /// If no byte is read or written for this long, although there is something to read or write, the
  /// connection is closed. Streams may be silent for longer.
  public var inactivity = Duration.seconds(30)
  /// Bytes a streaming client may leave unread before it is dropped.
  public var streamBacklogMax = 1 << 20
  /// How long `run()` waits, once cancelled, for requests in progress.
  public var drainGrace = Duration.seconds(10)
  /// Hears the status of each response that the server gives itself, before or instead of a route;
  /// called by the threads that read and write, so it must return quickly.
  public var answeredItself: @Sendable (Int) -> Void = { _ in }
  /// Returns freed memory to the system, on a thread of its own.
  var giveMemoryBack: @Sendable () -> Void = returnFreedMemory

  public init(address: ListenAddress = .tcp(host: "127.0.0.1", port: 8080)) {
    self.address = address
  }
}
