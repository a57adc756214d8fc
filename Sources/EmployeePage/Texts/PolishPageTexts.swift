extension PageTexts {
  static let polish: KeyValuePairs<PageText, String> = [
    .needsScript:
      "Ta strona wymaga JavaScriptu. Włącz go, użyj aplikacji pracodawcy albo poproś "
      + "kierownictwo o zarejestrowanie Twojej zmiany.",
    .noTexts: "Brak połączenia",

    .language: "Język",
    .menu: "Menu",
    .work: "Zmiana",
    .myShifts: "Moje zmiany",
    .privacy: "Prywatność",
    .close: "Zamknij",
    .cancel: "Anuluj",
    .save: "Zapisz",
    .saved: "Zapisano.",
    .notSaved: "Nie zapisano. Spróbuj ponownie.",
    .wait: "Chwileczkę…",
    .now: "teraz",
    .notThere: "Nie udało się tego wczytać.",

    .offline:
      "Brak połączenia. To, co naciskasz, i Twoje pozycje są zapisywane w tym telefonie i "
      + "zostaną wysłane później.",
    .waitingRecords: "Naciśnięcia i pozycje do wysłania:",
    .queueFull:
      "Pamięć danych offline jest pełna: nowe pozycje nie są zachowywane. Połącz się z "
      + "internetem.",
    .cannotStore:
      "Ta przeglądarka nie pozwala stronie niczego zapisać, na przykład w oknie prywatnym. "
      + "Otwórz ją w zwykłym oknie.",
    .clockOff: "Ten telefon pokazuje złą godzinę. Poprawiamy godziny Twojej zmiany.",
    .serverTrouble: "System jest zajęty. Spróbuj wkrótce ponownie.",
    .noNetwork: "Brak połączenia. Spróbuj ponownie, gdy będzie internet.",

    .connect: "Połącz ten telefon",
    .connectHow: "Zeskanuj kod QR od kierownictwa albo wpisz kod tutaj.",
    .code: "Kod",
    .connectButton: "Połącz",
    .codeUnknown: "Ten kod jest nieznany, wygasł lub był już użyty. Poproś kierownictwo o nowy.",
    .tooMany: "Zbyt wiele prób. Odczekaj minutę.",
    .connected: "Ten telefon jest połączony",
    .replaced: "Telefon lub przeglądarka, która wcześniej użyła tego kodu, jest teraz odłączona.",
    .homeScreen:
      "Chcesz mieć tę stronę na ekranie głównym? Dodaj ją teraz w menu przeglądarki. Jeśli "
      + "zapyta tam o kod, wpisz ten jeszcze raz w ciągu 10 minut:",
    .connectAgain: "Połączyć ten telefon ponownie?",
    .connectAgainWhy: "Jest już połączony. Nowy kod utworzy nowe połączenie.",
    .recordsKept:
      "Jeszcze niewysłane, zachowane w tym telefonie do ponownego połączenia:",
    .recordsDeleted: "Niewysłane zapisy poprzedniej osoby, usunięte z tego telefonu:",
    .notifyWhy:
      "Otrzymuj powiadomienie, gdy zapis lokalizacji ustanie, także przy zamkniętej stronie. Nie "
      + "zawiera ono lokalizacji.",
    .notifyMe: "Zezwól na powiadomienia",
    .revoked: "Ten telefon nie jest już połączony. Poproś kierownictwo o nowy kod.",

    .status: "Stan lokalizacji",
    .levelRequired: "Wymaga działania:",
    .levelSuggestion: "Warto poprawić:",
    .levelQuiet: "Info:",
    .lastChecked: "Ostatnio sprawdzono:",
    .checkNow: "Sprawdź teraz",
    .checked: "Sprawdzono.",
    .unchanged: "właśnie sprawdzono, bez zmian",
    .showSteps: "Pokaż kroki",
    .gotIt: "Rozumiem",
    .whatToDo: "Co możesz zrobić",
    .dismiss: "Ukryj",
    .openShift: "Otwórz zmianę",

    .offShift: "Poza zmianą",
    .onShift: "Na zmianie",
    .onBreak: "Na przerwie",
    .since: "Od",
    .breakSince: "Przerwa od",
    .tracking: "Zapis lokalizacji",
    .unknown: "Nieznane",
    .clockIn: "Rozpocznij zmianę",
    .clockOut: "Zakończ zmianę",
    .breakStart: "Rozpocznij przerwę",
    .breakEnd: "Zakończ przerwę",
    .takeOver: "Użyj tego telefonu",
    .takeBack: "Rejestruj na tej stronie",
    .elsewhere: "Tę zmianę rejestruje inny telefon.",
    .noneTracks: "Tej zmiany nie rejestruje teraz żaden telefon.",
    .appTracks: "Tę zmianę rejestruje aplikacja w Twoim telefonie. Możesz zamknąć tę stronę.",
    .onlyOnScreen:
      "Ta strona rejestruje zmianę tylko wtedy, gdy jest otwarta i widoczna na ekranie. Gdy "
      + "przejdziesz do innej aplikacji lub zablokujesz telefon, zapis zostanie wstrzymany do "
      + "Twojego powrotu.",
    .keepOpen: "Pozostaw tę stronę otwartą i widoczną na ekranie.",
    .placeWhy:
      "Gdy rozpoczynasz zmianę, Twoja pozycja jest porównywana z miejscami pracy Twojego zespołu; "
      + "jeśli nie możesz jej rozpocząć, pozycja nie jest zapisywana.",
    .notSentYet: "Jeszcze nie wysłano. Godzina naciśnięcia jest zapisana.",
    .noPosition:
      "Ten telefon nie znajduje teraz pozycji. Podejdź na minutę do okna lub wyjdź na "
      + "zewnątrz i sprawdź w ustawieniach telefonu, czy lokalizacja jest włączona. Twoja "
      + "zmiana trwa.",
    .allowedBy: "Zezwala",
    .allowedBySelf: "Twój powód:",
    .stateTracked: "Działa",
    .stateAtRisk: "Działa, prawdopodobne luki",
    .stateOnBreak: "Wstrzymany na czas przerwy",
    .stateNotTracked: "Nie działa",
    .stateOffShift: "Wyłączony",
    .openedByManager: "Kierownictwo otworzyło dla Ciebie zmianę",
    .openedByPlan: "Twoja zaplanowana zmiana się rozpoczęła",
    .openedBy: "Otworzono przez",
    .reason: "Powód",
    .confirmWhy:
      "Potwierdź ją, aby rozpocząć zapis pozycji, albo odrzuć. Do tego czasu żadna pozycja "
      + "nie jest zapisywana.",
    .confirmShift: "Potwierdź zmianę",
    .declineShift: "Odrzuć zmianę",
    .declineWhy:
      "Zmiana kończy się teraz, a kierownictwo ją sprawdzi. Później możesz rozpocząć zmianę "
      + "jak zwykle.",
    .confirmed: "Zmiana potwierdzona",
    .declined: "Zmiana odrzucona",

    .clockedIn: "Zmiana rozpoczęta",
    .clockedOut: "Zmiana zakończona",
    .breakStarted: "Przerwa rozpoczęta",
    .breakEnded: "Przerwa zakończona",
    .tookOver: "Ten telefon rejestruje teraz Twoją zmianę",
    .blocked: "Zmiana nierozpoczęta: potrzebna jest lokalizacja",
    .askingServer: "Sprawdzanie…",
    .unblocked: "Lokalizacja jest teraz dozwolona",
    .mayClockIn: "Możesz teraz rozpocząć zmianę",
    .nowClockIn: "Zmiana nie jest jeszcze rozpoczęta: naciśnij przycisk jeszcze raz.",
    .storedTitle: "Zapisano w tym telefonie",
    .stored: "Odbicie zostanie wysłane z pierwotną godziną, gdy tylko będzie połączenie.",
    .storedBlocked: "Twoja próba jest zapisana z godziną i kierownictwo może ją sprawdzić.",
    .keptTitle: "To musi sprawdzić kierownictwo",
    .keptBlocked: "Ówczesne zasady zespołu na to nie pozwalały.",
    .keptOverlaps: "Nakłada się na inną zmianę.",
    .keptTooOld: "Ma ponad 24 godziny.",
    .keptOutOfOrder: "Nie zgadza się z wcześniejszymi zapisami.",
    .keptNoOpenShift: "W tym czasie nie było otwartej zmiany.",
    .keptTooManyWaiting:
      "Zbyt wiele Twoich wpisów czeka na sprawdzenie. Ten pozostaje na tym telefonie, który wysyła "
      + "go ponownie każdego dnia.",
    .problemOpenElsewhere: "Twoja zmiana jest otwarta na innym telefonie",
    .problemNoOpenShift: "Brak otwartej zmiany",
    .problemNotOnBreak: "Nie masz teraz przerwy",
    .problemOutOfOrder: "Istnieje już późniejsze odbicie",
    .problemOverlapsShift: "To nakłada się na zakończoną zmianę",
    .problemNoWaitingShift: "Żadna zmiana nie czeka na Twoją odpowiedź",
    .problemOther: "Tego nie przyjęto",
    .overrideReason: "Twój powód rozpoczęcia zmiany bez lokalizacji",
    .clockInAnyway: "Rozpocznij mimo to",

    .noShifts: "Nie masz jeszcze zmian.",
    .allShifts: "Wszystkie zmiany",
    .shift: "Zmiana",
    .ofShiftTracked: "czasu pracy z zapisem lokalizacji",
    .whatHappened: "Co się działo",
    .endedAtLimit: "Zakończono automatycznie",
    .endedByManager: "Zakończone przez kierownictwo",
    .endConfirmed: "Koniec podany przez Ciebie po automatycznym zakończeniu zmiany",
    .anotherPhone: "Inny telefon przejął zapis",
    .thisPhone: "Ten telefon przejął zapis",
    .offSite: "Poza wszystkimi miejscami pracy",
    .phoneOffline: "Telefon offline, jego dane dotarły później",
    .notified: "Wysłano Ci powiadomienie",
    .notifiedEnd: "Wysłano Ci powiadomienie, że to już minęło",
    .managersTold: "Powiadomiono Twoje kierownictwo",
    .managersToo: "Twoje kierownictwo też",
    .correctedBy: "Czas poprawiony przez",
    .notTracked: "Bez zapisu lokalizacji",
    .lastSeen: "ostatnio widziano",
    .notCounted: "Nie liczy się",
    .addNote: "Dodaj notatkę",
    .note: "Notatka",
    .noteWho: "Kierownictwo może ją przeczytać.",
    .likely: "prawdopodobnie:",
    .whenEnded: "Kiedy naprawdę skończyła się Twoja praca?",
    .whenEndedWhy:
      "Zmiana osiągnęła maksymalną długość. Pozycje po podanej godzinie zostaną usunięte.",
    .workingTime: "Czas pracy",
    .withoutBreaks: "bez przerw",
    .paidTime: "Płatny czas",
    .paidTimeWhy:
      "Płatny czas wynika z zasady zespołu dotyczącej zaokrągleń i przerw.",
    .confirmTimes: "Te godziny się zgadzają",
    .confirmTimesWhy:
      "Przełożony zobaczy, że się zgadzasz, i zdecyduje, jeśli któraś godzina jest błędna.",
    .objectToTimes: "Któraś godzina jest błędna",
    .objectWhy: "Co się nie zgadza? Przełożony to przeczyta i podejmie decyzję.",
    .addedByManager: "Kierownictwo dodało tę zmianę po jej zakończeniu",
    .addedBy: "Dodana przez",
    .addedWhy:
      "Kierownictwo dodało tę zmianę. Zostanie wypłacona, gdy ją potwierdzisz; w przeciwnym razie "
      + "kierownictwo może ją zatwierdzić po tygodniu.",
    .toConfirm: "Potwierdź tę zmianę",
    .changedMeanwhile: "Ta zmiana wygląda teraz inaczej. Sprawdź ją ponownie.",
    .breaks: "Przerwy",
    .objected: "Zgłoszono błędną godzinę",
    .objectionWaits: "Przełożony jeszcze nie zdecydował.",
    .objectionDecided: "Przełożony pozostawił te godziny.",
    .timesConfirmed: "Potwierdzono te godziny",
    .timesApproved: "Zatwierdzone do wypłaty przez:",
    .confirmEnd: "Potwierdź koniec",
    .timeTwice: "Ta godzina występuje dwa razy, bo zegar jest cofany. O którą chodzi?",
    .timeSkipped: "Tej godziny nie ma, bo zegar jest przesuwany do przodu. O którą chodzi?",
    .reasonNotAsked: "W tym czasie zapis lokalizacji nie był przewidziany",
    .reasonServiceUnavailable: "Nasz system był niedostępny",
    .reasonAppTerminated: "Aplikacja była zamknięta",
    .reasonMockLocation: "Pozycje wyglądały na symulowane",
    .reasonLowAccuracy: "Pozycje były zbyt niedokładne",
    .reasonPageHidden: "Strona nie była widoczna na ekranie",
    .reasonWaitingFirstFix: "Oczekiwanie na pierwszą pozycję",
    .reasonResuming: "Zapis lokalizacji był wznawiany",
    .reasonNoContact: "Brak kontaktu z telefonem",
    .reasonNoFix: "Telefon nie mógł ustalić pozycji",

    .privacyNotice: "Informacja o prywatności",
    .readFirst: "Najpierw przeczytaj tę informację. Potem możesz przejść dalej.",
    .noNotice: "Nie ma jeszcze informacji o prywatności.",
    .noticeOf: "Stan na:",
    .readAt: "Potwierdzono przeczytanie:",
    .confirmRead: "Potwierdzam przeczytanie",
    .whoLooked: "Kto oglądał moją lokalizację",
    .nobodyLooked: "Nikt jej nie oglądał.",
    .auditTrackViewed: "– obejrzano pozycje ze zmiany.",
    .auditTrackExported: "– pobrano pozycje ze zmiany.",
    .auditMapViewed: "– obejrzano mapę pracowników na zmianie.",
    .auditEmployeeExported: "– wyeksportowano wszystkie Twoje dane.",

    .unstoredTitle: "Jeszcze niewysłane",
    .unstoredWhy: "Nie zamykaj tej strony do wysłania: przeglądarka nie może tego zapisać.",
    .recordsKeptWhy:
      "Wpisy czasu zostaną wysłane po ponownym połączeniu. Pozycje nie zostaną wtedy przyjęte, "
      + "bo pochodzą z wcześniejszego połączenia.",
    .refused: "Nieprzyjęte pozycje",
    .refusedNotTrackingDevice:
      "Zmianę śledził inny telefon albo ten przed ponownym połączeniem:",
    .refusedTooLate: "W chwili dotarcia miały ponad siedem dni:",
    .refusedInvalid: "Nieczytelne:",
  ]
}
