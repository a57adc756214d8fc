extension Catalogue {
  /// French. The tables are in the files next to this one.
  static let french = Catalogue(
    titles: FrenchTexts.titles, reasons: FrenchTexts.reasons, steps: FrenchTexts.steps,
    phrases: FrenchTexts.phrases, noticeTitles: FrenchTexts.noticeTitles,
    noticeBodies: FrenchTexts.noticeBodies, actions: FrenchTexts.actions)
}

/// The tables of the French catalogue.
enum FrenchTexts {}
