// Words and lines within bytes that were received. None of these makes a copy.
extension Span<UInt8> {
  /// Where `byte` comes first within `range`.
  func place(of byte: UInt8, in range: Range<Int>) -> Int? {
    for place in range where self[place] == byte { return place }
    return nil
  }

  /// Whether these bytes are at `range`, and nothing else.
  func holds(_ bytes: [UInt8], at range: Range<Int>) -> Bool {
    guard range.count == bytes.count else { return false }
    for place in range where self[place] != bytes[place - range.lowerBound] { return false }
    return true
  }

  /// Whether `word` is at `range`, and nothing else.
  func holds(_ word: String, at range: Range<Int>) -> Bool {
    guard range.count == word.utf8.count else { return false }
    var place = range.lowerBound
    for byte in word.utf8 {
      guard self[place] == byte else { return false }
      place += 1
    }
    return true
  }

  /// Whether `word`, which is in lower case, is at `range` in any case, and nothing else.
  func isWord(_ word: String, at range: Range<Int>) -> Bool {
    guard range.count == word.utf8.count else { return false }
    var place = range.lowerBound
    for byte in word.utf8 {
      guard self[place].lowercased == byte else { return false }
      place += 1
    }
    return true
  }

  /// `range` without the spaces and tabs at both of its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// The text at `range`; what is not UTF-8 becomes U+FFFD.
  func text(_ range: Range<Int>) -> String {
    unsafe extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Appends what a span holds.
  mutating func append(_ bytes: Span<UInt8>) {
    // Swift's empty arrays share one header, and appending nothing may write its count there: a
    // race between loops, though always of zeros.
    guard !bytes.isEmpty else { return }
    unsafe bytes.withUnsafeBufferPointer { unsafe self.append(contentsOf: $0) }
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// RFC 9110, 5.6.2: what a method or a header name may be made of, letters, digits and
  /// ``!#$%&'*+-.^_`|~``. One bit for each ASCII character.
  var isTokenByte: Bool {
    let bits: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 128 && bits >> UInt64(self & 63) & 1 == 1
  }

  /// RFC 9110, 5.5: anything but control characters; tab is allowed.
  var isValueByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
