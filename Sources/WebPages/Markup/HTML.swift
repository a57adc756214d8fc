import HTTPServing
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
    bytes = []
    bytes.append(utf8: value)
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

    mutating func appendLiteral(_ literal: StaticString) { bytes.append(utf8: literal) }

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
    // Most texts can simply be copied.
    guard text.withUTF8Span({ $0.hasMarkup }) else {
      self += text.utf8
      return
    }
    for byte in text.utf8 {
      if let reference = byte.reference { append(utf8: reference) } else { append(byte) }
    }
  }
}

extension Span<UInt8> {
  fileprivate var hasMarkup: Bool {
    for place in indices where self[place].reference != nil { return true }
    return false
  }
}

extension UInt8 {
  /// What stands for it in text; `nil`: itself.
  fileprivate var reference: StaticString? {
    switch self {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}
