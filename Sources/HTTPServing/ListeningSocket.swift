internal import Glibc
internal import Lifecycle
internal import SystemCalls

final class ListeningSocket: Sendable {
  let port: Int?
  private let open: Lock<Int32?>
  private let ownedPath: String?

  private static let backlog: Int32 = 1024

  private init(descriptor: Int32, ownedPath: String?) {
    port = SocketAddress(boundTo: descriptor)?.port
    open = Lock(descriptor)
    self.ownedPath = ownedPath
  }

  deinit { close() }

  /// The open socket, or `nil` after `close()`.
  var descriptor: Int32? { open.withLock { $0 } }

  /// Refuses connections from now on. Those not yet accepted are reset.
  func close() {
    open.withLock { descriptor in
      guard let open = descriptor else { return }
      Glibc.close(open)
      if let ownedPath { unsafe unlink(ownedPath) }
      descriptor = nil
    }
  }

  /// `count` sockets for `count` threads. Each TCP thread has its own, and the kernel spreads the
  /// connections; threads share a Unix socket's queue.
  static func listen(
    on address: ListenAddress, count: Int
  ) throws(ServingError) -> [ListeningSocket] {
    switch address {
    case .tcp(let host, let port):
      // SO_REUSEPORT would let a second server of the same user take half of the connections
      // silently, so bind first without it.
      if port != 0 { _ = try bind(address, options: [SO_REUSEADDR]) }
      var sockets: [ListeningSocket] = []
      for _ in 0..<count {
        let place = ListenAddress.tcp(host: host, port: sockets.first?.port ?? port)
        let socket = try bind(place, options: [SO_REUSEADDR, SO_REUSEPORT])
        try socket.startListening(address)
        sockets.append(socket)
      }
      return sockets
    case .unix(let path, _):
      try removeStaleSocket(at: path, address)
      let first = try bind(address, options: [])
      try first.startListening(address)
      var sockets = [first]
      while sockets.count < count {
        let copy = first.descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
        guard copy >= 0 else { throw failure(at: address) }
        sockets.append(ListeningSocket(descriptor: copy, ownedPath: nil))
      }
      return sockets
    }
  }

  private static func bind(
    _ address: ListenAddress, options: [Int32]
  ) throws(ServingError) -> ListeningSocket {
    guard let place = SocketAddress(address) else {
      throw .cannotListen(address, detail: "it is no numeric address")
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(place.family, kind, 0)
    guard descriptor >= 0 else { throw failure(at: address) }
    var on: Int32 = 1
    for option in options {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    if place.family == AF_INET6 {
      // `[::]` means IPv6 alone, whatever the system's default.
      unsafe setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    // Before the file exists, so that there is no moment in which others may connect.
    if case .unix(_, let mode) = address { fchmod(descriptor, mode_t(mode)) }
    guard unsafe place.with({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
      let error = failure(at: address)
      Glibc.close(descriptor)
      throw error
    }
    guard case .unix(let path, let mode) = address else {
      return ListeningSocket(descriptor: descriptor, ownedPath: nil)
    }
    unsafe chmod(path, mode_t(mode))  // gives back what the umask took
    return ListeningSocket(descriptor: descriptor, ownedPath: path)
  }

  private func startListening(_ address: ListenAddress) throws(ServingError) {
    guard let descriptor, Glibc.listen(descriptor, Self.backlog) == 0 else {
      throw Self.failure(at: address)
    }
  }

  /// Removes a killed server's socket file; leaves one that is answered, and other files.
  private static func removeStaleSocket(
    at path: String, _ address: ListenAddress
  ) throws(ServingError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, let place = SocketAddress(address) else {
      throw .cannotListen(address, detail: "the file is not a socket")
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let probe = socket(AF_UNIX, kind, 0)
    guard probe >= 0 else { throw failure(at: address) }
    defer { Glibc.close(probe) }
    let answered = unsafe place.with { unsafe connect(probe, $0, $1) == 0 }
    guard !answered, errno == ECONNREFUSED else { throw .addressInUse(address) }
    unsafe unlink(path)
  }

  /// The error from `errno`; to be read right after the failing call.
  private static func failure(at address: ListenAddress) -> ServingError {
    let code = errno
    guard code != EADDRINUSE else { return .addressInUse(address) }
    return .cannotListen(address, detail: unsafe String(cString: strerror(code)))
  }
}
