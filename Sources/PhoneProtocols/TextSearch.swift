/// A text to be found in bytes, in a time that depends on their number alone: they come from
/// outside, and a search that starts again behind each partial match can be slowed down.
/// - Source: Knuth, Morris, Pratt, Fast Pattern Matching in Strings, 1977.
struct TextSearch {
  private let text: [UInt8]
  /// For each prefix of `text`, the length of the longest shorter one that it ends with.
  private let borders: [Int]

  init(for text: String) {
    self.text = Array(text.utf8)
    var borders: [Int] = []
    var length = 0
    for (place, byte) in self.text.enumerated() {
      while length > 0, byte != self.text[length] { length = borders[length - 1] }
      if place > 0, byte == self.text[length] { length += 1 }
      borders.append(length)
    }
    self.borders = borders
  }

  /// `bytes` with `replacement` wherever the text is. An empty text is nowhere.
  func replaced(in bytes: [UInt8], by replacement: String) -> [UInt8] {
    guard !text.isEmpty else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var matched = 0
    for byte in bytes {
      while matched > 0, byte != text[matched] { matched = borders[matched - 1] }
      if byte == text[matched] { matched += 1 }
      result.append(byte)
      guard matched == text.count else { continue }
      result.removeLast(matched)
      result += replacement.utf8
      matched = 0
    }
    return result
  }
}
