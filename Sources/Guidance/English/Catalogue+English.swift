extension Catalogue {
  /// English. The tables are in the files next to this one.
  static let english = Catalogue(
    titles: EnglishTexts.titles, reasons: EnglishTexts.reasons, steps: EnglishTexts.steps,
    phrases: EnglishTexts.phrases, notificationTitles: EnglishTexts.notificationTitles,
    notificationBodies: EnglishTexts.notificationBodies, actions: EnglishTexts.actions)
}

/// The tables of the English catalogue.
enum EnglishTexts {}
