internal import Glibc
internal import SystemCalls

@safe struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  /// `nil` if the host is not a numeric address, the port invalid or the path too long.
  init?(_ address: ListenAddress) {
    switch address {
    case .tcp(let host, let port):
      guard let port = UInt16(exactly: port) else { return nil }
      var ipv4 = sockaddr_in()
      var ipv6 = sockaddr_in6()
      if unsafe inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 {
        ipv4.sin_family = sa_family_t(AF_INET)
        ipv4.sin_port = port.bigEndian
        length = Self.store(ipv4, in: &storage)
      } else if unsafe inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 {
        ipv6.sin6_family = sa_family_t(AF_INET6)
        ipv6.sin6_port = port.bigEndian
        length = Self.store(ipv6, in: &storage)
      } else {
        return nil
      }
    case .unix(let path, _):
      guard path.utf8.count <= ListenAddress.pathBytesMax, !path.utf8.contains(0) else {
        return nil
      }
      var unix = sockaddr_un()
      unix.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &unix.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      length = Self.store(unix, in: &storage)
    }
  }

  /// The address `descriptor` is bound to, or `nil`.
  init?(boundTo descriptor: Int32) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var length = length
    let result = unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
    }
    guard result == 0 else { return nil }
    self.length = length
  }

  /// Room for an address.
  init() { length = socklen_t(MemoryLayout<sockaddr_storage>.size) }

  /// Accepts a connection that does not block, and becomes the address of its peer.
  /// - Returns: Its descriptor; negative if there is none, as `errno` tells.
  mutating func accept(on listening: Int32) -> Int32 {
    var length = length
    let descriptor = unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe Glibc.accept(
        listening, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
    }
    guard descriptor >= 0 else { return descriptor }
    self.length = length
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  /// The numeric IP address, or `nil` for a Unix socket.
  var host: String? {
    guard family != AF_UNIX else { return nil }
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = unsafe with {
      unsafe getnameinfo($0, $1, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
    }
    guard result == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The TCP port, or `nil` for a Unix socket.
  var port: Int? {
    guard family != AF_UNIX else { return nil }
    // IPv4 and IPv6 have the port at the same place.
    return unsafe withUnsafeBytes(of: storage) {
      unsafe Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)))
    }
  }

  func with<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
    unsafe withUnsafeBytes(of: storage) {
      unsafe body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
    }
  }

  private static func store<Address>(
    _ address: Address, in storage: inout sockaddr_storage
  ) -> socklen_t {
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.storeBytes(of: address, as: Address.self)
    }
    return socklen_t(MemoryLayout<Address>.size)
  }
}
