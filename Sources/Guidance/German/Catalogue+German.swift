extension Catalogue {
  /// German. The tables are in the files next to this one.
  static let german = Catalogue(
    titles: GermanTexts.titles, reasons: GermanTexts.reasons, steps: GermanTexts.steps,
    phrases: GermanTexts.phrases, notificationTitles: GermanTexts.notificationTitles,
    notificationBodies: GermanTexts.notificationBodies, actions: GermanTexts.actions)
}

/// The tables of the German catalogue.
enum GermanTexts {}
