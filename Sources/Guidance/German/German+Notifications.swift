import ShiftDomain

extension GermanTexts {
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

  static let actions: Texts<ActionCode> = [
    .none: "OK",
    .requestPermission: "Standort erlauben",
    .openAppSettings: "Zu den Einstellungen",
    .openLocationSettings: "Standort einschalten",
    .openNotificationSettings: "Benachrichtigungen",
    .openBatterySettings: "Akku-Einstellungen",
    .contactAdministrator: "Wer helfen kann",
    .sendReport: "Erneut prüfen",
    .sendFix: "Position senden",
    .checkClock: "Uhr prüfen",
    .openApp: "App öffnen",
    .followSteps: "Schritte zeigen",
    .takeOver: "Dieses Telefon nutzen",
  ]
}
