extension GermanTexts {
  static let privacy: Texts<PrivacyText> = [
    .reportTitle: "Bericht über die Aufzeichnung von Schichten",
    .reportIntroduction:
      "Erstellt aus den Einstellungen dieser Installation, wie sie jetzt sind. Er sagt, was das "
      + "Programm tut. Was davon zulässig und vereinbart ist, entscheiden Arbeitgeber und "
      + "Betriebsrat.",
    .recordedTitle: "Was aufgezeichnet wird, wozu und wie lange",
    .data: "Daten",
    .purpose: "Was es ist und wozu",
    .kept: "Gespeichert für",
    .positions: "Positionen",
    .positionsWhy:
      "Ort, Zeit, Genauigkeit, Geschwindigkeit, Richtung und Höhe des Telefons in der Schicht; "
      + "Ankünfte an Standorten. Um zu zeigen, dass und wo eine Schicht aufgezeichnet wurde.",
    .coverage: "Abdeckung der Schichten",
    .coverageWhy:
      "Standorteinstellungen, die das Telefon meldet; welche Zeiten aufgezeichnet wurden und warum "
      + "andere nicht; Unterbrechungen, Pausen, Berichtigungen, Notizen, Stempelungen und "
      + "Nachrichten. Um zu erklären, warum eine Minute fehlt, und um zu helfen.",
    .shifts: "Schichten",
    .shiftsWhy:
      "Geplante und gearbeitete Zeiten, Abwesenheiten, Dauer der Pausen, Freigaben. Für "
      + "Arbeitszeit und Lohn.",
    .auditLog: "Protokoll",
    .auditLogWhy:
      "Wer zu welchem Zweck Positionen angesehen hat und wer etwas geändert, exportiert oder "
      + "gelöscht hat. Damit niemand unbemerkt Daten ansieht.",
    .appEvents: "Nutzung der App",
    .appEventsWhy:
      "Welche Hilfe die App gezeigt hat und was daraus wurde. Um für alle gemeinsam zu messen, wie "
      + "gut sie anleitet.",
    .profile: "Beschäftigte",
    .profileWhy:
      "Nummer, Name, Team und, wenn angegeben, E-Mail-Adresse und Telefonnummer. Um zu wissen, "
      + "wessen Schicht es ist, und um die Person zu erreichen.",
    .phones: "Telefone",
    .phonesWhy:
      "System, Modell, App, Sprache, letzter Kontakt, neueste Standorteinstellungen, Adresse für "
      + "Push-Nachrichten. Um die Person zu erreichen und die passenden Schritte zu nennen.",
    .accounts: "Konten der Leitungen",
    .accountsWhy:
      "E-Mail-Adresse, Name, Rechte, ein Hash des Passworts, Anmeldungen mit Adresse und Browser. "
      + "Zum Anmelden.",
    .days: "Tage",
    .untilErased: "bis zur Löschung der Person",
    .accountsKept: "bis zur Sperre, der Name dauerhaft; Anmeldungen höchstens 37 Tage",
    .deletion:
      "Ältere Daten werden innerhalb eines Tages von selbst gelöscht, Positionen nach ganzen "
      + "Wochen, also bis zu sieben Tage später.",

    .whenTitle: "Wann aufgezeichnet wird",
    .onlyOnShift:
      "Positionen werden nur zwischen dem Einstempeln und dem Ausstempeln aufgezeichnet.",
    .notOnBreaks: "In einer Pause wird keine Position gespeichert.",
    .offShift:
      "Außerhalb der Schicht werden nur die neuesten Standorteinstellungen des Telefons und die "
      + "Zeit seines letzten Kontakts gespeichert, nie ein Ort.",
    .forgottenEnd:
      "Eine Schicht ohne Ausstempeln endet von selbst. Bestätigt die Person ein früheres Ende, "
      + "werden die Positionen danach gelöscht.",
    .team: "Teamname",
    .interval: "Eine Position alle",
    .clockIn: "Zum Einstempeln",
    .placeAndTime: "Ort und Zeit des Einstempelns",
    .alwaysNeeded: "Der Standort muss immer erlaubt sein.",
    .whileInUseEnough:
      "Der Standort muss erlaubt sein; solange die App offen ist, genügt, mit einer Warnung.",
    .neverBlocked: "Immer möglich, höchstens mit einem Rat.",
    .placeCompared: "Die Position wird mit den Standorten des Teams verglichen.",
    .timeCompared: "Die Zeit wird mit dem Plan verglichen.",
    .awayTold: "Die Person erfährt, wenn sie außerhalb aller Standorte ist seit",
    .notCompared: "Beides wird nicht verglichen.",

    .whoTitle: "Wer es sieht",
    .employeeSees:
      "Beschäftigte sehen ihre eigenen Schichten, Lücken und Nachrichten und wer zu welchem Zweck "
      + "ihre Positionen angesehen hat.",
    .coverageSees:
      "Leitungen mit dem Recht auf Abdeckung sehen Zustände, Gründe und Zeiten, keine Orte, dazu "
      + "E-Mail-Adresse und Telefonnummer.",
    .trackSees:
      "Leitungen mit dem Recht auf Positionen sehen Orte, nachdem sie einen Zweck angegeben haben. "
      + "Er wird aufgezeichnet, bevor etwas gezeigt wird, und die Person kann ihn lesen.",
    .administratorsSee: "Die Administration sieht alle Teams, auf demselben Weg.",
    .databaseSees: "Wer die Datenbank und ihre Sicherungen betreibt, kann alles lesen.",
    .mayCoverage: "Darf die Abdeckung sehen",
    .mayTrack: "Darf Positionen sehen",
    .isNotified: "Wird benachrichtigt",
    .administrators: "Administration:",
    .programs: "Programme mit Zugang:",
    .nobody: "niemand",
    .outsideTitle: "Andere, die Nachrichten erhalten, von denen keine einen Ort nennt",
    .outsideNone: "Niemand: Es ist kein Kanal eingerichtet.",
    .apple: "Apple, für Push-Nachrichten an iPhones",
    .google: "Google, für Push-Nachrichten an Android-Telefone",
    .browserService: "Der Push-Dienst des Browsers",
    .mailService: "Der Mailserver:",
    .webhooks: "Programme, die die Administration als Kontakte nennt",
    .mapService: "Ein Kartendienst erfährt, welches Gebiet eine Leitung ansieht:",

    .neverTitle: "Was nicht geschieht",
    .neverLogged:
      "Kein technisches Protokoll, kein Seitentitel und keine Nachricht enthält einen Ort.",
    .neverRanked: "Beschäftigte werden nicht in eine Rangfolge gebracht und nicht verglichen.",
    .neverArrivals:
      "Niemand wird über eine Ankunft an einem Standort benachrichtigt, und außerhalb der Schicht "
      + "wird kein Standort beobachtet.",
    .neverInterpreted:
      "Von einem Telefon, das sich nicht meldet, heißt es nie, sein Standort sei ausgeschaltet.",
    .neverSentHome: "Nichts wird an die Hersteller des Programms gesendet.",
    .rightsTitle: "Was Beschäftigte verlangen können",
    .rightToCopy:
      "Eine Kopie von allem, was über sie gespeichert ist. Die Kopie wird im Protokoll vermerkt.",
    .rightToErasure:
      "Die Löschung von allem, was über sie gespeichert ist, sofort und endgültig.",
    .rightToCorrection:
      "Die Berichtigung von Zeiten. Das Original bleibt sichtbar, und sie erfahren, wer was warum "
      + "geändert hat.",
    .rightToObject:
      "Sie schreiben Notizen zu Lücken und widersprechen Zeiten, die andere eingetragen haben.",
    .noticeVersion:
      "Beschäftigte bestätigen, dass sie den Datenschutzhinweis gelesen haben, Fassung",
    .noNotice: "Es ist noch kein Datenschutzhinweis veröffentlicht.",

    .assessmentTitle: "Entwurf einer Datenschutz-Folgenabschätzung",
    .assessmentIntroduction:
      "Artikel 35 der DSGVO verlangt eine Beschreibung, eine Bewertung der Notwendigkeit, die "
      + "Risiken und die Maßnahmen. Die Abschnitte oben sind die Beschreibung.",
    .necessityTitle: "Notwendigkeit und Verhältnismäßigkeit",
    .necessityTime:
      "Nur Arbeitszeit wird aufgezeichnet, im Abstand von oben, nichts in Pausen und nach der "
      + "Arbeit.",
    .necessityChoice:
      "Jedes Team hat eigene Regeln, und jede Frist lässt sich verkürzen: Die Zahlen oben gelten "
      + "jetzt.",
    .necessityOpenness:
      "Beschäftigte sehen dieselben Aufzeichnungen wie ihre Leitung und jede Einsicht in ihre "
      + "Positionen.",
    .risksTitle: "Risiken und Maßnahmen",
    .risk: "Risiko",
    .measure: "Maßnahme im Programm",
    .privateTime: "Private Zeit wird aufgezeichnet.",
    .privateTimeMeasure:
      "Positionen von außerhalb einer Schicht und aus Pausen werden nicht angenommen, und eine "
      + "vergessene Schicht endet von selbst.",
    .curiosity: "Positionen werden ohne Bedarf angesehen.",
    .curiosityMeasure:
      "Ein eigenes Recht, ein Zweck und ein Eintrag, den die Person liest, bevor etwas gezeigt "
      + "wird.",
    .performance: "Verhalten wird nach Bewegungen beurteilt.",
    .performanceMeasure:
      "Keine Rangfolge, keine Nachricht über Ankünfte und keine Kennzahl außer der aufgezeichneten "
      + "Zeit.",
    .suspicion: "Eine Lücke wird einer Person zur Last gelegt.",
    .suspicionMeasure:
      "Jede Lücke hat ihren Grund, auch unsere eigenen Ausfälle. Gründe, für die niemand etwas "
      + "kann, zählen nicht, und Beschäftigte schreiben Notizen.",
    .leak: "Daten werden gestohlen oder gehen verloren.",
    .leakMeasure:
      "Passwörter und Zugangsschlüssel sind nur als Hash gespeichert, Rechte enden sofort, das "
      + "Programm darf das Protokoll nicht ändern, das Alter der Sicherungen wird geprüft.",
    .excess: "Daten werden länger als nötig gespeichert.",
    .excessMeasure: "Sie werden nach den Fristen oben von selbst gelöscht.",
    .employerTitle: "Vom Arbeitgeber zu ergänzen",
    .employerBasis: "Rechtsgrundlage und, wenn es sie gibt, die Betriebsvereinbarung",
    .employerNeed: "Warum mildere Mittel für den Zweck nicht genügen",
    .employerViews: "Standpunkt der Beschäftigten und des Betriebsrats",
    .employerAdvice: "Rat der Person, die für den Datenschutz zuständig ist",
    .employerDecision: "Verbleibende Risiken, Entscheidung, Datum und Unterschrift",

    .handOutTitle: "Ihre Schichten, aufgezeichnet mit Ihrem Telefon",
    .connectTitle: "Telefon verbinden",
    .connectOpen:
      "Scannen Sie den Code, den Sie erhalten haben, oder öffnen Sie diese Adresse auf Ihrem "
      + "Telefon:",
    .connectCode: "Geben Sie den Code ein. Er verbindet ein Telefon.",
    .connectRead: "Lesen und bestätigen Sie den Datenschutzhinweis.",
    .allowTitle: "Standort erlauben",
    .allowAsked: "Beim Einstempeln fragt das Telefon nach Ihrem Standort. Erlauben Sie ihn.",
    .allowAlways:
      "Ihr Team braucht eine App, deren Standort auf „Immer“ steht (Android: „Immer zulassen“). "
      + "Eine Seite im Browser genügt nicht.",
    .allowOpenPage:
      "Lassen Sie im Browser die Seite offen und auf dem Bildschirm. Sonst fehlen Teile der "
      + "Schicht.",
    .blockedWithout:
      "Ohne Standort können Sie nicht einstempeln. Die Seite sagt dann, was hilft.",
    .neverBlockedYou: "Sie können auch ohne Standort einstempeln.",
    .coloursTitle: "Was die Farben bedeuten",
    .green: "Grün: Ihre Schicht wird aufgezeichnet.",
    .lightGreen: "Hellgrün: Sie wird aufgezeichnet, aber Lücken sind wahrscheinlich.",
    .red: "Rot: Sie wird nicht aufgezeichnet. Die Seite sagt, warum und was hilft.",
    .grey: "Grau: Ihre Pause. Es wird keine Position gespeichert.",
    .yourDataTitle: "Was von Ihnen aufgezeichnet wird",
    .yourPositions: "In der Schicht Ihre Position alle",
    .yourPositionsKept: "Positionen werden nach so vielen Tagen gelöscht:",
    .yourRights:
      "Auf der Seite sehen Sie Ihre Schichten und wer Ihre Positionen angesehen hat. Sie können "
      + "eine Kopie, eine Berichtigung und die Löschung verlangen.",
    .askTitle: "Wen Sie fragen können",
    .askManagers: "Ihre Leitung:",
    .askTelephone: "Telefon:",
  ]
}
