import Glibc

package enum Reach: Hashable, Sendable {
  /// Every address, through the proxy of the environment if there is one.
  case anywhere
  /// For URLs that others gave us: over TLS to port 443 of public addresses; `besides`, to any port
  /// of these ranges, and in plain text too. Judged is the address at the moment it is connected
  /// to, whatever a name meant before. Proxies are not asked.
  case publicAddresses(besides: [AddressRange])

  func allows(_ address: SocketAddress, isEncrypted: Bool) -> Bool {
    guard case .publicAddresses(let exceptions) = self else { return true }
    if exceptions.contains(where: { $0.contains(address.bytes) }) { return true }
    return isEncrypted && address.port == 443 && isPublic(address.bytes)
  }
}

struct SocketAddress: Hashable, Sendable {
  /// 4 bytes, or 16; none for other families.
  var bytes: [UInt8]
  var port: UInt16

  init(family: Int32, bytes raw: [UInt8]) {
    let place: Range<Int>? =
      switch family {
      case AF_INET: 4..<8
      case AF_INET6: 8..<24
      default: nil
      }
    guard let place, raw.count >= place.upperBound else {
      bytes = []
      port = 0
      return
    }
    bytes = Array(raw[place])
    port = UInt16(raw[2]) << 8 | UInt16(raw[3])
  }
}

/// A range of addresses, such as `10.0.0.0/8` or `fd00::/8`.
package struct AddressRange: Hashable, Sendable {
  private let prefix: [UInt8]
  private let bits: Int

  /// Reads a range, or one address without a slash; `nil` if it is invalid.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = Self.bytes(String(parts[0])) else { return nil }
    let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
    guard let bits, (0...bytes.count * 8).contains(bits) else { return nil }
    prefix = bytes
    self.bits = bits
  }

  /// Whether `address`, of 4 or 16 bytes, is in the range. IPv4 within IPv6 is IPv6.
  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == prefix.count else { return false }
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
    guard address.prefix(whole) == prefix.prefix(whole) else { return false }
    return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0
  }

  /// The 4 or 16 bytes of an address as text, or `nil` if it is invalid.
  static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}

/// IPv4 ranges that are not, or should not be, reached over the internet.
/// - Source: https://www.iana.org/assignments/iana-ipv4-special-registry
private let specialRangesV4 = [
  "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
  "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
  "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
].compactMap { AddressRange($0) }

/// IPv6 ranges that are reached over the internet, and special ones in them: tunnels, which hide an
/// IPv4 address, and documentation.
/// - Source: https://www.iana.org/assignments/iana-ipv6-special-registry
private let publicRangeV6 = AddressRange("2000::/3")
private let specialRangesV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
  .compactMap { AddressRange($0) }

/// Whether `address`, of 4 or 16 bytes, is public.
private func isPublic(_ address: [UInt8]) -> Bool {
  switch address.count {
  case 4: !specialRangesV4.contains { $0.contains(address) }
  case 16:
    publicRangeV6?.contains(address) == true && !specialRangesV6.contains { $0.contains(address) }
  default: false
  }
}
