import CLibcurl
import Glibc

/// Opens the sockets of one transfer, if their addresses are allowed.
@safe final class SocketGuard {
  private let reach: Reach
  private let isEncrypted: Bool
  private(set) var refused = 0
  private(set) var opened = 0

  /// After this long without an acknowledgement a dead connection must not be reused.
  private static let silenceMax: Int32 = 20_000

  init(_ reach: Reach, isEncrypted: Bool) {
    self.reach = reach
    self.isEncrypted = isEncrypted
  }

  /// Makes libcurl ask `self`, which must live as long as the transfer does.
  func attach(to handle: UnsafeMutableRawPointer) {
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sg_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, me)
    unsafe sg_curl_set_open_socket(handle) { me, _, address in
      guard let me = unsafe me, let address = unsafe address else { return CURL_SOCKET_BAD }
      return unsafe Unmanaged<SocketGuard>.fromOpaque(me).takeUnretainedValue().open(address)
    }
  }

  private func open(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let family = unsafe wanted.pointee.family
    // The address is longer than the type of its field: libcurl gives as many bytes as it says.
    guard let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
      return CURL_SOCKET_BAD
    }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(wanted) + start, count: Int(wanted.pointee.addrlen))
    let address = unsafe SocketAddress(family: family, bytes: Array(bytes))
    guard reach.allows(address, isEncrypted: isEncrypted) else {
      refused += 1
      return CURL_SOCKET_BAD
    }
    opened += 1
    let type = unsafe wanted.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let socket = socket(family, type, unsafe wanted.pointee.protocol)
    if family == AF_INET || family == AF_INET6 {
      var silence = Self.silenceMax
      unsafe setsockopt(
        socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &silence,
        socklen_t(MemoryLayout<Int32>.size))
    }
    return socket
  }
}
