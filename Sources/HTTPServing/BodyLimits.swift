struct BodyLimits: Sendable {
  /// Bytes, wherever nothing else is said.
  let usual: Int
  /// Bytes of a body that are read without authentication; longer bodies need it first.
  let unasked: Int
  /// Bytes of what is posted to these very paths; over the usual. A handful, looked through for
  /// every request without making a string of its path.
  private let long: [(path: [UInt8], max: Int)]

  init(usual: Int, long: [String: Int] = [:]) {
    self.usual = usual
    unasked = min(usual, Route.unaskedBodyMax)
    self.long = long.filter { $0.value > usual }.map { (Array($0.key.utf8), $0.value) }
  }

  /// - Parameter target: Where `bytes` hold the path and what follows it, as sent.
  func max(of method: HTTPMethod, to target: Range<Int>, of bytes: Span<UInt8>) -> Int {
    guard method == .post, !long.isEmpty else { return usual }
    let end = bytes.place(of: UInt8(ascii: "?"), in: target) ?? target.upperBound
    for (path, max) in long where bytes.holds(path, at: target.lowerBound..<end) { return max }
    return usual
  }
}
