extension Catalogue {
  /// German. The tables stand in the files beside this one.
  static let german = Catalogue(
    titles: GermanTexts.titles, reasons: GermanTexts.reasons, steps: GermanTexts.steps,
    phrases: GermanTexts.phrases, noticeTitles: GermanTexts.noticeTitles,
    noticeBodies: GermanTexts.noticeBodies, actions: GermanTexts.actions)
}

/// The tables of the German catalogue.
enum GermanTexts {}
