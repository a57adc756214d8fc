import ShiftDomain

extension GermanTexts {
  static let titles: Texts<Finding> = [
    .restricted: "Der Standort ist auf diesem Telefon gesperrt",
    .servicesOff: "Der Standort ist auf diesem Gerät ausgeschaltet",
    .denied: "Der Standortzugriff ist aus",
    .notDetermined: "Bitte erlauben Sie den Standort für Ihre Schicht",
    .unreadable: "Wir konnten die Standorteinstellung nicht lesen",
    .noReport: "Ihr Telefon hat sich noch nicht gemeldet",
    .staleReport: "Ihr Telefon muss neu geprüft werden",
    .cannotReport: "Bitte prüfen Sie die Standorteinstellung selbst",
    .cannotReportNoFix: "Eine aktuelle Position wird gebraucht",
    .accuracyReduced: "Der Standort ist nur ungefähr",
    .whenInUse: "Der Standort geht nur, solange Sie die App verwenden",
    .servicesUnknown: "Ist der Standort eingeschaltet?",
    .alwaysUnproven: "Ihr Telefon fragt vielleicht noch einmal nach dem Standort",
    .batteryOptimised: "Energiesparen kann die Schicht-App anhalten",
    .backgroundRefreshOff: "Die Hintergrundaktualisierung ist aus",
    .powerSave: "Energiesparen ist an",
    .notificationsOff: "Benachrichtigungen sind aus",
    .clockWrong: "Die Uhr Ihres Telefons scheint falsch zu gehen",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Den Standort verwaltet hier die Administration oder eine Kindersicherung; nur sie kann ihn "
      + "erlauben.",
    .servicesOff:
      "Das ist der Schalter des ganzen Geräts: Solange er aus ist, kann Ihre Schicht nicht "
      + "aufgezeichnet werden.",
    .denied: "Ohne Standort kann Ihre Schicht nicht aufgezeichnet werden.",
    .notDetermined:
      "Das Telefon hat Sie noch nicht gefragt, oder ein früheres „Einmal erlauben“ ist von selbst "
      + "abgelaufen.",
    .unreadable:
      "Die Schicht-App hat eine Einstellung gesendet, die wir nicht kennen, und wir wollen nicht "
      + "raten.",
    .noReport: "Wir wissen noch nicht, ob Ihre Schicht aufgezeichnet werden kann.",
    .staleReport:
      "Die letzte Prüfung ist eine Weile her, und Einstellungen können sich seitdem geändert "
      + "haben.",
    .cannotReport: "Ihre App sendet Positionen, kann uns aber ihre Berechtigung nicht nennen.",
    .cannotReportNoFix:
      "Ihre App kann uns ihre Berechtigung nicht nennen; eine frische Position zeigt, dass alles "
      + "stimmt.",
    .accuracyReduced:
      "Positionen können um Kilometer danebenliegen, sodass Ihre Schicht unvollständig aussehen "
      + "kann.",
    .whenInUse:
      "Die Ortung kann im Hintergrund pausieren, wenn der Bildschirm aus oder eine andere App "
      + "offen ist.",
    .servicesUnknown:
      "Ihr Gerät hat es uns nicht gesagt, und ohne Standort kann Ihre Schicht nicht aufgezeichnet "
      + "werden.",
    .alwaysUnproven:
      "Sie haben „Immer“ gewählt, und das Telefon fragt Sie vielleicht noch einmal, ob es so "
      + "bleiben soll.",
    .batteryOptimised:
      "Um Energie zu sparen, kann das Telefon die App in der Tasche beenden; dieser Teil der "
      + "Schicht würde fehlen.",
    .backgroundRefreshOff:
      "Die Ortung läuft weiter, aber Ihr Telefon meldet sich vielleicht spät, wenn etwas zu tun "
      + "ist.",
    .powerSave: "Solange das Telefon Energie spart, können Positionen spät ankommen.",
    .notificationsOff:
      "Ohne sie erreichen wir Sie nicht, wenn etwas die Aufzeichnung Ihrer Schicht unterbricht.",
    .clockWrong:
      "Wir berichtigen die Zeiten Ihrer Schicht nach unserer Uhr, aber Ihr Telefon zeigt "
      + "vielleicht andere an.",
  ]

  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Der Standort wurde auf Ihrem Telefon gesperrt",
    .denied: "Der Standortzugriff ist aus",
    .notDetermined: "Bitte erlauben Sie den Standort erneut",
    .whenInUse: "Die Ortung kann im Hintergrund pausieren",
    .servicesOff: "Der Standort ist auf Ihrem Telefon ausgeschaltet",
    .accuracyReduced: "Der Standort ist nur ungefähr",
    .noContact: "Wir haben keinen Kontakt mehr zu Ihrem Telefon",
    .noFix: "Ihr Telefon hat keine Position",
    .appTerminated: "Die Schicht-App wurde geschlossen",
    .mockLocation: "Positionen Ihres Telefons sehen simuliert aus",
  ]

  static let notificationBodies: Texts<IncidentKind> = [
    .restricted:
      "Ihre Schicht läuft weiter, aber die Ortung pausiert, bis die Administration den Standort "
      + "erlaubt.",
    .denied:
      "Ihre Schicht läuft weiter, aber die Ortung pausiert, bis der Standort wieder erlaubt ist.",
    .notDetermined:
      "Ein früheres „Einmal erlauben“ ist vielleicht von selbst abgelaufen. Ihre Schicht läuft "
      + "weiter; das Telefon fragt in der App erneut.",
    .whenInUse:
      "Der Standort ist jetzt nur erlaubt, solange Sie die App verwenden. Ihre Schicht läuft "
      + "weiter, aber Teile davon können fehlen.",
    .servicesOff:
      "Das ist der Schalter des ganzen Telefons. Ihre Schicht läuft weiter, aber die Ortung "
      + "pausiert, bis er wieder an ist.",
    .accuracyReduced:
      "Positionen können um Kilometer danebenliegen. Ihre Schicht läuft weiter, aber sie kann "
      + "unvollständig aussehen.",
    .noContact:
      "Das Telefon ist vielleicht offline, ausgeschaltet oder spart Energie. Ihre Schicht läuft "
      + "weiter; oft genügt es, die App zu öffnen.",
    .noFix:
      "Die App läuft, findet aber keine Position. Ihre Schicht läuft weiter; oft hilft freie "
      + "Sicht zum Himmel.",
    .appTerminated:
      "Ihre Schicht läuft weiter, aber die Ortung pausiert, bis die App wieder offen ist.",
    .mockLocation:
      "Das kann an einer anderen App oder einer Entwickleroption liegen. Ihre Schicht läuft "
      + "weiter; meist hilft es, diese App zu schließen.",
  ]
}
