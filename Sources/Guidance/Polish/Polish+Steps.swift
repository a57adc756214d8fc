extension PolishTexts {
  static let steps: Texts<Step> = [
    // Anywhere.
    .openShiftApp: "Otwórz aplikację pracowniczą.",
    .returnToApp: "Wróć do aplikacji pracowniczej; sama sprawdzi ponownie.",
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

    // The shift itself.
    .clockOutWhenDone: "Jeśli praca jest skończona, zakończ zmianę.",
    .endBreakWhenDone: "Gdy wrócisz do pracy, zakończ przerwę.",
    .confirmEnd: "Podaj w niej, kiedy praca naprawdę się skończyła.",
    .lookAtShift: "Otwórz zmianę i sprawdź powód.",
    .askAboutShift: "Jeśli coś się nie zgadza, porozmawiaj z kierownictwem.",
    .lookAtClockIn: "Otwórz listę odbić, które czekają na Twoją decyzję.",
    .reviewClockAction: "Przyjmij lub odrzuć każde z nich i podaj powód.",
    .nothingToDo: "Nie trzeba nic robić.",

    // iOS.
    .iosAllow: "Gdy telefon zapyta, wybierz „Pozwalaj, gdy używam aplikacji”.",
    .iosChangeToAlways:
      "Gdy telefon zapyta ponownie, teraz lub później, wybierz zmianę na „Zawsze pozwalaj”.",
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
      "Na stronie aplikacji wyłącz „Wstrzymuj aktywność w aplikacji, jeśli jest nieużywana”.",
    .androidPowerSave: "Zwykle: Ustawienia > Bateria. Wyłącz oszczędzanie baterii.",
    .androidNotifications:
      "Zwykle: Ustawienia > Aplikacje > aplikacja pracownicza > Powiadomienia. Włącz je.",
    .androidClock: "Zwykle: Ustawienia > System > Data i godzina. Włącz czas automatyczny.",
    .androidMock: "W opcjach programisty nie pozwalaj żadnej aplikacji pozorować lokalizacji.",

    // A page in a browser.
    .webOpen: "Otwórz stronę, na której rozpoczynasz zmianę.",
    .webUpdate: "Jeśli nic się nie zmieni, zaktualizuj przeglądarkę.",
    .webAllow: "Gdy przeglądarka zapyta, wybierz „Zezwól”.",
    .webSiteSettings: "Otwórz uprawnienia tej strony, zwykle za pomocą symbolu obok jej adresu.",
    .webAllowLocation: "Ustaw lokalizację na „Zezwalaj”.",
    .webAllowNotifications: "Ustaw powiadomienia na „Zezwalaj”.",
    .webKeepOpen: "Podczas zmiany nie zamykaj tej strony i nie wyłączaj ekranu.",
    .webReload: "Wczytaj tę stronę ponownie; sama sprawdzi.",

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
  ]
}
