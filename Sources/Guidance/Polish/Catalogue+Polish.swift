extension Catalogue {
  static let polish = Catalogue(
    titles: PolishTexts.titles, reasons: PolishTexts.reasons, steps: PolishTexts.steps,
    phrases: PolishTexts.phrases, notificationTitles: PolishTexts.notificationTitles,
    notificationBodies: PolishTexts.notificationBodies, causes: PolishTexts.causes,
    actions: PolishTexts.actions,
    appForms: [
      ("aplikacja pracownicza", ""), ("Aplikacja pracownicza", "Aplikacja "),
      ("aplikację pracowniczą", "aplikację "), ("aplikacji pracowniczej", "aplikacji "),
    ])
}

enum PolishTexts {}
