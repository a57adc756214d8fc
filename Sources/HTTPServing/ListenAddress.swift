public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric IPv4 or IPv6 address, the latter without brackets; port 0 takes a free one.
  case tcp(host: String, port: Int)
  /// A socket file. `mode` are its permission bits.
  case unix(path: String, mode: UInt16 = 0o660)

  /// Reads `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/x.sock`.
  public init(parsing text: String) throws(ServingError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= Self.pathBytesMax else {
        throw .badAddress(text)
      }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { throw .badAddress(text) }
    var host = text[..<colon]
    if host.hasPrefix("[") && host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw .badAddress(text)
    }
    let address = Self.tcp(host: String(host), port: Int(port))
    guard SocketAddress(address) != nil else { throw .badAddress(text) }
    self = address
  }

  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path, _): "unix:\(path)"
    }
  }

  /// The capacity of `sockaddr_un` without its final NUL.
  static let pathBytesMax = 107
}
