import ShiftDomain

extension PolishTexts {
  static let titles: Texts<Finding> = [
    .restricted: "Lokalizacja jest zablokowana na tym telefonie",
    .servicesOff: "Lokalizacja jest wyłączona na tym urządzeniu",
    .denied: "Dostęp do lokalizacji jest wyłączony",
    .notDetermined: "Zezwól na lokalizację podczas zmiany",
    .unreadable: "Nie udało się odczytać ustawienia lokalizacji",
    .noReport: "Nie mamy jeszcze wiadomości od Twojego telefonu",
    .staleReport: "Potrzebne jest nowe sprawdzenie telefonu",
    .cannotReport: "Sprawdź ustawienie lokalizacji samodzielnie",
    .cannotReportNoFix: "Potrzebna jest aktualna pozycja",
    .accuracyReduced: "Lokalizacja jest tylko przybliżona",
    .whenInUse: "Lokalizacja działa tylko podczas używania aplikacji",
    .servicesUnknown: "Czy lokalizacja jest włączona?",
    .alwaysUnproven: "Telefon może jeszcze raz zapytać o lokalizację",
    .batteryOptimised: "Oszczędzanie baterii może wstrzymać aplikację",
    .backgroundRefreshOff: "Odświeżanie w tle jest wyłączone",
    .powerSave: "Oszczędzanie energii jest włączone",
    .notificationsOff: "Powiadomienia są wyłączone",
    .clockWrong: "Zegar telefonu wydaje się błędny",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Lokalizacją zarządza tu administrator lub kontrola rodzicielska i tylko tam można na nią "
      + "zezwolić.",
    .servicesOff:
      "To przełącznik całego urządzenia: gdy jest wyłączony, nie można rejestrować zmiany.",
    .denied: "Bez lokalizacji nie można rejestrować zmiany.",
    .notDetermined:
      "Telefon jeszcze nie zapytał albo wcześniejsza zgoda „Pozwól raz” sama wygasła.",
    .unreadable: "Aplikacja wysłała ustawienie, którego nie znamy, a wolimy nie zgadywać.",
    .noReport: "Nie wiemy jeszcze, czy Twoją zmianę można rejestrować.",
    .staleReport:
      "Ostatnie sprawdzenie było jakiś czas temu, a ustawienia mogły się od tego czasu zmienić.",
    .cannotReport: "Twoja aplikacja wysyła pozycje, ale nie może podać swojego uprawnienia.",
    .cannotReportNoFix:
      "Twoja aplikacja nie może podać swojego uprawnienia; świeża pozycja pokaże, że wszystko "
      + "działa.",
    .accuracyReduced:
      "Pozycje mogą odbiegać o kilometry, więc Twoja zmiana może wyglądać na niepełną.",
    .whenInUse:
      "Zapis lokalizacji może ustać w tle, przy wyłączonym ekranie lub gdy otwarta jest inna "
      + "aplikacja.",
    .servicesUnknown:
      "Urządzenie nam tego nie podało, a przy wyłączonej lokalizacji nie można rejestrować zmiany.",
    .alwaysUnproven:
      "Wybrane jest „Zawsze”, a telefon może jeszcze raz zapytać, czy ma tak zostać.",
    .batteryOptimised:
      "Aby oszczędzać energię, telefon może zatrzymać aplikację w kieszeni i tej części zmiany "
      + "zabraknie.",
    .backgroundRefreshOff:
      "Zapis lokalizacji trwa, ale telefon może z opóźnieniem powiadomić, że coś trzeba naprawić.",
    .powerSave: "Gdy telefon oszczędza energię, pozycje mogą docierać z opóźnieniem.",
    .notificationsOff: "Bez nich nie możemy dać znać, gdy coś przerwie zapis Twojej zmiany.",
    .clockWrong: "Czas zmiany poprawiamy według naszego zegara, ale telefon może pokazywać inny.",
  ]

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
}
