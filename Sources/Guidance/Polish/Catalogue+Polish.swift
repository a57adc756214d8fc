extension Catalogue {
  static let polish = Catalogue(
    titles: PolishTexts.titles, reasons: PolishTexts.reasons, steps: PolishTexts.steps,
    phrases: PolishTexts.phrases, notificationTitles: PolishTexts.notificationTitles,
    notificationBodies: PolishTexts.notificationBodies, actions: PolishTexts.actions)
}

enum PolishTexts {}
