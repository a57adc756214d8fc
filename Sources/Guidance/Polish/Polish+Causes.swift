import GuardRules

extension PolishTexts {
  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Czas zarejestrowany",
    .onBreak: "Przerwa",
    .restricted: "Lokalizacja zablokowana przez administratora",
    .servicesOff: "Lokalizacja wyłączona",
    .denied: "Brak dostępu do lokalizacji",
    .notDetermined: "Lokalizacja jeszcze niedozwolona",
    .appTerminated: "Aplikacja zamknięta",
    .serviceUnavailable: "Awaria usługi",
    .waitingFirstFix: "Oczekiwanie na pierwszą pozycję",
    .resuming: "Wznawianie",
    .noFix: "Brak pozycji",
    .noContact: "Brak kontaktu",
    .mockLocation: "Symulowana lokalizacja",
    .lowAccuracy: "Pozycja zbyt niedokładna",
    .pageHidden: "Strona ukryta",
    .notAsked: "Telefon bez wezwania do zapisu",
  ]
}
