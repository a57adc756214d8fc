extension Language {
  /// The language with a catalogue that a request prefers; English if there is none. As in RFC
  /// 9110, 12.5.4: of equal weights, the first one wins, and `*` stands for all languages that are
  /// not named. `fr-CA` also accepts `fr`. Ranges with an invalid weight are ignored, and so is a
  /// field of more than 1,024 bytes.
  package init(accepting fields: [String]) { self = Language(preferredOf: fields) ?? .english }

  /// As in `init(accepting:)`, but `nil` if no language with a catalogue is accepted.
  package init?(preferredOf fields: [String]) {
    let field = fields.joined(separator: ",")
    let ranges =
      field.utf8.count > 1_024 ? [] : field.split(separator: ",").compactMap { WeightedRange($0) }
    var best: (language: Language?, weight: Int, place: Int) = (nil, 0, .max)
    for language in Language.allCases {
      let named = ranges.indices.filter { ranges[$0].primary == language.code }
      let places = named.isEmpty ? ranges.indices.filter { ranges[$0].primary == "*" } : named
      for place in places {
        let weight = ranges[place].thousandths
        if weight > best.weight || weight == best.weight && weight > 0 && place < best.place {
          best = (language, weight, place)
        }
      }
    }
    guard let language = best.language else { return nil }
    self = language
  }

  /// One range with its weight, such as `fr-CA;q=0.8`.
  private struct WeightedRange {
    /// The part before the first hyphen, in lower case; or `*`.
    var primary: String
    /// The weight, from 0 (not accepted) to 1,000.
    var thousandths: Int

    init?(_ text: Substring) {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
      guard let tag = parts.first, parts.count <= 2,
        let thousandths = parts.count == 1 ? 1_000 : Self.thousandths(of: parts[1])
      else { return nil }
      primary = Language.primary(of: tag)
      self.thousandths = thousandths
    }

    /// The weight in a text such as `q=0.8`: 0 or 1, then at most three decimal digits.
    private static func thousandths(of text: Substring) -> Int? {
      guard text.lowercased().hasPrefix("q=") else { return nil }
      let number = text.dropFirst(2)
      let fraction = number.dropFirst(2)
      guard let whole = number.first, whole == "0" || whole == "1",
        number.count == 1 || number.dropFirst().first == ".",
        fraction.count <= 3, fraction.allSatisfy({ ("0"..."9").contains($0) }),
        let behind = Int(fraction + String(repeating: "0", count: 3 - fraction.count))
      else { return nil }
      let thousandths = (whole == "1" ? 1_000 : 0) + behind
      return thousandths <= 1_000 ? thousandths : nil
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
    return self[...last].drop(while: isBlank)
  }
}
