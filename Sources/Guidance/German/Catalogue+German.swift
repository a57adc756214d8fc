extension Catalogue {
  static let german = Catalogue(
    titles: GermanTexts.titles, reasons: GermanTexts.reasons, steps: GermanTexts.steps,
    phrases: GermanTexts.phrases, notificationTitles: GermanTexts.notificationTitles,
    notificationBodies: GermanTexts.notificationBodies, causes: GermanTexts.causes,
    actions: GermanTexts.actions,
    appForms: [("zur Schicht-App", "zu "), ("die Schicht-App", ""), ("Die Schicht-App", "")])
}

enum GermanTexts {}
