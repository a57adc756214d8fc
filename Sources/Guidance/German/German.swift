import GuardRules

extension Catalogue {
  static let german = Catalogue(
    titles: GermanTexts.titles, reasons: GermanTexts.reasons, steps: GermanTexts.steps,
    phrases: GermanTexts.phrases, notificationTitles: GermanTexts.notificationTitles,
    notificationBodies: GermanTexts.notificationBodies, causes: GermanTexts.causes,
    actions: GermanTexts.actions, privacy: GermanTexts.privacy,
    appForms: [("zur Schicht-App", "zu "), ("die Schicht-App", ""), ("Die Schicht-App", "")])
}

enum GermanTexts {
  static let phrases: Texts<Phrase> = [
    .endsWithShift: "Die Ortung endet mit Ihrer Schicht.",

    .deniedPerhapsByServices:
      "Das meldet das Telefon auch, solange der Standort für das ganze Telefon ausgeschaltet ist; "
      + "ihn einzuschalten genügt vielleicht.",
    .whenInUseOnIOS:
      "Das Telefon hat Sie vielleicht gefragt und diese Einstellung geändert; die Ortung kann im "
      + "Hintergrund pausieren.",
    .whenInUseInBrowser:
      "Eine Seite kann Ihre Schicht nur aufzeichnen, solange sie offen und der Bildschirm an ist.",
    .whenInUseInBrowserTitle: "Der Standort geht nur, solange diese Seite offen ist",
    .notDeterminedInBrowser:
      "Ihr Browser hat Sie noch nicht gefragt, oder er fragt jedes Mal neu.",
    .alwaysNeeded:
      "Schichten in Ihrem Team brauchen den Standort auf „Immer“ (Android: „Immer zulassen“).",
    .whenInUseNotEnough:
      "Schichten in Ihrem Team brauchen den Standort durchgehend; sonst kann die Ortung im "
      + "Hintergrund pausieren.",
    .whenInUseOnIOSNotEnough:
      "Schichten in Ihrem Team brauchen die Einstellung „Immer“; das Telefon hat Sie vielleicht "
      + "gefragt und sie geändert.",
    .cannotReportNotEnough:
      "Schichten in Ihrem Team brauchen eine App, die ihre Standortberechtigung nennen kann.",
    .pageNotEnoughTitle: "Diese Seite genügt nicht zum Einstempeln",
    .pageNotEnough:
      "Ihr Team braucht den Standort durchgehend; eine Seite hat ihn nur, solange sie offen ist. "
      + "Ihre Schichten und Notizen bleiben hier.",

    .required: "Die Schritte zeigen, wie es geht; dann läuft die Aufzeichnung.",
    .startNow: "Sie können normal arbeiten; folgen Sie den Schritten, wenn es Ihnen passt.",
    .optional: "Alles geht auch ohne Standort; die Schritte stehen bereit, wenn Sie möchten.",
    .refine: "Sie können normal arbeiten; das macht nur die Ortung zuverlässiger.",
    .readyTitle: "Der Standort ist bereit",
    .ready: "Ihre Schicht kann aufgezeichnet werden.",

    .goesOnWithGaps: "Ihre Schicht läuft weiter, aber Teile davon können fehlen.",
    .notificationWhenInUseOnIOS:
      "Der Standort steht jetzt auf „Beim Verwenden der App“; das Telefon hat Sie vielleicht "
      + "gefragt und das geändert. Die Ortung kann im Hintergrund pausieren, bis er auf „Immer“ "
      + "steht.",

    .unstableTitle: "Der Standort schaltet sich immer wieder aus und ein",
    .unstable:
      "Gerade ist er an oder war es eben noch. Ihre Schicht läuft weiter, aber Teile davon können "
      + "fehlen.",

    .reminderTitle: "Arbeiten Sie noch?",
    .reminder:
      "Ihre Schicht ist schon lange offen. Wenn Ihre Arbeit getan ist, stempeln Sie bitte aus.",
    .longBreakTitle: "Machen Sie noch Pause?",
    .longBreak: "Sie dauert schon lange. Solange die Pause läuft, wird keine Position gespeichert.",
    .pageHiddenTitle: "Ihre Seite ist nicht zu sehen",
    .pageHidden: "Ihre Schicht wird nur aufgezeichnet, solange die Seite auf dem Bildschirm ist.",
    .awayTitle: "Sie sind schon länger nicht an Ihrem Arbeitsort",
    .away:
      "Ihre Positionen liegen seit einiger Zeit außerhalb aller Standorte Ihrer Schicht. Die "
      + "Schicht läuft weiter.",
    .limitTitle: "Ihre Schicht wurde automatisch beendet",
    .limit:
      "Sie hatte die maximale Schichtdauer erreicht. Sagen Sie uns, wann Ihre Arbeit wirklich "
      + "endete: Spätere Positionen werden gelöscht.",
    .correctedTitle: "Ihre Schicht wurde berichtigt",
    .corrected:
      "Eine Teamleitung hat Zeiten oder Pausen geändert und einen Grund angegeben. Positionen "
      + "außerhalb der Schicht werden sofort ausgeblendet und nach 7 Tagen gelöscht.",
    .openedTitle: "Ihre Schicht wurde für Sie geöffnet",
    .opened:
      "Eine Teamleitung hat sie ab dem Zeitpunkt Ihres Einstempelversuchs geöffnet und einen Grund "
      + "angegeben.",
    .addedTitle: "Eine frühere Schicht wurde nachgetragen",
    .added:
      "Eine Teamleitung hat sie eingetragen und einen Grund angegeben. Prüfen Sie die Zeiten: "
      + "Bestätigen Sie sie, oder sagen Sie, was nicht stimmt.",
    .keptTitle: "Die Zeiten Ihrer Schicht bleiben unverändert",
    .kept:
      "Eine Teamleitung hat die Zeiten, denen Sie widersprochen haben, geprüft und unverändert "
      + "übernommen.",
    .newsTitle: "Neues zu Ihrer Schicht",
    .news: "Öffnen Sie die App, um zu sehen, was sich geändert hat.",
    .toConfirmTitle: "Eine Schicht wartet auf Ihre Bestätigung",
    .openedByManager:
      "Eine Teamleitung hat eine Schicht für Sie geöffnet. Bestätigen Sie sie, damit Ihre Position "
      + "aufgezeichnet wird, oder lehnen Sie sie ab.",
    .openedByPlan:
      "Ihre geplante Schicht hat begonnen. Bestätigen Sie sie, damit Ihre Position aufgezeichnet "
      + "wird, oder lehnen Sie sie ab.",
    .notBegunTitle: "Sie sind nicht eingestempelt",
    .notBegun:
      "Ihr Telefon wollte Sie von selbst einstempeln, aber seine Standortfreigabe erlaubt es nicht "
      + "oder war nicht zu prüfen.",
    .nearestSite: "Der nächste Standort:",
    .clockInFrom: "Einstempeln geht ab",
    .decimalSign: ",",
    .tookOverTitle: "Eine App zeichnet Ihre Schicht auf",
    .tookOver:
      "Die App auf Ihrem Telefon hat von der Seite übernommen, die Sie schließen können.",
    .allowedTitle: "Einstempeln ist erlaubt",
    .allowed:
      "Ihre Leitung erlaubt Ihnen einmal einzustempeln, trotz eines Problems, das Ihr Telefon "
      + "gemeldet hat. Die App sagt, ob noch etwas anderes es verhindert.",

    .restoredTitle: "Die Ortung läuft wieder",
    .restored: "Danke: Das Problem ist behoben, und Ihre Schicht wird wieder aufgezeichnet.",
    .trackedAgain: "Ihre Schicht wird wieder aufgezeichnet.",

    .interruptedTitle: "Die Ortung in einer Schicht ist unterbrochen",
    .interrupted: "Das Problem besteht noch. Ein Anruf kann helfen.",
    .atRiskTitle: "Die Ortung in einer Schicht kann Lücken haben",
    .atRisk: "Die Ortung läuft, aber eine Einstellung des Telefons macht Lücken wahrscheinlich.",
    .employeeNotified: "Die Person wurde benachrichtigt.",
    .employeeNotNotified: "Die Person wurde noch nicht benachrichtigt.",
    .resumedTitle: "Die Ortung in einer Schicht läuft wieder",
    .resumed: "Das Problem ist behoben.",
    .severalTitle: "Mehrere Schichten brauchen Ihre Aufmerksamkeit",
    .several: "Die Ortung mehrerer Telefone in Ihrem Team ist unterbrochen oder gefährdet.",
    .lateTitle: "Jemand in Ihrem Team ist verspätet",
    .late:
      "Bisher ist weder eine Einstempelung noch ein Versuch dazu eingegangen. Der geplante Beginn "
      + "steht in Klammern.",
    .severalLate:
      "Von mehreren Personen in Ihrem Team ist bisher keine Einstempelung eingegangen. Der "
      + "geplante Beginn steht jeweils in Klammern.",
    .noShowTitle: "Jemand ist nicht zur geplanten Schicht gekommen",
    .noShow:
      "Zur geplanten Schicht ist weder eine Einstempelung noch ein Versuch dazu eingegangen. Ihr "
      + "Beginn steht in Klammern.",
    .severalNoShow:
      "Mehrere Personen in Ihrem Team sind nicht zu ihrer geplanten Schicht gekommen. Der geplante "
      + "Beginn steht jeweils in Klammern.",
    .awayFromSiteTitle: "Jemand ist nicht am Arbeitsort",
    .awayFromSite:
      "In einer laufenden Schicht liegen die Positionen seit einer Weile außerhalb aller "
      + "Arbeitsorte.",
    .severalAway:
      "Mehrere Personen in Ihrem Team sind während ihrer Schicht seit einer Weile nicht an einem "
      + "Arbeitsort.",
    .endedByItselfTitle: "Eine Schicht endete ohne Ausstempelung",
    .endedByItself:
      "Sie hat die längste erlaubte Dauer erreicht, die Ortung ist beendet. Prüfen Sie, wann sie "
      + "wirklich endete.",
    .severalEnded:
      "Schichten mehrerer Personen in Ihrem Team haben die längste erlaubte Dauer erreicht. Prüfen "
      + "Sie, wann sie wirklich endeten.",
    .severalBlocked:
      "Mehrere Personen in Ihrem Team konnten nicht einstempeln. Sie können deren Schichten ab dem "
      + "Zeitpunkt des jeweiligen Versuchs öffnen.",

    .blockedTitle: "Jemand konnte nicht einstempeln",
    .blocked:
      "Die Standorteinstellung eines Telefons in Ihrem Team lässt es nicht zu. Sie können die "
      + "Schicht ab dem Zeitpunkt des Versuchs öffnen.",
    .reviewTitle: "Eine Offline-Stempelung wartet auf Ihre Entscheidung",
    .review:
      "Ein Telefon in Ihrem Team war zu dieser Zeit offline, und die Stempelung passt nicht zu "
      + "anderen Einträgen.",

    .testTitle: "Testbenachrichtigung",
    .test:
      "Dies ist ein Test, ob Benachrichtigungen zu Ihrer Schicht bei Ihnen ankommen.",
    .managersTest:
      "Dies ist ein Test, ob Benachrichtigungen zu Ihrem Team bei Ihnen ankommen.",

    .digestTitle: "Die Woche Ihres Teams",
    .digest: "Spätere Korrekturen können diese Zahlen ändern.",
    .digestHours: "Gearbeitete Stunden:",
    .digestTracked: "Davon aufgezeichnet:",
    .digestShifts: "Schichten:",
    .digestReviews: "Offene Entscheidungen:",
    .digestAllTracked: "Die gesamte Arbeitszeit wurde aufgezeichnet.",
    .digestCauses: "Warum Zeit nicht aufgezeichnet wurde:",
    .digestPage: "Alle Zahlen der Woche:",

    .explanationTitle: "Ihr Standort während der Schicht",
    .whyStandard:
      "Während Sie arbeiten, zeichnet die Schicht-App auf, wo Ihr Telefon ist, auch in der "
      + "Tasche. Am besten geht es mit „Immer“; „Beim Verwenden der App“ genügt.",
    .whyStrict:
      "Während Sie arbeiten, zeichnet die Schicht-App auf, wo Ihr Telefon ist, auch in der "
      + "Tasche. Dafür braucht Ihr Team die Einstellung „Immer“.",
    .whyAdvisory:
      "Der Standort macht die Aufzeichnung Ihrer Arbeit vollständiger. Sie entscheiden: Alles "
      + "geht auch ohne ihn.",
    .whyInBrowser:
      "Während Sie arbeiten, zeichnet diese Seite auf, wo Ihr Telefon ist, solange sie offen und "
      + "der Bildschirm an ist.",
    .completeHours: "Ihre Stunden sind vollständig, ohne dass Sie etwas aufschreiben.",
    .noBreaks: "Pausen und Freizeit bleiben privat: Dann wird keine Position gespeichert.",
    .ownView: "Ihre eigenen Schichten können Sie jederzeit ansehen.",
    .proceed: "Weiter",
    .later: "Nicht jetzt",
    .iosAsksTwice:
      "Das Telefon fragt zuerst: Wählen Sie „Beim Verwenden der App erlauben“. Wenn es jetzt oder "
      + "später erneut fragt, wechseln Sie zu „Immer erlauben“.",
    .androidAsksOnce: "Das Telefon fragt einmal: Wählen Sie „Zulassen“.",
    .androidOffersAllTheTime: "Das Telefon fragt einmal: Wählen Sie „Immer zulassen“.",
    .androidAsksTwice:
      "Das Telefon fragt zuerst: Wählen Sie „Bei Nutzung der App“. Wählen Sie auf der Seite, die "
      + "sich danach öffnet, „Immer zulassen“.",
    .androidDisclosure:
      "Die Schicht-App erhebt Standortdaten, um Ihre Schichten aufzuzeichnen, auch wenn die App "
      + "geschlossen ist oder nicht verwendet wird.",
    .browserOnlyOpen:
      "Der Browser fragt: Erlauben Sie den Standort. Eine Seite kann Ihre Schicht nur aufzeichnen, "
      + "solange sie offen und der Bildschirm an ist.",
    .phoneAsks:
      "Ihr Gerät fragt: Erlauben Sie den Standort, und zwar immer, falls das angeboten wird.",
  ]

  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Aufgezeichnete Zeit",
    .onBreak: "Pause",
    .restricted: "Standort von der Administration gesperrt",
    .servicesOff: "Standort ausgeschaltet",
    .denied: "Standortzugriff abgelehnt",
    .notDetermined: "Standort noch nicht erlaubt",
    .appTerminated: "App wurde geschlossen",
    .serviceUnavailable: "Ausfall des Dienstes",
    .waitingFirstFix: "Warten auf die erste Position",
    .resuming: "Wiederaufnahme",
    .noFix: "Keine Position",
    .noContact: "Kein Kontakt",
    .mockLocation: "Simulierter Standort",
    .lowAccuracy: "Position zu ungenau",
    .pageHidden: "Seite nicht sichtbar",
    .notAsked: "Telefon nicht zur Ortung aufgefordert",
  ]
}
