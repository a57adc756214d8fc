extension PageTexts {
  static let german: KeyValuePairs<PageText, String> = [
    .needsScript:
      "Diese Seite braucht JavaScript. Schalten Sie es ein, nutzen Sie die App Ihres "
      + "Arbeitgebers, oder bitten Sie Ihre Teamleitung, Ihre Schicht zu erfassen.",
    .noTexts: "Keine Verbindung",

    .language: "Sprache",
    .menu: "Menü",
    .work: "Schicht",
    .myShifts: "Meine Schichten",
    .privacy: "Datenschutz",
    .close: "Schließen",
    .cancel: "Abbrechen",
    .save: "Speichern",
    .saved: "Gespeichert.",
    .notSaved: "Nicht gespeichert. Bitte versuchen Sie es noch einmal.",
    .wait: "Einen Moment …",
    .now: "jetzt",
    .notThere: "Das konnte nicht geladen werden.",

    .offline:
      "Sie sind offline. Was Sie antippen und Ihre Positionen werden auf diesem Telefon "
      + "gespeichert und später gesendet.",
    .waitingRecords: "Noch nicht gesendete Eingaben und Positionen:",
    .queueFull:
      "Der Speicher für Offline-Daten ist voll: Neue Positionen werden nicht mehr gespeichert. "
      + "Bitte stellen Sie eine Internetverbindung her.",
    .cannotStore:
      "Dieser Browser lässt die Seite nichts speichern, etwa in einem privaten Fenster. Bitte "
      + "öffnen Sie sie in einem normalen Fenster.",
    .clockOff: "Die Uhr dieses Telefons geht falsch. Wir berichtigen die Zeiten Ihrer Schicht.",
    .serverTrouble:
      "Das System ist gerade überlastet. Bitte versuchen Sie es in Kürze noch einmal.",
    .noNetwork: "Keine Verbindung. Bitte versuchen Sie es noch einmal, wenn Sie online sind.",

    .connect: "Dieses Telefon verbinden",
    .connectHow: "Scannen Sie den QR-Code Ihrer Teamleitung, oder geben Sie den Code hier ein.",
    .code: "Code",
    .connectButton: "Verbinden",
    .codeUnknown:
      "Dieser Code ist unbekannt, abgelaufen oder schon benutzt. Bitten Sie Ihre Teamleitung "
      + "um einen neuen.",
    .tooMany: "Zu viele Versuche. Bitte warten Sie eine Minute.",
    .connected: "Dieses Telefon ist verbunden",
    .replaced:
      "Das Telefon oder der Browser, der diesen Code zuvor benutzt hat, ist jetzt getrennt.",
    .homeScreen:
      "Möchten Sie diese Seite auf dem Home-Bildschirm? Fügen Sie sie jetzt über das Menü "
      + "des Browsers hinzu. Fragt sie dort nach einem Code, geben Sie innerhalb von 10 "
      + "Minuten noch einmal diesen ein:",
    .connectAgain: "Dieses Telefon noch einmal verbinden?",
    .connectAgainWhy: "Es ist schon verbunden. Mit dem neuen Code erhält es eine neue Verbindung.",
    .recordsKept:
      "Noch nicht gesendet; bleibt auf diesem Telefon, bis Sie es wieder verbinden:",
    .recordsDeleted: "Nicht gesendete Einträge der vorherigen Person, von diesem Telefon gelöscht:",
    .notifyWhy:
      "Erhalten Sie eine Benachrichtigung, wenn die Ortung stoppt, auch bei geschlossener Seite. "
      + "Sie enthält keinen Standort.",
    .notifyMe: "Benachrichtigungen erlauben",
    .revoked:
      "Dieses Telefon ist nicht mehr verbunden. Bitten Sie Ihre Teamleitung um einen neuen "
      + "Code.",

    .status: "Status des Standorts",
    .levelRequired: "Zu erledigen:",
    .levelSuggestion: "Verbesserung möglich:",
    .levelQuiet: "Info:",
    .lastChecked: "Zuletzt geprüft:",
    .checkNow: "Jetzt prüfen",
    .checked: "Geprüft.",
    .unchanged: "gerade geprüft, nichts hat sich geändert",
    .showSteps: "Schritte zeigen",
    .gotIt: "Verstanden",
    .whatToDo: "Was Sie tun können",
    .dismiss: "Ausblenden",
    .openShift: "Schicht öffnen",

    .offShift: "Keine laufende Schicht",
    .onShift: "Schicht läuft",
    .onBreak: "In der Pause",
    .since: "Seit",
    .breakSince: "Pause seit",
    .tracking: "Ortung",
    .unknown: "Unbekannt",
    .clockIn: "Einstempeln",
    .clockOut: "Ausstempeln",
    .breakStart: "Pause beginnen",
    .breakEnd: "Pause beenden",
    .takeOver: "Dieses Telefon nutzen",
    .takeBack: "Mit dieser Seite aufzeichnen",
    .elsewhere: "Ein anderes Telefon zeichnet diese Schicht auf.",
    .noneTracks: "Kein Telefon zeichnet diese Schicht gerade auf.",
    .appTracks:
      "Eine App auf Ihrem Telefon zeichnet diese Schicht auf. Sie können diese Seite schließen.",
    .onlyOnScreen:
      "Diese Seite zeichnet Ihre Schicht nur auf, solange sie offen und sichtbar ist. Wenn Sie die "
      + "App wechseln oder das Telefon sperren, pausiert die Aufzeichnung, bis Sie zurückkommen.",
    .keepOpen: "Lassen Sie diese Seite offen und sichtbar.",
    .placeWhy:
      "Wenn Sie einstempeln, wird Ihre Position mit den Standorten Ihres Teams verglichen; "
      + "können Sie nicht einstempeln, wird sie nicht gespeichert.",
    .notSentYet: "Noch nicht gesendet. Die Uhrzeit Ihrer Eingabe bleibt erhalten.",
    .noPosition:
      "Dieses Telefon findet gerade keine Position. Gehen Sie eine Minute ans Fenster oder "
      + "nach draußen, und prüfen Sie in den Einstellungen des Telefons, ob der Standort "
      + "eingeschaltet ist. Ihre Schicht läuft weiter.",
    .allowedBy: "Erlaubt von",
    .allowedBySelf: "Ihr Grund:",
    .stateTracked: "Läuft",
    .stateAtRisk: "Läuft, Lücken wahrscheinlich",
    .stateOnBreak: "Pausiert",
    .stateNotTracked: "Läuft nicht",
    .stateOffShift: "Aus",
    .openedByManager: "Ihre Teamleitung hat eine Schicht für Sie geöffnet",
    .openedByPlan: "Ihre geplante Schicht hat begonnen",
    .openedBy: "Geöffnet von",
    .reason: "Grund",
    .confirmWhy:
      "Bestätigen Sie sie, damit Ihre Position aufgezeichnet wird, oder lehnen Sie sie ab. "
      + "Bis dahin wird keine Position aufgezeichnet.",
    .confirmShift: "Schicht bestätigen",
    .declineShift: "Schicht ablehnen",
    .declineWhy:
      "Die Schicht endet jetzt, und Ihre Teamleitung prüft sie. Sie können später wie "
      + "gewohnt einstempeln.",
    .confirmed: "Schicht bestätigt",
    .declined: "Schicht abgelehnt",

    .clockedIn: "Eingestempelt",
    .clockedOut: "Ausgestempelt",
    .breakStarted: "Pause begonnen",
    .breakEnded: "Pause beendet",
    .tookOver: "Dieses Telefon zeichnet Ihre Schicht jetzt auf",
    .blocked: "Nicht eingestempelt: Der Standort wird gebraucht",
    .askingServer: "Wird geprüft …",
    .unblocked: "Der Standort ist jetzt erlaubt",
    .mayClockIn: "Sie können jetzt einstempeln",
    .nowClockIn: "Sie sind noch nicht eingestempelt: Bitte tippen Sie noch einmal auf die Taste.",
    .storedTitle: "Auf diesem Telefon gespeichert",
    .stored:
      "Die Stempelung wird mit ihrer ursprünglichen Uhrzeit gesendet, sobald Sie online sind.",
    .storedBlocked:
      "Ihr Versuch ist mit seiner Uhrzeit gespeichert; Ihre Teamleitung kann ihn prüfen.",
    .keptTitle: "Ihre Teamleitung muss das prüfen",
    .keptBlocked: "Die Regeln Ihres Teams ließen es zu dieser Zeit nicht zu.",
    .keptOverlaps: "Es überschneidet sich mit einer anderen Schicht.",
    .keptTooOld: "Es ist mehr als 24 Stunden alt.",
    .keptOutOfOrder: "Es passt nicht zu dem, was zuvor aufgezeichnet wurde.",
    .keptNoOpenShift: "Zu dieser Zeit war keine Schicht offen.",
    .keptTooManyWaiting:
      "Zu viele Ihrer Buchungen warten auf eine Prüfung. Diese bleibt auf diesem Telefon, das sie "
      + "jeden Tag erneut sendet.",
    .problemOpenElsewhere: "Ihre Schicht ist auf einem anderen Telefon offen",
    .problemNoOpenShift: "Es ist keine Schicht offen",
    .problemNotOnBreak: "Sie sind nicht in der Pause",
    .problemOutOfOrder: "Eine spätere Stempelung ist schon aufgezeichnet",
    .problemOverlapsShift: "Das überschneidet sich mit einer beendeten Schicht",
    .problemNoWaitingShift: "Keine Schicht wartet auf Ihre Antwort",
    .problemOther: "Das wurde nicht angenommen",
    .overrideReason: "Ihr Grund, ohne Standort einzustempeln",
    .clockInAnyway: "Trotzdem einstempeln",

    .noShifts: "Sie haben noch keine Schichten.",
    .allShifts: "Alle Schichten",
    .shift: "Schicht",
    .ofShiftTracked: "der Arbeitszeit mit Ortung",
    .whatHappened: "Was geschah",
    .endedAtLimit: "Automatisch beendet",
    .endedByManager: "Von der Teamleitung beendet",
    .endConfirmed: "Ende von Ihnen angegeben, nachdem die Schicht automatisch beendet worden war",
    .anotherPhone: "Ein anderes Telefon hat übernommen",
    .thisPhone: "Dieses Telefon hat übernommen",
    .offSite: "Außerhalb aller Standorte",
    .phoneOffline: "Telefon offline, seine Aufzeichnungen kamen später an",
    .notified: "Sie wurden benachrichtigt",
    .notifiedEnd: "Sie wurden benachrichtigt, dass es vorbei ist",
    .managersTold: "Ihre Teamleitung wurde benachrichtigt",
    .managersToo: "Ihre Teamleitung auch",
    .correctedBy: "Zeiten berichtigt von",
    .notTracked: "Ohne Ortung",
    .lastSeen: "zuletzt gesehen",
    .notCounted: "Zählt nicht",
    .addNote: "Notiz hinzufügen",
    .note: "Notiz",
    .noteWho: "Ihre Teamleitung kann sie lesen.",
    .likely: "vermutlich:",
    .whenEnded: "Wann endete Ihre Arbeit wirklich?",
    .whenEndedWhy:
      "Die Schicht wurde bei der maximalen Dauer beendet. Positionen nach der angegebenen Zeit "
      + "werden gelöscht.",
    .workingTime: "Arbeitszeit",
    .withoutBreaks: "ohne Pausen",
    .paidTime: "Bezahlte Zeit",
    .paidTimeWhy:
      "Die bezahlte Zeit folgt der Regel Ihres Teams für Rundung und Pausen.",
    .confirmTimes: "Diese Zeiten stimmen",
    .confirmTimesWhy:
      "Ihr Vorgesetzter sieht, dass Sie zustimmen, und entscheidet, wenn eine Zeit nicht stimmt.",
    .objectToTimes: "Eine Zeit stimmt nicht",
    .objectWhy: "Was stimmt nicht? Ihr Vorgesetzter liest das und entscheidet.",
    .addedByManager: "Ihre Teamleitung hat diese Schicht nachgetragen",
    .addedBy: "Nachgetragen von",
    .addedWhy:
      "Ihre Teamleitung hat diese Schicht nachgetragen. Sie wird bezahlt, sobald Sie sie "
      + "bestätigen; sonst kann die Teamleitung sie nach einer Woche freigeben.",
    .toConfirm: "Bitte bestätigen Sie diese Schicht",
    .changedMeanwhile: "Die Schicht hat sich geändert. Bitte sehen Sie sie noch einmal an.",
    .breaks: "Pausen",
    .objected: "Sie haben gemeldet, dass eine Zeit nicht stimmt",
    .objectionWaits: "Ihr Vorgesetzter hat noch nicht entschieden.",
    .objectionDecided: "Ihr Vorgesetzter hat die Zeiten beibehalten.",
    .timesConfirmed: "Sie haben diese Zeiten bestätigt",
    .timesApproved: "Für die Lohnabrechnung freigegeben von",
    .confirmEnd: "Ende bestätigen",
    .timeTwice:
      "Diese Uhrzeit gibt es zweimal, weil die Uhr zurückgestellt wird. Welche meinen Sie?",
    .timeSkipped: "Diese Uhrzeit gibt es nicht, weil die Uhr vorgestellt wird. Welche meinen Sie?",
    .reasonNotAsked: "Für diese Zeit war keine Ortung vorgesehen",
    .reasonServiceUnavailable: "Unser System war nicht erreichbar",
    .reasonAppTerminated: "Die Schicht-App war geschlossen",
    .reasonMockLocation: "Positionen wirkten simuliert",
    .reasonLowAccuracy: "Positionen waren zu ungenau",
    .reasonPageHidden: "Die Seite war nicht sichtbar",
    .reasonWaitingFirstFix: "Warten auf die erste Position",
    .reasonResuming: "Die Ortung lief wieder an",
    .reasonNoContact: "Kein Kontakt zum Telefon",
    .reasonNoFix: "Das Telefon fand keine Position",

    .privacyNotice: "Datenschutzhinweis",
    .readFirst: "Bitte lesen Sie das zuerst. Danach geht es weiter.",
    .noNotice: "Es gibt noch keinen Datenschutzhinweis.",
    .noticeOf: "Stand:",
    .readAt: "Sie haben das Lesen bestätigt:",
    .confirmRead: "Ich habe das gelesen",
    .whoLooked: "Wer meinen Standort angesehen hat",
    .nobodyLooked: "Niemand hat ihn angesehen.",
    .auditTrackViewed: "hat die Positionen einer Schicht angesehen.",
    .auditTrackExported: "hat die Positionen einer Schicht heruntergeladen.",
    .auditMapViewed: "hat eine Karte der Beschäftigten im Dienst angesehen.",
    .auditEmployeeExported: "hat alle Daten über Sie exportiert.",

    .unstoredTitle: "Noch nicht gesendet",
    .unstoredWhy: "Lassen Sie diese Seite bis dahin offen: Der Browser kann es nicht speichern.",
    .recordsKeptWhy:
      "Ihre Stempelungen werden nach dem Verbinden gesendet. Die Positionen werden dann nicht "
      + "angenommen, weil sie aus der früheren Verbindung stammen.",
    .refused: "Nicht angenommene Positionen",
    .refusedNotTrackingDevice:
      "Ein anderes Telefon erfasste die Schicht, oder dieses vor dem neuen Verbinden:",
    .refusedTooLate: "Bei der Ankunft älter als sieben Tage:",
    .refusedInvalid: "Nicht lesbar:",
  ]
}
