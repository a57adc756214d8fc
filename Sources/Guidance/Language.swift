import ShiftDomain

/// A language that has a catalogue.
package enum Language: UInt8, Coded {
  /// English.
  case english = 0
  /// French.
  case french = 1
  /// Polish.
  case polish = 2
  /// German.
  case german = 3

  /// Its ISO 639-1 code.
  package var code: String {
    switch self {
    case .english: "en"
    case .french: "fr"
    case .polish: "pl"
    case .german: "de"
    }
  }

  /// The language of a tag such as `en-GB` or `pl_PL`; English if there is no catalogue.
  /// - Parameter tag: The device's language; any text, or `nil` if unknown.
  package init(tag: String?) {
    self = Language(code: Self.primary(of: (tag ?? "")[...])) ?? .english
  }

  /// The part of a tag before the first hyphen or underscore, in lower case.
  static func primary(of tag: Substring) -> String {
    tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}

/// The catalogue of `language`.
func catalogue(of language: Language) -> Catalogue {
  switch language {
  case .english: .english
  case .french: .french
  case .polish: .polish
  case .german: .german
  }
}
