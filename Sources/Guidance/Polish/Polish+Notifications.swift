import ShiftDomain

extension PolishTexts {
  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Lokalizacja została zablokowana na Twoim telefonie",
    .denied: "Dostęp do lokalizacji jest wyłączony",
    .notDetermined: "Zezwól ponownie na lokalizację",
    .whenInUse: "Zapis lokalizacji może ustawać w tle",
    .servicesOff: "Lokalizacja jest wyłączona na Twoim telefonie",
    .accuracyReduced: "Lokalizacja jest tylko przybliżona",
    .noContact: "Brak kontaktu z Twoim telefonem",
    .noFix: "Twój telefon nie ma pozycji",
    .appTerminated: "Aplikacja pracownicza została zamknięta",
    .mockLocation: "Pozycje z Twojego telefonu wyglądają na symulowane",
  ]

  static let notificationBodies: Texts<IncidentKind> = [
    .restricted:
      "Twoja zmiana trwa, ale zapis lokalizacji jest wstrzymany, dopóki administrator na nią nie "
      + "zezwoli.",
    .denied:
      "Twoja zmiana trwa, ale zapis lokalizacji jest wstrzymany do czasu ponownego zezwolenia.",
    .notDetermined:
      "Wcześniejsza zgoda „Pozwól raz” mogła sama wygasnąć. Twoja zmiana trwa; telefon zapyta "
      + "ponownie w aplikacji.",
    .whenInUse:
      "Lokalizacja jest teraz dozwolona tylko podczas używania aplikacji. Twoja zmiana trwa, ale "
      + "jej części może zabraknąć.",
    .servicesOff:
      "To przełącznik całego telefonu. Twoja zmiana trwa, ale zapis lokalizacji jest wstrzymany, "
      + "dopóki nie zostanie on włączony.",
    .accuracyReduced:
      "Pozycje mogą odbiegać o kilometry. Twoja zmiana trwa, ale może wyglądać na niepełną.",
    .noContact:
      "Telefon może być bez połączenia, wyłączony lub oszczędzać energię. Twoja zmiana trwa; "
      + "często wystarczy otworzyć aplikację.",
    .noFix:
      "Aplikacja działa, ale nie znajduje pozycji. Twoja zmiana trwa; często pomaga odsłonięte "
      + "niebo.",
    .appTerminated:
      "Twoja zmiana trwa, ale zapis lokalizacji jest wstrzymany, dopóki aplikacja nie zostanie "
      + "otwarta.",
    .mockLocation:
      "Przyczyną może być inna aplikacja lub opcja programisty. Twoja zmiana trwa; zwykle pomaga "
      + "zamknięcie tej aplikacji.",
  ]

  static let actions: Texts<ActionCode> = [
    .none: "OK",
    .requestPermission: "Zezwól na lokalizację",
    .openAppSettings: "Otwórz ustawienia",
    .openLocationSettings: "Włącz lokalizację",
    .openNotificationSettings: "Ustawienia powiadomień",
    .openBatterySettings: "Ustawienia baterii",
    .contactAdministrator: "Kto może pomóc",
    .sendReport: "Sprawdź ponownie",
    .sendFix: "Wyślij pozycję",
    .checkClock: "Sprawdź zegar",
    .openApp: "Otwórz aplikację",
    .followSteps: "Pokaż kroki",
    .takeOver: "Użyj tego telefonu",
  ]
}
