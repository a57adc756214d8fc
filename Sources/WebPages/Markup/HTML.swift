import ShiftDomain

/// A piece of a page. Literals are markup; interpolated text is escaped, so that no name can become
/// markup. Text from outside cannot be turned into markup.
///
/// Interpolated text may stand between tags and within quotes. In an attribute without quotes only
/// a number may stand.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  private(set) var bytes: [UInt8]

  init() { bytes = [] }

  init(stringLiteral value: StaticString) {
    bytes = Array(value.description.utf8)
  }

  init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

  mutating func append(_ other: HTML) { bytes += other.bytes }

  static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum.append(right)
    return sum
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      bytes += literal.description.utf8
    }

    mutating func appendInterpolation(_ text: String) { bytes.append(escaping: text) }

    mutating func appendInterpolation(_ text: String?) {
      if let text { bytes.append(escaping: text) }
    }

    /// Text in which backticks enclose code.
    mutating func appendInterpolation(code text: some StringProtocol) {
      let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
      for (place, piece) in pieces.enumerated() {
        let isInside = place % 2 == 1
        let isClosed = place < pieces.count - 1
        if isInside { bytes += isClosed ? "<code>".utf8 : "`".utf8 }
        bytes.append(escaping: String(piece))
        if isInside, isClosed { bytes += "</code>".utf8 }
      }
    }

    mutating func appendInterpolation(_ number: some BinaryInteger) {
      bytes += String(number).utf8
    }

    mutating func appendInterpolation(_ html: HTML) { bytes += html.bytes }

    mutating func appendInterpolation(_ html: HTML?) {
      if let html { bytes += html.bytes }
    }

    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { bytes += piece.bytes }
    }

    mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { bytes += html.bytes }
    }
  }
}

extension HTML {
  /// The options of a `select`.
  /// - Parameter chosen: The code of the one that is selected.
  static func options<Choice: Coded>(
    _ choices: [Choice], chosen: String? = nil, name: (Choice) -> HTML
  ) -> [HTML] {
    choices.map { choice in
      let isChosen = choice.code == chosen
      return "<option value=\"\(choice.code)\"\(" selected", if: isChosen)>\(name(choice))"
    }
  }
}

extension [UInt8] {
  /// Adds `text` as it may stand between tags and within either kind of quotes.
  fileprivate mutating func append(escaping text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): self += "&amp;".utf8
      case UInt8(ascii: "<"): self += "&lt;".utf8
      case UInt8(ascii: ">"): self += "&gt;".utf8
      case UInt8(ascii: "\""): self += "&quot;".utf8
      case UInt8(ascii: "'"): self += "&#39;".utf8
      default: append(byte)
      }
    }
  }
}
