import ShiftDomain

extension PolishTexts {
  static let titles: Texts<Finding> = [
    .restricted: "Lokalizacja jest zablokowana na tym telefonie",
    .servicesOff: "Lokalizacja jest wyłączona na tym urządzeniu",
    .denied: "Dostęp do lokalizacji jest wyłączony",
    .notDetermined: "Zezwól na lokalizację podczas zmiany",
    .unreadable: "Nie udało się odczytać ustawienia lokalizacji",
    .noReport: "Nie mamy jeszcze wiadomości od Twojego telefonu",
    .staleReport: "Trzeba ponownie sprawdzić telefon",
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
    .clockWrong: "Telefon chyba pokazuje złą godzinę",
    .mockLocation: "Pozycje z Twojego telefonu wyglądają na symulowane",
    .siteUnknown: "Nie wiemy, gdzie jesteś",
    .offSite: "Nie jesteś w miejscu pracy",
    .notPlanned: "Nie masz teraz zaplanowanej zmiany",
    .tooEarly: "Na Twoją zmianę jest jeszcze za wcześnie",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Lokalizacją zarządza tu administrator lub kontrola rodzicielska i tylko w ten sposób można "
      + "na nią zezwolić.",
    .servicesOff:
      "Ten przełącznik dotyczy całego urządzenia: gdy jest wyłączony, nie można rejestrować "
      + "zmiany.",
    .denied: "Bez lokalizacji nie można rejestrować zmiany.",
    .notDetermined:
      "Telefon jeszcze nie zapytał albo wcześniejsza zgoda „Pozwól raz” sama wygasła.",
    .unreadable: "Aplikacja wysłała ustawienie, którego nie znamy.",
    .noReport: "Nie wiemy jeszcze, czy Twoją zmianę można rejestrować.",
    .staleReport:
      "Ostatnie sprawdzenie było jakiś czas temu, a ustawienia mogły się od tego czasu zmienić.",
    .cannotReport:
      "Twoja aplikacja wysyła pozycje, ale nie może podać swojego ustawienia lokalizacji.",
    .cannotReportNoFix:
      "Twoja aplikacja nie może podać ustawienia lokalizacji; aktualna pozycja pokaże, że zapis "
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
      "Aby oszczędzać energię, telefon może zatrzymać aplikację w tle i tej części zmiany "
      + "zabraknie.",
    .backgroundRefreshOff:
      "Zapis lokalizacji trwa, ale telefon może z opóźnieniem powiadomić, że coś trzeba naprawić.",
    .powerSave: "Gdy telefon oszczędza energię, pozycje mogą docierać z opóźnieniem.",
    .notificationsOff:
      "Bez nich nie możemy dać znać, gdy zapis lokalizacji na Twojej zmianie zostanie przerwany.",
    .clockWrong: "Czas zmiany poprawiamy według naszego zegara, ale telefon może pokazywać inny.",
    .mockLocation:
      "Inna aplikacja lub ustawienie zmienia pozycję tego telefonu, więc Twój czas pracy może "
      + "budzić wątpliwości.",
    .siteUnknown:
      "Twój zespół rozpoczyna zmiany na swoich miejscach, a nie ma dość dokładnej pozycji.",
    .offSite:
      "Twój zespół rozpoczyna zmiany na swoich miejscach, a Twoja pozycja jest poza nimi.",
    .notPlanned:
      "Twój zespół rozpoczyna zaplanowane zmiany, a teraz nie znamy żadnej Twojej.",
    .tooEarly:
      "Twój zespół rozpoczyna zmianę krótko przed planem, a Twoja zaczyna się później.",
  ]

  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Lokalizacja została zablokowana na Twoim telefonie",
    .denied: "Dostęp do lokalizacji jest wyłączony",
    .notDetermined: "Zezwól ponownie na lokalizację",
    .whenInUse: "Zapis lokalizacji może ustawać w tle",
    .servicesOff: "Lokalizacja jest wyłączona na Twoim telefonie",
    .accuracyReduced: "Lokalizacja jest tylko przybliżona",
    .noContact: "Brak kontaktu z Twoim telefonem",
    .noFix: "Twój telefon nie może ustalić pozycji",
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
      + "może brakować jej fragmentów.",
    .servicesOff:
      "Ten przełącznik dotyczy całego telefonu. Twoja zmiana trwa, ale zapis lokalizacji jest "
      + "wstrzymany, dopóki nie zostanie on włączony.",
    .accuracyReduced:
      "Pozycje mogą odbiegać o kilometry. Twoja zmiana trwa, ale może wyglądać na niepełną.",
    .noContact:
      "Telefon może być bez połączenia, wyłączony lub oszczędzać energię. Twoja zmiana trwa; "
      + "często wystarczy otworzyć aplikację.",
    .noFix:
      "Aplikacja działa, ale nie znajduje pozycji. Twoja zmiana trwa; często pomaga wyjście na "
      + "otwartą przestrzeń.",
    .appTerminated:
      "Twoja zmiana trwa, ale zapis lokalizacji jest wstrzymany, dopóki aplikacja nie zostanie "
      + "otwarta.",
    .mockLocation:
      "Przyczyną może być inna aplikacja lub opcja programisty. Twoja zmiana trwa; zwykle pomaga "
      + "zamknięcie tej aplikacji.",
  ]

  static let steps: Texts<Step> = [
    // Anywhere.
    .openShiftApp: "Otwórz aplikację pracowniczą.",
    .returnToApp: "Wróć do aplikacji pracowniczej; sama ponownie sprawdzi ustawienie.",
    .checkAgain: "Pozwól jej ponownie sprawdzić ustawienie lokalizacji.",
    .updateApp: "Jeśli nic się nie zmieni, zaktualizuj aplikację pracowniczą.",
    .askManager: "Jeśli to nie pomoże, zwróć się do kierownictwa: może otworzyć zmianę za Ciebie.",
    .askAdministrator: "Poproś osobę zarządzającą tym urządzeniem o zezwolenie na lokalizację.",
    .whenUnlocked: "Po zdjęciu blokady zezwól na lokalizację w ustawieniach:",
    .ifNoQuestion: "Jeśli pytanie się nie pojawi, skorzystaj z ustawień:",
    .servicesFirst:
      "Najpierw włącz lokalizację dla całego telefonu; to może wystarczyć. Jeśli nie:",
    .sendPosition: "Pozwól aplikacji wysłać jedną pozycję.",
    .viewOfSky: "Podejdź na minutę do okna albo wyjdź na zewnątrz.",
    .checkConnection: "Sprawdź, czy urządzenie ma połączenie z internetem.",
    .leaveRunning: "Pozwól jej działać w tle; nie zamykaj jej gestem podczas zmiany.",
    .stopSimulating: "Zamknij aplikacje, które zmieniają lokalizację urządzenia.",
    .useShiftApp:
      "Zapytaj kierownictwo o aplikację pracowniczą, która może rejestrować zmianę w tle.",
    .goToSite: "Idź do miejsca pracy i spróbuj tam ponownie.",
    .waitForShift: "Poczekaj do tego czasu i wtedy rozpocznij zmianę.",
    .askAboutPlan: "Jeśli masz teraz pracować, poproś kierownictwo o zaplanowanie zmiany.",

    // The shift itself.
    .clockOutWhenDone: "Jeśli praca jest skończona, zakończ zmianę.",
    .endBreakWhenDone: "Gdy wrócisz do pracy, zakończ przerwę.",
    .confirmEnd: "Podaj w niej, kiedy praca naprawdę się skończyła.",
    .lookAtShift: "Otwórz zmianę i sprawdź powód.",
    .askAboutShift: "Jeśli coś się nie zgadza, porozmawiaj z kierownictwem.",
    .takeShiftBack: "Jeśli zmianę ma rejestrować strona, otwórz ją i przejmij zmianę z powrotem.",
    .clockInYourself:
      "Odbij wejście na stronie dla pracowników albo porozmawiaj z kierownictwem.",
    .lookAtClockIn: "Otwórz listę odbić, które czekają na Twoją decyzję.",
    .reviewClockAction: "Przyjmij lub odrzuć każde z nich i podaj powód.",
    .callOrReplan: "Zadzwoń do tej osoby albo zmień planowaną zmianę na jej stronie.",
    .nothingToDo: "Nie trzeba nic robić.",

    // iOS.
    .iosAllow: "Gdy telefon zapyta, wybierz „Pozwalaj, gdy używam aplikacji”.",
    .iosChangeToAlways:
      "Gdy telefon zapyta ponownie, teraz lub później, zmień na „Zawsze pozwalaj”.",
    .iosAppPage: "Otwórz Ustawienia > aplikacja pracownicza > Położenie.",
    .iosAppPageByPrivacy:
      "Nie ma tego? Otwórz Ustawienia > Prywatność i ochrona > Usługi lokalizacji > aplikacja "
      + "pracownicza.",
    .iosAppPageByPrivacyOld:
      "Nie ma tego? Otwórz Ustawienia > Prywatność > Usługi lokalizacji > aplikacja pracownicza.",
    .iosChooseAlways: "Wybierz „Zawsze”.",
    .iosServices: "Otwórz Ustawienia > Prywatność i ochrona > Usługi lokalizacji i włącz je.",
    .iosServicesOld: "Otwórz Ustawienia > Prywatność > Usługi lokalizacji i włącz je.",
    .iosPrecise: "Włącz „Dokładne położenie”.",
    .iosScreenTime:
      "Jeśli telefonem nie zarządza nikt inny, poszukaj ograniczeń w Ustawienia > Czas przed "
      + "ekranem.",
    .iosBackgroundRefresh:
      "Otwórz Ustawienia > Ogólne > Odświeżanie w tle i włącz aplikację pracowniczą.",
    .iosLowPower: "Otwórz Ustawienia > Bateria i wyłącz tryb niskiego zużycia energii.",
    .iosNotifications:
      "Otwórz Ustawienia > Powiadomienia > aplikacja pracownicza i zezwól na powiadomienia.",
    .iosClock: "Otwórz Ustawienia > Ogólne > Data i czas i włącz „Ustaw automatycznie”.",

    // Android.
    .androidAllow: "Gdy telefon zapyta, wybierz „Zezwól”.",
    .androidAllowAllTheTime: "Gdy telefon zapyta, wybierz „Zawsze zezwalaj”.",
    .androidAllowWhileUsing: "Gdy telefon zapyta, wybierz „Podczas używania aplikacji”.",
    .androidThenAllTheTime: "Na stronie, która się potem otworzy, wybierz „Zawsze zezwalaj”.",
    .androidAppPage:
      "Zwykle: Ustawienia > Aplikacje > aplikacja pracownicza > Uprawnienia > Lokalizacja.",
    .androidAppPageOld:
      "Zwykle: Ustawienia > Aplikacje i powiadomienia > aplikacja pracownicza > Uprawnienia > "
      + "Lokalizacja.",
    .samsungAppPage:
      "Otwórz Ustawienia > Aplikacje > aplikacja pracownicza > Uprawnienia > Lokalizacja.",
    .xiaomiAppPage:
      "Otwórz Ustawienia > Aplikacje > Zarządzaj aplikacjami > aplikacja pracownicza > "
      + "Uprawnienia aplikacji > Lokalizacja.",
    .androidChooseAllow: "Wybierz „Zezwalaj”.",
    .androidChooseAllTheTime: "Wybierz „Zawsze zezwalaj”.",
    .androidServices: "Zwykle: Ustawienia > Lokalizacja. Włącz ją.",
    .androidPrecise: "Włącz „Używaj dokładnej lokalizacji”.",
    .androidBattery:
      "Zwykle: Ustawienia > Aplikacje > aplikacja pracownicza > Bateria. Wybierz „Bez ograniczeń”.",
    .androidBatteryOld:
      "Znajdź w ustawieniach „Optymalizacja baterii” i wybierz „Nie optymalizuj” dla aplikacji "
      + "pracowniczej.",
    .samsungBattery:
      "Otwórz Ustawienia > Bateria > Limity użycia w tle > Aplikacje nigdy nieusypiane i dodaj "
      + "aplikację pracowniczą.",
    .xiaomiBattery:
      "Otwórz Ustawienia > Aplikacje > Zarządzaj aplikacjami > aplikacja pracownicza, włącz "
      + "„Autostart” i zdejmij ograniczenia baterii.",
    .androidUnused:
      "Na stronie aplikacji wyłącz „Wstrzymuj aktywność w aplikacji, jeśli jest nieużywana” lub "
      + "„Zarządzaj nieużywanymi aplikacjami”.",
    .androidUnusedOld:
      "Na stronie aplikacji, w Uprawnieniach, wyłącz „Usuń uprawnienia, jeśli aplikacja jest "
      + "nieużywana”.",
    .androidPowerSave: "Zwykle: Ustawienia > Bateria. Wyłącz oszczędzanie baterii.",
    .androidNotifications:
      "Zwykle: Ustawienia > Aplikacje > aplikacja pracownicza > Powiadomienia. Włącz je.",
    .androidClock: "Zwykle: Ustawienia > System > Data i godzina. Włącz czas automatyczny.",
    .androidMock: "W opcjach programisty nie pozwalaj żadnej aplikacji pozorować lokalizacji.",

    // A page in a browser.
    .webOpen: "Otwórz stronę, na której rozpoczynasz zmianę.",
    .webUpdate: "Jeśli nic się nie zmieni, zaktualizuj przeglądarkę.",
    .webAllow: "Gdy przeglądarka zapyta, zezwól na lokalizację.",
    .webSiteSettings: "Otwórz uprawnienia tej strony, zwykle ikoną obok jej adresu.",
    .webAllowLocation: "Ustaw lokalizację na „Zezwalaj” lub „Pozwalaj”.",
    .webSystemSettings:
      "Jeśli to nie wystarczy, zezwól przeglądarce na lokalizację w ustawieniach urządzenia.",
    .webChromeSettings:
      "Wybierz ikonę po lewej stronie adresu, a potem „Uprawnienia” lub „Ustawienia witryny”.",
    .webSafariSettings:
      "Otwórz menu strony obok adresu (AA lub ikona z liniami), a potem „Ustawienia witryny”.",
    .webFirefoxSettings: "Dotknij kłódki obok adresu.",
    .webSamsungSettings: "Dotknij kłódki obok adresu, a potem „Uprawnienia”.",
    .webInstalledSettings:
      "Strona nie ma tu adresu: w ustawieniach przeglądarki otwórz „Ustawienia witryn”, "
      + "„Lokalizacja” i wybierz tę stronę.",
    .webInstalledAgain:
      "Zamknij całkowicie tę stronę i otwórz ją ponownie z ekranu głównego; zapyta wtedy o "
      + "lokalizację.",
    .webSystemAndroid:
      "W razie potrzeby: Ustawienia > Aplikacje > przeglądarka > Uprawnienia > Lokalizacja: "
      + "„Zezwalaj tylko podczas używania aplikacji”.",
    .webSystemSafari:
      "Jeśli to nie wystarczy: Ustawienia > Prywatność i ochrona > Usługi lokalizacji > "
      + "Witryny Safari. Wybierz „Gdy używam aplikacji”.",
    .webSystemIOS:
      "Jeśli to nie wystarczy: Ustawienia > Prywatność i ochrona > Usługi lokalizacji > "
      + "przeglądarka. Wybierz „Gdy używam aplikacji”.",
    .webAllowNotifications: "Ustaw powiadomienia na „Zezwalaj” lub „Pozwalaj”.",
    .webKeepOpen: "Podczas zmiany nie zamykaj tej strony i nie wyłączaj ekranu.",
    .webReload: "Wczytaj tę stronę ponownie; sama sprawdzi ustawienie.",

    // An unknown system.
    .anyAllow: "Gdy pojawi się pytanie, zezwól na lokalizację, jeśli można, przez cały czas.",
    .anyFindApp: "Otwórz ustawienia urządzenia i znajdź aplikację pracowniczą.",
    .anyAlways: "Ustaw jej dostęp do lokalizacji na „Zawsze” lub „Zawsze zezwalaj”.",
    .anyServices: "Włącz lokalizację w ustawieniach urządzenia.",
    .anyPrecise: "Zezwól na dokładną lokalizację.",
    .anyBattery: "Wyłącz dla niej oszczędzanie baterii.",
    .anyBackground: "Pozwól jej działać w tle.",
    .anyPowerSave: "Wyłącz oszczędzanie energii w ustawieniach urządzenia.",
    .anyNotifications: "Zezwól na jej powiadomienia.",
    .anyClock: "Włącz automatyczny czas w ustawieniach urządzenia.",
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
    .goToSite: "Zobacz, dokąd iść",
    .waitUntil: "Rozpocznij później",
    .askManager: "Zapytaj kierownictwo",
    .turnOffMockLocation: "Pokaż kroki",
  ]
}
