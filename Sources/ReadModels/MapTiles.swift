/// Where a map's pictures come from.
package struct MapTiles: Hashable, Sendable {
  /// A URL with `{z}`, `{x}` and `{y}` in it.
  package var template: String
  package var attribution: String
  /// Scheme and host of `template`: the only other origin that a browser may load from.
  package let origin: String

  /// `nil` if the template is not an `http` or `https` URL with the three placeholders.
  package init?(template: String, attribution: String) {
    let scheme = ["https://", "http://"].first { template.hasPrefix($0) }
    guard let scheme, ["{z}", "{x}", "{y}"].allSatisfy({ template.contains($0) }) else {
      return nil
    }
    let host = template.dropFirst(scheme.count).prefix { $0 != "/" }
    let allowed = { (byte: UInt8) in
      byte < 0x80
        && (Unicode.Scalar(byte).properties.isAlphabetic || ".:-0123456789".utf8.contains(byte))
    }
    guard !host.isEmpty, host.utf8.allSatisfy(allowed) else { return nil }
    self.template = template
    self.attribution = attribution
    origin = scheme + host
  }
}
