extension Catalogue {
  static let french = Catalogue(
    titles: FrenchTexts.titles, reasons: FrenchTexts.reasons, steps: FrenchTexts.steps,
    phrases: FrenchTexts.phrases, notificationTitles: FrenchTexts.notificationTitles,
    notificationBodies: FrenchTexts.notificationBodies, causes: FrenchTexts.causes,
    actions: FrenchTexts.actions,
    appForms: [("l’app de pointage", ""), ("L’app de pointage", "")])
}

enum FrenchTexts {}
