import GuardRules

extension GermanTexts {
  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Aufgezeichnete Zeit",
    .onBreak: "Pause",
    .restricted: "Standort von der Administration gesperrt",
    .servicesOff: "Standort ausgeschaltet",
    .denied: "Standortzugriff abgelehnt",
    .notDetermined: "Standort noch nicht erlaubt",
    .appTerminated: "App wurde geschlossen",
    .serviceUnavailable: "Ausfall des Dienstes",
    .waitingFirstFix: "Warten auf die erste Position",
    .resuming: "Wiederaufnahme",
    .noFix: "Keine Position",
    .noContact: "Kein Kontakt",
    .mockLocation: "Simulierter Standort",
    .lowAccuracy: "Position zu ungenau",
    .pageHidden: "Seite nicht sichtbar",
    .notAsked: "Telefon nicht zur Ortung aufgefordert",
  ]
}
