#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Where a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric IPv4 or IPv6 address, the latter without brackets; port 0 takes a free one.
  case tcp(host: String, port: Int)
  /// A socket file. `mode` are its permission bits.
  case unix(path: String, mode: UInt16 = 0o660)

  /// Reads `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/x.sock`.
  public init(parsing text: String) throws(MalformedAddress) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= Self.pathBytesMax else {
        throw MalformedAddress(text: text)
      }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { throw MalformedAddress(text: text) }
    var host = text[..<colon]
    if host.hasPrefix("[") && host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw MalformedAddress(text: text)
    }
    guard isNumericHost(String(host)) else { throw MalformedAddress(text: text) }
    self = .tcp(host: String(host), port: Int(port))
  }

  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path, _): "unix:\(path)"
    }
  }

  /// The capacity of `sockaddr_un` without its final NUL.
  public static let pathBytesMax = 107
}

/// The text is not an address of the form `127.0.0.1:8080`, `[::1]:8080` or `unix:/path`.
public struct MalformedAddress: Error, Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(text: String) { self.text = text }

  public var description: String {
    "`\(text)` is not an address; use `127.0.0.1:8080`, `[::1]:8080` or `unix:/path`"
  }
}

/// Whether it is an IPv4 or IPv6 address, not a name.
private func isNumericHost(_ host: String) -> Bool {
  var (ipv4, ipv6) = (in_addr(), in6_addr())
  return unsafe inet_pton(AF_INET, host, &ipv4) == 1 || inet_pton(AF_INET6, host, &ipv6) == 1
}
