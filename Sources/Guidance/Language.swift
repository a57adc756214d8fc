import ShiftDomain

package enum Language: UInt8, Coded {
  case english = 0
  case french = 1
  case polish = 2
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

  /// Its name in itself, for those who choose it, and in English.
  package var names: (own: String, english: String) {
    switch self {
    case .english: ("English", "English")
    case .french: ("Français", "French")
    case .polish: ("Polski", "Polish")
    case .german: ("Deutsch", "German")
    }
  }

  /// The language of a tag such as `en-GB` or `pl_PL`; English if there is no catalogue for it.
  package init(tag: String?) {
    self = Language(code: Self.primary(of: (tag ?? "")[...])) ?? .english
  }

  static func primary(of tag: Substring) -> String {
    tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}

func catalogue(of language: Language) -> Catalogue {
  switch language {
  case .english: .english
  case .french: .french
  case .polish: .polish
  case .german: .german
  }
}
