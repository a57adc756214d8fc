extension PolishTexts {
  static let privacy: Texts<PrivacyText> = [
    .reportTitle: "Raport o rejestrowaniu zmian",
    .reportIntroduction:
      "Utworzony z obecnych ustawień tej instalacji. Mówi, co robi program. Co z tego jest "
      + "dozwolone i uzgodnione, rozstrzygają pracodawca i rada pracowników.",
    .recordedTitle: "Co jest zapisywane, po co i jak długo",
    .data: "Dane",
    .purpose: "Co to jest i po co",
    .kept: "Okres przechowywania",
    .positions: "Pozycje",
    .positionsWhy:
      "Miejsce, czas, dokładność, prędkość, kierunek i wysokość telefonu podczas zmiany; przybycia "
      + "do miejsc pracy. Aby pokazać, że zmiana była rejestrowana i gdzie.",
    .coverage: "Pokrycie zmian",
    .coverageWhy:
      "Ustawienia lokalizacji zgłaszane przez telefon; które okresy zapisano i dlaczego innych "
      + "nie; przerwy w rejestrowaniu, przerwy w pracy, korekty, notatki, odbicia i wiadomości. "
      + "Aby wyjaśnić, dlaczego brakuje minuty, i pomóc.",
    .shifts: "Zmiany",
    .shiftsWhy:
      "Czas planowany i przepracowany, nieobecności, długość przerw, zatwierdzenia. Dla czasu "
      + "pracy i wynagrodzenia.",
    .auditLog: "Dziennik zdarzeń",
    .auditLogWhy:
      "Kto i w jakim celu oglądał pozycje oraz kto coś zmienił, wyeksportował lub usunął. Aby nikt "
      + "nie oglądał danych niezauważony.",
    .appEvents: "Korzystanie z aplikacji",
    .appEventsWhy:
      "Jaką pomoc pokazała aplikacja i co z tego wynikło. Aby zmierzyć dla wszystkich razem, jak "
      + "dobrze prowadzi.",
    .profile: "Pracownicy",
    .profileWhy:
      "Numer, imię i nazwisko, zespół oraz adres e-mail i numer telefonu, jeśli podano. Aby "
      + "wiedzieć, czyja to zmiana, i móc się skontaktować.",
    .phones: "Telefony",
    .phonesWhy:
      "System, model, aplikacja, język, ostatni kontakt, najnowsze ustawienia lokalizacji, adres "
      + "wiadomości push. Aby dotrzeć do pracownika i podać właściwe kroki.",
    .accounts: "Konta kierowników",
    .accountsWhy:
      "Adres e-mail, imię i nazwisko, prawa, skrót hasła, logowania z adresem i przeglądarką. Do "
      + "logowania.",
    .days: "dni",
    .untilErased: "do usunięcia danych pracownika",
    .accountsKept: "do zablokowania, nazwa na stałe; logowania najwyżej 37 dni",
    .deletion:
      "Starsze dane są usuwane same w ciągu dnia, pozycje całymi tygodniami, czyli do siedmiu dni "
      + "później.",

    .whenTitle: "Kiedy dane są zapisywane",
    .onlyOnShift: "Pozycje są zapisywane tylko od rozpoczęcia do zakończenia zmiany.",
    .notOnBreaks: "Podczas przerwy nie jest zapisywana żadna pozycja.",
    .offShift:
      "Poza zmianą przechowywane są tylko najnowsze ustawienia lokalizacji telefonu i czas jego "
      + "ostatniego kontaktu, nigdy miejsce.",
    .forgottenEnd:
      "Zmiana bez zakończenia kończy się sama. Gdy pracownik potwierdzi wcześniejszy koniec, "
      + "późniejsze pozycje są usuwane.",
    .team: "Zespół",
    .interval: "Pozycja co",
    .clockIn: "Aby rozpocząć zmianę",
    .placeAndTime: "Miejsce i czas rozpoczęcia",
    .alwaysNeeded: "Lokalizacja musi być dozwolona zawsze.",
    .whileInUseEnough:
      "Lokalizacja musi być dozwolona; wystarczy przy otwartej aplikacji, z ostrzeżeniem.",
    .neverBlocked: "Zawsze możliwe, najwyżej z poradą.",
    .placeCompared: "Pozycja jest porównywana z miejscami pracy zespołu.",
    .timeCompared: "Czas jest porównywany z planem.",
    .awayTold: "Pracownik dowiaduje się, gdy jest poza wszystkimi miejscami pracy przez",
    .notCompared: "Nic nie jest porównywane.",

    .whoTitle: "Kto to widzi",
    .employeeSees:
      "Pracownicy widzą własne zmiany, luki i wiadomości oraz to, kto i w jakim celu oglądał ich "
      + "pozycje.",
    .coverageSees:
      "Kierownicy z prawem do pokrycia widzą stany, powody i czasy, bez miejsc, oraz adres e-mail "
      + "i numer telefonu.",
    .trackSees:
      "Kierownicy z prawem do pozycji widzą miejsca po podaniu celu. Cel jest zapisywany, zanim "
      + "cokolwiek zostanie pokazane, i pracownik może go przeczytać.",
    .administratorsSee: "Administratorzy widzą wszystkie zespoły, w ten sam sposób.",
    .databaseSees: "Kto prowadzi bazę danych i jej kopie zapasowe, może przeczytać wszystko.",
    .mayCoverage: "Może widzieć pokrycie",
    .mayTrack: "Może widzieć pozycje",
    .isNotified: "Otrzymuje powiadomienia",
    .administrators: "Administratorzy:",
    .programs: "Programy z dostępem:",
    .nobody: "nikt",
    .outsideTitle: "Inni odbiorcy wiadomości, z których żadna nie podaje miejsca",
    .outsideNone: "Nikt: żaden kanał nie jest skonfigurowany.",
    .apple: "Apple, dla wiadomości push na telefony iPhone",
    .google: "Google, dla wiadomości push na telefony z Androidem",
    .browserService: "Usługa push przeglądarki",
    .mailService: "Serwer poczty:",
    .webhooks: "Programy, które administratorzy wskazują jako kontakty",
    .mapService: "Usługa map dowiaduje się, jaki obszar ogląda kierownik:",

    .neverTitle: "Czego program nie robi",
    .neverLogged: "Żaden dziennik programu, tytuł strony ani wiadomość nie zawiera miejsca.",
    .neverRanked: "Pracownicy nie są szeregowani ani porównywani.",
    .neverArrivals:
      "Nikt nie jest powiadamiany o przybyciu do miejsca pracy, a poza zmianą żadne miejsce nie "
      + "jest obserwowane.",
    .neverInterpreted:
      "O telefonie, który milczy, nigdy nie mówi się, że ma wyłączoną lokalizację.",
    .neverSentHome: "Nic nie jest wysyłane do twórców programu.",
    .rightsTitle: "O co mogą prosić pracownicy",
    .rightToCopy: "O kopię wszystkich danych o sobie. Kopia jest odnotowana w dzienniku zdarzeń.",
    .rightToErasure: "O usunięcie wszystkich danych o sobie, od razu i na stałe.",
    .rightToCorrection:
      "O korektę czasu. Pierwotny zapis pozostaje widoczny, a oni dowiadują się, kto, co i "
      + "dlaczego "
      + "zmienił.",
    .rightToObject: "Dodają notatki do luk i sprzeciwiają się czasom, które wpisali inni.",
    .noticeVersion:
      "Pracownicy potwierdzają przeczytanie informacji o prywatności, wersja",
    .noNotice: "Nie opublikowano jeszcze informacji o prywatności.",

    .assessmentTitle: "Projekt oceny skutków dla ochrony danych",
    .assessmentIntroduction:
      "Artykuł 35 RODO wymaga opisu, oceny niezbędności, ryzyk i środków. Powyższe części są "
      + "opisem.",
    .necessityTitle: "Niezbędność i proporcjonalność",
    .necessityTime:
      "Zapisywany jest tylko czas pracy, w podanym odstępie, nic w przerwach i po pracy.",
    .necessityChoice:
      "Każdy zespół ma własne zasady, a każdy okres można skrócić: podane liczby obowiązują teraz.",
    .necessityOpenness:
      "Pracownicy widzą te same zapisy co kierownicy i każde obejrzenie ich pozycji.",
    .risksTitle: "Ryzyka i środki",
    .risk: "Ryzyko",
    .measure: "Środek w programie",
    .privateTime: "Zapisywany jest czas prywatny.",
    .privateTimeMeasure:
      "Pozycje spoza zmiany i z przerw nie są przyjmowane, a zapomniana zmiana kończy się sama.",
    .curiosity: "Pozycje są oglądane bez potrzeby.",
    .curiosityMeasure:
      "Osobne prawo, cel i wpis, który pracownik czyta, zanim cokolwiek zostanie pokazane.",
    .performance: "Zachowanie jest oceniane według ruchów.",
    .performanceMeasure:
      "Bez rankingu, bez wiadomości o przybyciach i bez wskaźników innych niż zapisany czas.",
    .suspicion: "Luka jest wykorzystywana przeciw pracownikowi.",
    .suspicionMeasure:
      "Każda luka ma swoją przyczynę, także nasze własne awarie. Przyczyny, na które nikt nie ma "
      + "wpływu, nie liczą się, a pracownicy dodają notatki.",
    .leak: "Dane zostają skradzione lub utracone.",
    .leakMeasure:
      "Hasła i tokeny są przechowywane jako skróty, prawa kończą się od razu, program nie może "
      + "zmieniać dziennika zdarzeń, wiek kopii zapasowych jest sprawdzany.",
    .excess: "Dane są przechowywane dłużej, niż trzeba.",
    .excessMeasure: "Są usuwane same po podanych okresach.",
    .employerTitle: "Do uzupełnienia przez pracodawcę",
    .employerBasis: "Podstawa prawna i porozumienie zakładowe, jeśli istnieje",
    .employerNeed: "Dlaczego łagodniejsze środki nie wystarczają do celu",
    .employerViews: "Stanowisko pracowników i rady pracowników",
    .employerAdvice: "Opinia osoby odpowiedzialnej za ochronę danych",
    .employerDecision: "Pozostałe ryzyka, decyzja, data i podpis",

    .handOutTitle: "Twoje zmiany, rejestrowane telefonem",
    .connectTitle: "Połącz telefon",
    .connectOpen: "Zeskanuj otrzymany kod albo otwórz ten adres na telefonie:",
    .connectCode: "Wpisz kod. Łączy on jeden telefon.",
    .connectRead: "Przeczytaj i potwierdź informację o prywatności.",
    .allowTitle: "Zezwól na lokalizację",
    .allowAsked: "Przy rozpoczęciu zmiany telefon pyta o lokalizację. Zezwól na nią.",
    .allowAlways:
      "Twój zespół potrzebuje aplikacji z lokalizacją ustawioną na „Zawsze” (Android: „Zezwalaj "
      + "cały czas”). Strona w przeglądarce nie wystarcza.",
    .allowOpenPage:
      "W przeglądarce trzymaj stronę otwartą i na ekranie. Inaczej zabraknie części zmiany.",
    .blockedWithout:
      "Bez lokalizacji nie można rozpocząć zmiany. Strona mówi wtedy, co pomoże.",
    .neverBlockedYou: "Zmianę można rozpocząć także bez lokalizacji.",
    .coloursTitle: "Co oznaczają kolory",
    .green: "Zielony: zmiana jest rejestrowana.",
    .lightGreen: "Jasnozielony: jest rejestrowana, ale luki są prawdopodobne.",
    .red: "Czerwony: nie jest rejestrowana. Strona mówi, dlaczego i co pomoże.",
    .grey: "Szary: Twoja przerwa. Nie jest zapisywana żadna pozycja.",
    .yourDataTitle: "Co jest o Tobie zapisywane",
    .yourPositions: "Podczas zmiany Twoja pozycja co",
    .yourPositionsKept: "Pozycje są usuwane po tylu dniach:",
    .yourRights:
      "Na stronie widzisz swoje zmiany i to, kto oglądał Twoje pozycje. Możesz poprosić o kopię, "
      + "korektę i usunięcie danych.",
    .askTitle: "Kogo zapytać",
    .askManagers: "Twoi kierownicy:",
    .askTelephone: "Numer telefonu:",
  ]
}
