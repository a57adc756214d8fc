extension Catalogue {
  static let english = Catalogue(
    titles: EnglishTexts.titles, reasons: EnglishTexts.reasons, steps: EnglishTexts.steps,
    phrases: EnglishTexts.phrases, notificationTitles: EnglishTexts.notificationTitles,
    notificationBodies: EnglishTexts.notificationBodies, causes: EnglishTexts.causes,
    actions: EnglishTexts.actions,
    appForms: [("the shift app", ""), ("The shift app", "")])
}

enum EnglishTexts {}
