import Guidance
import Testing

@Suite("Language of a request") struct LanguageTests {
  static let rows: [(fields: [String], language: Language)] = [
    ([], .english), ([""], .english), (["*"], .english),
    (["fr"], .french), (["DE-at"], .german), (["pl_PL"], .polish),
    // The highest weight wins, then the first.
    (["en;q=0.5, fr;q=0.9"], .french), (["fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5"], .french),
    (["de;q=0.8,pl;q=0.8"], .german), (["pl;q=0.8,de;q=0.8"], .polish),
    (["xx, pl;q=0.001"], .polish), (["fr;q=0.1, de;q=0.15, pl;q=0.149"], .german),
    (["fr-CA;q=0.2, de;q=0.5, fr-FR;q=0.9"], .french), (["de;q=0.9, fr"], .french),
    // Several fields are one list.
    (["xx", "de;q=0.3"], .german), (["de;q=0.3", "pl;q=0.4"], .polish),
    // Zero excludes a language, and a star means all the others.
    (["fr;q=0"], .english), (["fr;q=0.000, de;q=0.1"], .german), (["en;q=0, *"], .french),
    (["en;q=0,fr;q=0,*;q=0.5"], .polish), (["*;q=0.5, de;q=0.2"], .english),
    (["de;q=0.6, *;q=0.5"], .german), (["*;q=0, pl"], .polish), (["*;q=0"], .english),
    // Blanks, capitals and empty members.
    (["fr ; q=0.7 ,\tde\t;\tQ=0.8 "], .german), ([",, ,fr,,"], .french),
    (["de;q=1.000, fr;q=1."], .german), (["fr;q=0., de;q=0.1"], .german),
    // Malformed members are skipped, and the rest still counts.
    (["fr;q=1.001, de;q=0.1"], .german), (["fr;q=2, de;q=0.1"], .german),
    (["fr;q=0.1234, de;q=0.1"], .german), (["fr;q=, de;q=0.1"], .german),
    (["fr;q=.5, de;q=0.1"], .german), (["fr;q=0,5, de;q=0.1"], .german),
    (["fr;q=-1, de;q=0.1"], .german), (["fr;q=0.٣, de;q=0.1"], .german),
    (["fr;q=00.5, de;q=0.1"], .german), (["fr;level=1, de;q=0.1"], .german),
    (["fr;q=1;q=1, de;q=0.1"], .german), (["fr;, de;q=0.1"], .german),
    (["f r, de;q=0.1"], .german), (["french, de;q=0.1"], .german), (["français"], .english),
    (["-fr"], .english), (["\u{0}fr"], .english), (["fr\u{301}"], .english),
  ]

  @Test(arguments: rows) func asked(_ row: (fields: [String], language: Language)) {
    #expect(Language(accepting: row.fields) == row.language)
  }

  @Test("Fields longer than any real list are not read")
  func bounded() {
    let padding = String(repeating: "x,", count: 511)
    #expect(Language(accepting: [padding + "fr"]) == .french)
    #expect(Language(accepting: [padding + " fr"]) == .english)
    #expect(Language(accepting: Array(repeating: "fr", count: 100_000)) == .english)
  }

  @Test("Every language has a code that a request may name", arguments: Language.allCases)
  func codes(_ language: Language) {
    #expect(Language(code: language.code) == language)
    #expect(Language(tag: "\(language.code)-XX") == language)
    #expect(Language(accepting: ["\(language.code)-XX"]) == language)
  }
}
