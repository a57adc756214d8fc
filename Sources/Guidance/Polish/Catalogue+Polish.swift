extension Catalogue {
  /// Polish. The tables are in the files next to this one.
  static let polish = Catalogue(
    titles: PolishTexts.titles, reasons: PolishTexts.reasons, steps: PolishTexts.steps,
    phrases: PolishTexts.phrases, notificationTitles: PolishTexts.notificationTitles,
    notificationBodies: PolishTexts.notificationBodies, actions: PolishTexts.actions)
}

/// The tables of the Polish catalogue.
enum PolishTexts {}
