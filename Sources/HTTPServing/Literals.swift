extension [UInt8] {
  /// Adds the bytes of `literal`, without a String of them, which would be made each time.
  public mutating func append(utf8 literal: StaticString) {
    literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
