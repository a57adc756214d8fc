extension Catalogue {
  /// French. The tables stand in the files beside this one.
  static let french = Catalogue(
    titles: FrenchTexts.titles, reasons: FrenchTexts.reasons, steps: FrenchTexts.steps,
    phrases: FrenchTexts.phrases, noticeTitles: FrenchTexts.noticeTitles,
    noticeBodies: FrenchTexts.noticeBodies, actions: FrenchTexts.actions)
}

/// The tables of the French catalogue.
enum FrenchTexts {}
