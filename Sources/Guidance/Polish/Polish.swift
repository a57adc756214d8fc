import GuardRules

extension Catalogue {
  static let polish = Catalogue(
    titles: PolishTexts.titles, reasons: PolishTexts.reasons, steps: PolishTexts.steps,
    phrases: PolishTexts.phrases, notificationTitles: PolishTexts.notificationTitles,
    notificationBodies: PolishTexts.notificationBodies, causes: PolishTexts.causes,
    actions: PolishTexts.actions, privacy: PolishTexts.privacy,
    appForms: [
      ("aplikacja pracownicza", ""), ("Aplikacja pracownicza", "Aplikacja "),
      ("aplikację pracowniczą", "aplikację "), ("aplikacji pracowniczej", "aplikacji "),
    ])
}

enum PolishTexts {
  static let phrases: Texts<Phrase> = [
    .endsWithShift: "Zapis lokalizacji kończy się wraz z Twoją zmianą.",

    .deniedPerhapsByServices:
      "Telefon zgłasza to także wtedy, gdy lokalizacja jest wyłączona w całym telefonie; może "
      + "wystarczyć jej włączenie.",
    .whenInUseOnIOS:
      "Telefon mógł Cię zapytać i zmienić to ustawienie; zapis lokalizacji może ustawać w tle.",
    .whenInUseInBrowser:
      "Strona może rejestrować zmianę tylko wtedy, gdy jest otwarta, a ekran włączony.",
    .whenInUseInBrowserTitle: "Lokalizacja działa tylko przy otwartej tej stronie",
    .notDeterminedInBrowser:
      "Przeglądarka jeszcze nie zapytała albo pyta za każdym razem.",
    .alwaysNeeded:
      "W Twoim zespole lokalizacja musi być ustawiona na „Zawsze” (Android: „Zawsze zezwalaj”).",
    .whenInUseNotEnough:
      "W Twoim zespole lokalizacja jest potrzebna przez cały czas; inaczej jej zapis może ustawać "
      + "w tle.",
    .whenInUseOnIOSNotEnough:
      "W Twoim zespole potrzebne jest ustawienie „Zawsze”; telefon mógł Cię zapytać i je zmienić.",
    .cannotReportNotEnough:
      "W Twoim zespole potrzebna jest aplikacja, która potrafi podać swoje uprawnienie do "
      + "lokalizacji.",
    .pageNotEnoughTitle: "Ta strona nie wystarczy, aby rozpocząć zmianę",
    .pageNotEnough:
      "W Twoim zespole lokalizacja jest potrzebna przez cały czas, a strona ma ją tylko, gdy jest "
      + "otwarta. Twoje zmiany nadal są tutaj.",

    .required: "Kroki pokazują, jak to zrobić; potem zapis działa.",
    .startNow: "Możesz pracować normalnie; wykonaj kroki w dogodnej chwili.",
    .optional: "Wszystko działa bez lokalizacji; kroki są do dyspozycji.",
    .refine: "Możesz pracować normalnie; to tylko zwiększa niezawodność zapisu lokalizacji.",
    .readyTitle: "Lokalizacja jest gotowa",
    .ready: "Twoją zmianę można rejestrować.",

    .goesOnWithGaps: "Twoja zmiana trwa, ale może brakować jej fragmentów.",
    .notificationWhenInUseOnIOS:
      "Lokalizacja jest teraz ustawiona na „Gdy używam aplikacji”; telefon mógł Cię zapytać "
      + "i zmienić to ustawienie. Dopóki nie będzie „Zawsze”, zapis może ustawać w tle.",

    .unstableTitle: "Lokalizacja co chwilę włącza się i wyłącza",
    .unstable:
      "Jest włączona albo była przed chwilą. Twoja zmiana trwa, ale może brakować jej fragmentów.",

    .reminderTitle: "Czy praca jeszcze trwa?",
    .reminder: "Twoja zmiana jest otwarta od dawna. Jeśli praca jest skończona, zakończ zmianę.",
    .longBreakTitle: "Czy przerwa jeszcze trwa?",
    .longBreak: "Trwa już długo. Do jej zakończenia żadna pozycja nie jest zapisywana.",
    .pageHiddenTitle: "Strona nie jest widoczna",
    .pageHidden: "Zmiana jest rejestrowana tylko wtedy, gdy strona jest na ekranie.",
    .awayTitle: "Jesteś poza miejscem pracy",
    .away:
      "Od pewnego czasu Twoje pozycje są poza wszystkimi miejscami tej zmiany. Zmiana trwa dalej.",
    .limitTitle: "Twoja zmiana została zakończona automatycznie",
    .limit:
      "Zmiana osiągnęła najdłuższy dozwolony czas. Podaj, kiedy praca naprawdę się skończyła: "
      + "późniejsze pozycje są usuwane.",
    .correctedTitle: "Twoja zmiana została poprawiona",
    .corrected:
      "Kierownictwo zmieniło jej godziny lub przerwy i podało powód. Pozycje spoza zmiany są "
      + "od razu ukrywane, a po 7 dniach usuwane.",
    .openedTitle: "Twoja zmiana została otwarta za Ciebie",
    .opened: "Kierownictwo otworzyło ją od chwili Twojej próby odbicia i podało powód.",
    .addedTitle: "Dodano Twoją minioną zmianę",
    .added:
      "Kierownictwo dodało ją i podało powód. Sprawdź godziny: potwierdź je albo napisz, co się "
      + "nie zgadza.",
    .keptTitle: "Czas Twojej zmiany pozostaje bez zmian",
    .kept:
      "Kierownictwo sprawdziło czas, do którego masz zastrzeżenia, i pozostawiło go tak, jak "
      + "został zapisany.",
    .newsTitle: "Nowa wiadomość o Twojej zmianie",
    .news: "Otwórz aplikację, aby zobaczyć, co się zmieniło.",
    .toConfirmTitle: "Zmiana czeka na Twoje potwierdzenie",
    .openedByManager:
      "Kierownictwo otworzyło dla Ciebie zmianę. Potwierdź ją, aby zapisywać swoje położenie, albo "
      + "ją odrzuć.",
    .openedByPlan:
      "Twoja zaplanowana zmiana się zaczęła. Potwierdź ją, aby zapisywać swoje położenie, albo ją "
      + "odrzuć.",
    .notBegunTitle: "Wejście nie zostało odbite",
    .notBegun:
      "Telefon chciał sam odbić Twoje wejście, ale jego uprawnienie do lokalizacji na to nie "
      + "pozwala albo nie dało się go sprawdzić.",
    .nearestSite: "Najbliższe miejsce:",
    .clockInFrom: "Zmianę można rozpocząć od",
    .decimalSign: ",",
    .tookOverTitle: "Zmianę rejestruje teraz aplikacja",
    .tookOver:
      "Aplikacja w Twoim telefonie przejęła zmianę od strony, którą możesz zamknąć.",
    .allowedTitle: "Odbicie wejścia dozwolone",
    .allowed:
      "Przełożony pozwala raz odbić wejście mimo problemu zgłoszonego przez telefon. Aplikacja "
      + "powie, czy przeszkadza coś jeszcze.",

    .restoredTitle: "Zapis lokalizacji znów działa",
    .restored: "Dziękujemy: problem został rozwiązany i zmiana jest znów rejestrowana.",
    .trackedAgain: "Twoja zmiana jest znów rejestrowana.",

    .interruptedTitle: "Zapis lokalizacji na zmianie jest przerwany",
    .interrupted: "Problem nadal trwa. Rozmowa telefoniczna może pomóc.",
    .atRiskTitle: "Zapis lokalizacji na zmianie może mieć luki",
    .atRisk:
      "Zmiana jest rejestrowana, ale ustawienie telefonu sprawia, że mogą pojawić się luki.",
    .employeeNotified: "Osoba została powiadomiona.",
    .employeeNotNotified: "Osoba nie została jeszcze powiadomiona.",
    .resumedTitle: "Zapis lokalizacji na zmianie znów działa",
    .resumed: "Problem został rozwiązany.",
    .severalTitle: "Kilka zmian wymaga uwagi",
    .several: "Zapis lokalizacji z kilku telefonów w zespole jest przerwany lub zagrożony.",
    .lateTitle: "Ktoś z zespołu się spóźnia",
    .late:
      "Nie odebrano dotąd rozpoczęcia zmiany ani próby jej rozpoczęcia. Planowany początek jest "
      + "w nawiasie.",
    .severalLate:
      "Kilka osób w zespole nie rozpoczęło dotąd zmiany. Planowany początek jest w nawiasach.",
    .noShowTitle: "Ktoś nie przyszedł na planowaną zmianę",
    .noShow:
      "Nie odebrano rozpoczęcia planowanej zmiany ani próby jej rozpoczęcia. Jej początek jest "
      + "w nawiasie.",
    .severalNoShow:
      "Kilka osób w zespole nie przyszło na planowane zmiany. Planowany początek jest w nawiasach.",
    .awayFromSiteTitle: "Ktoś jest poza miejscem pracy",
    .awayFromSite: "Na zmianie pozycje są od pewnego czasu poza wszystkimi miejscami pracy.",
    .severalAway:
      "Kilka osób w zespole jest w czasie zmiany od pewnego czasu poza wszystkimi miejscami pracy.",
    .endedByItselfTitle: "Zmiana zakończyła się bez odbicia końca",
    .endedByItself:
      "Osiągnęła najdłuższy dozwolony czas, a zapis lokalizacji się zakończył. Sprawdź, kiedy "
      + "naprawdę się skończyła.",
    .severalEnded:
      "Zmiany kilku osób w zespole osiągnęły najdłuższy dozwolony czas. Sprawdź, kiedy naprawdę "
      + "się skończyły.",
    .severalBlocked:
      "Kilka osób w zespole nie mogło rozpocząć zmiany. Możesz otworzyć ich zmiany od chwili próby "
      + "odbicia.",

    .blockedTitle: "Ktoś nie mógł rozpocząć zmiany",
    .blocked:
      "Ustawienie lokalizacji telefonu w Twoim zespole na to nie pozwala. Możesz otworzyć zmianę "
      + "od chwili próby odbicia.",
    .reviewTitle: "Odbicie offline czeka na Twoją decyzję",
    .review:
      "Telefon w Twoim zespole był wtedy bez połączenia, a odbicie nie zgadza się z innymi "
      + "zapisami.",

    .testTitle: "Powiadomienie testowe",
    .test:
      "To test, który sprawdza, czy powiadomienia o Twojej zmianie do Ciebie docierają.",
    .managersTest:
      "To test, który sprawdza, czy powiadomienia o Twoim zespole do Ciebie docierają.",

    .digestTitle: "Tydzień Twojego zespołu",
    .digest: "Późniejsze korekty mogą zmienić te liczby.",
    .digestHours: "Przepracowane godziny:",
    .digestTracked: "Z zapisem lokalizacji:",
    .digestShifts: "Zmiany:",
    .digestReviews: "Czeka na decyzję:",
    .digestAllTracked: "Cały czas pracy został zarejestrowany.",
    .digestCauses: "Dlaczego czasu nie zarejestrowano:",
    .digestPage: "Wszystkie liczby z tego tygodnia:",

    .explanationTitle: "Lokalizacja podczas zmiany",
    .whyStandard:
      "Podczas pracy aplikacja pracownicza zapisuje, gdzie jest telefon, także gdy jest w "
      + "kieszeni. Najlepiej działa „Zawsze”; „Gdy używam aplikacji” też wystarczy.",
    .whyStrict:
      "Podczas pracy aplikacja pracownicza zapisuje, gdzie jest telefon, także gdy jest w "
      + "kieszeni. Twój zespół potrzebuje do tego ustawienia „Zawsze”.",
    .whyAdvisory:
      "Dzięki lokalizacji zapis Twojej pracy jest pełniejszy. To Twój wybór: wszystko działa "
      + "także bez niej.",
    .whyInBrowser:
      "Podczas pracy ta strona zapisuje, gdzie jest Twój telefon, dopóki jest otwarta, a ekran "
      + "jest włączony.",
    .completeHours: "Twoje godziny są kompletne bez zapisywania czegokolwiek.",
    .noBreaks: "Przerwy i czas wolny pozostają prywatne: nie zapisujemy wtedy żadnej pozycji.",
    .ownView: "Swoje zmiany możesz przeglądać w każdej chwili.",
    .proceed: "Dalej",
    .later: "Nie teraz",
    .iosAsksTwice:
      "Telefon najpierw zapyta: wybierz „Pozwalaj, gdy używam aplikacji”. Gdy zapyta ponownie, "
      + "teraz lub później, zmień na „Zawsze pozwalaj”.",
    .androidAsksOnce: "Telefon zapyta raz: wybierz „Zezwól”.",
    .androidOffersAllTheTime: "Telefon zapyta raz: wybierz „Zawsze zezwalaj”.",
    .androidAsksTwice:
      "Telefon najpierw zapyta: wybierz „Podczas używania aplikacji”. Na stronie, która się potem "
      + "otworzy, wybierz „Zawsze zezwalaj”.",
    .androidDisclosure:
      "Aplikacja pracownicza zbiera dane o lokalizacji, aby rejestrować Twoją pracę na zmianie, "
      + "nawet gdy jest zamknięta lub nieużywana.",
    .browserOnlyOpen:
      "Przeglądarka zapyta: zezwól na lokalizację. Strona może rejestrować zmianę tylko wtedy, gdy "
      + "jest otwarta, a ekran włączony.",
    .phoneAsks: "Urządzenie zapyta: zezwól na lokalizację, jeśli można, przez cały czas.",
  ]

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
