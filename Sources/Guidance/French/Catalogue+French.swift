extension Catalogue {
  /// French. The tables are in the files next to this one.
  static let french = Catalogue(
    titles: FrenchTexts.titles, reasons: FrenchTexts.reasons, steps: FrenchTexts.steps,
    phrases: FrenchTexts.phrases, notificationTitles: FrenchTexts.notificationTitles,
    notificationBodies: FrenchTexts.notificationBodies, actions: FrenchTexts.actions)
}

/// The tables of the French catalogue.
enum FrenchTexts {}
