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
    .whenInUse: "Standortzugriff nur, solange Sie die App verwenden",
    .servicesUnknown: "Ist der Standort eingeschaltet?",
    .alwaysUnproven: "Ihr Telefon fragt vielleicht noch einmal nach dem Standort",
    .batteryOptimised: "Energiesparen kann die Schicht-App anhalten",
    .backgroundRefreshOff: "Die Hintergrundaktualisierung ist aus",
    .powerSave: "Der Energiesparmodus ist an",
    .notificationsOff: "Benachrichtigungen sind aus",
    .clockWrong: "Die Uhr Ihres Telefons scheint falsch zu gehen",
    .mockLocation: "Positionen Ihres Telefons sehen simuliert aus",
    .siteUnknown: "Wir wissen nicht, wo Sie sind",
    .offSite: "Sie sind nicht an Ihrem Arbeitsort",
    .notPlanned: "Für Sie ist jetzt keine Schicht geplant",
    .tooEarly: "Für Ihre Schicht ist es noch zu früh",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Den Standort verwaltet hier die Administration oder eine Kindersicherung; nur sie kann ihn "
      + "erlauben.",
    .servicesOff:
      "Dieser Schalter gilt für das ganze Gerät: Solange er aus ist, kann Ihre Schicht nicht "
      + "aufgezeichnet werden.",
    .denied: "Ohne Standort kann Ihre Schicht nicht aufgezeichnet werden.",
    .notDetermined:
      "Das Telefon hat Sie noch nicht gefragt, oder ein früheres „Einmal erlauben“ ist von selbst "
      + "abgelaufen.",
    .unreadable: "Die Schicht-App hat eine Einstellung gesendet, die wir nicht kennen.",
    .noReport: "Wir wissen noch nicht, ob Ihre Schicht aufgezeichnet werden kann.",
    .staleReport:
      "Die letzte Prüfung ist eine Weile her, und Einstellungen können sich seitdem geändert "
      + "haben.",
    .cannotReport: "Ihre App sendet Positionen, kann aber ihre Standorteinstellung nicht melden.",
    .cannotReportNoFix:
      "Ihre App kann ihre Standorteinstellung nicht melden; eine aktuelle Position zeigt, dass die "
      + "Ortung funktioniert.",
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
      "Um Energie zu sparen, kann das Telefon die App im Hintergrund beenden; dieser Teil der "
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
    .mockLocation:
      "Eine andere App oder eine Einstellung verändert die Position dieses Telefons; Ihre Zeiten "
      + "könnten angezweifelt werden.",
    .siteUnknown:
      "Ihr Team stempelt an seinen Standorten ein, und es gibt keine Position, die genau genug "
      + "ist.",
    .offSite:
      "Ihr Team stempelt an seinen Standorten ein, und Ihre Position liegt außerhalb von allen.",
    .notPlanned:
      "Ihr Team stempelt zu geplanten Schichten ein, und für Sie kennen wir jetzt keine.",
    .tooEarly:
      "Ihr Team stempelt kurz vor einer geplanten Schicht ein, und Ihre beginnt später.",
  ]

  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Der Standort wurde auf Ihrem Telefon gesperrt",
    .denied: "Der Standortzugriff ist aus",
    .notDetermined: "Bitte erlauben Sie den Standort erneut",
    .whenInUse: "Die Ortung kann im Hintergrund pausieren",
    .servicesOff: "Der Standort ist auf Ihrem Telefon ausgeschaltet",
    .accuracyReduced: "Der Standort ist nur ungefähr",
    .noContact: "Wir haben keinen Kontakt mehr zu Ihrem Telefon",
    .noFix: "Ihr Telefon findet keine Position",
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
      "Dieser Schalter gilt für das ganze Telefon. Ihre Schicht läuft weiter, aber die Ortung "
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

  static let steps: Texts<Step> = [
    // Anywhere.
    .openShiftApp: "Öffnen Sie die Schicht-App.",
    .returnToApp: "Kehren Sie zur Schicht-App zurück; sie prüft von selbst erneut.",
    .checkAgain: "Lassen Sie sie die Standorteinstellung erneut prüfen.",
    .updateApp: "Wenn sich nichts ändert, aktualisieren Sie die Schicht-App.",
    .askManager:
      "Wenn Sie nicht weiterkommen, fragen Sie Ihre Teamleitung; sie kann die Schicht für Sie "
      + "öffnen.",
    .askAdministrator:
      "Bitten Sie die Person, die dieses Gerät verwaltet, den Standort freizugeben.",
    .whenUnlocked:
      "Sobald die Sperre aufgehoben ist, erlauben Sie den Standort in den Einstellungen:",
    .ifNoQuestion: "Wenn keine Frage erscheint, gehen Sie stattdessen über die Einstellungen:",
    .servicesFirst:
      "Schalten Sie zuerst den Standort für das ganze Telefon ein; vielleicht genügt das schon. "
      + "Wenn nicht:",
    .sendPosition: "Lassen Sie die App eine Position senden.",
    .viewOfSky: "Gehen Sie für eine Minute ans Fenster oder nach draußen.",
    .checkConnection: "Prüfen Sie, ob das Gerät online ist.",
    .leaveRunning:
      "Lassen Sie sie im Hintergrund laufen; wischen Sie sie während der Schicht nicht weg.",
    .stopSimulating: "Schließen Sie Apps, die die Position des Geräts verändern.",
    .useShiftApp:
      "Fragen Sie Ihre Teamleitung nach der Schicht-App, die Ihre Schicht auch im Hintergrund "
      + "aufzeichnen kann.",
    .goToSite: "Gehen Sie an Ihren Arbeitsort und versuchen Sie es dort noch einmal.",
    .waitForShift: "Warten Sie bis dahin und stempeln Sie dann ein.",
    .askAboutPlan:
      "Wenn Sie jetzt arbeiten sollen, bitten Sie Ihre Führungskraft, die Schicht zu planen.",

    // The shift itself.
    .clockOutWhenDone: "Wenn Ihre Arbeit getan ist, stempeln Sie aus.",
    .endBreakWhenDone: "Wenn Sie weiterarbeiten, beenden Sie die Pause.",
    .confirmEnd: "Geben Sie dort an, wann Ihre Arbeit wirklich endete.",
    .lookAtShift: "Öffnen Sie die Schicht und sehen Sie sich den Grund an.",
    .askAboutShift: "Wenn etwas nicht stimmt, sprechen Sie mit Ihrer Teamleitung.",
    .takeShiftBack:
      "Soll die Seite aufzeichnen, öffnen Sie sie und holen Sie die Schicht dorthin zurück.",
    .clockInYourself:
      "Stempeln Sie auf der Seite für Beschäftigte ein, oder sprechen Sie mit Ihrer Teamleitung.",
    .lookAtClockIn: "Öffnen Sie die Liste der Stempelungen, die Ihre Entscheidung brauchen.",
    .reviewClockAction: "Nehmen Sie jede an oder lehnen Sie sie ab, und geben Sie einen Grund an.",
    .callOrReplan: "Rufen Sie an, oder ändern Sie die geplante Schicht auf der Seite der Person.",
    .nothingToDo: "Es ist nichts zu tun.",

    // iOS.
    .iosAllow: "Wenn das Telefon fragt, wählen Sie „Beim Verwenden der App erlauben“.",
    .iosChangeToAlways:
      "Wenn das Telefon jetzt oder später erneut fragt, wechseln Sie zu „Immer erlauben“.",
    .iosAppPage: "Öffnen Sie Einstellungen > die Schicht-App > Standort.",
    .iosAppPageByPrivacy:
      "Nicht da? Öffnen Sie Einstellungen > Datenschutz & Sicherheit > Ortungsdienste > die "
      + "Schicht-App.",
    .iosAppPageByPrivacyOld:
      "Nicht da? Öffnen Sie Einstellungen > Datenschutz > Ortungsdienste > die Schicht-App.",
    .iosChooseAlways: "Wählen Sie „Immer“.",
    .iosServices:
      "Öffnen Sie Einstellungen > Datenschutz & Sicherheit > Ortungsdienste und schalten Sie sie "
      + "ein.",
    .iosServicesOld:
      "Öffnen Sie Einstellungen > Datenschutz > Ortungsdienste und schalten Sie sie ein.",
    .iosPrecise: "Schalten Sie „Genauer Standort“ ein.",
    .iosScreenTime:
      "Wenn Sie das Telefon selbst verwalten, suchen Sie in Einstellungen > Bildschirmzeit nach "
      + "Beschränkungen.",
    .iosBackgroundRefresh:
      "Öffnen Sie Einstellungen > Allgemein > Hintergrundaktualisierung und schalten Sie die "
      + "Schicht-App ein.",
    .iosLowPower: "Öffnen Sie Einstellungen > Batterie und schalten Sie den Stromsparmodus aus.",
    .iosNotifications:
      "Öffnen Sie Einstellungen > Mitteilungen > die Schicht-App und erlauben Sie Mitteilungen.",
    .iosClock:
      "Öffnen Sie Einstellungen > Allgemein > Datum & Uhrzeit und schalten Sie „Automatisch "
      + "einstellen“ ein.",

    // Android.
    .androidAllow: "Wenn das Telefon fragt, wählen Sie „Zulassen“.",
    .androidAllowAllTheTime: "Wenn das Telefon fragt, wählen Sie „Immer zulassen“.",
    .androidAllowWhileUsing: "Wenn das Telefon fragt, wählen Sie „Bei Nutzung der App“.",
    .androidThenAllTheTime: "Wählen Sie auf der Seite, die sich danach öffnet, „Immer zulassen“.",
    .androidAppPage: "Meist: Einstellungen > Apps > die Schicht-App > Berechtigungen > Standort.",
    .androidAppPageOld:
      "Meist: Einstellungen > Apps & Benachrichtigungen > die Schicht-App > Berechtigungen > "
      + "Standort.",
    .samsungAppPage:
      "Öffnen Sie Einstellungen > Apps > die Schicht-App > Berechtigungen > Standort.",
    .xiaomiAppPage:
      "Öffnen Sie Einstellungen > Apps > Apps verwalten > die Schicht-App > App-Berechtigungen > "
      + "Standort.",
    .androidChooseAllow: "Wählen Sie „Zulassen“.",
    .androidChooseAllTheTime: "Wählen Sie „Immer zulassen“.",
    .androidServices: "Meist: Einstellungen > Standort. Schalten Sie ihn ein.",
    .androidPrecise: "Schalten Sie „Genauen Standort verwenden“ ein.",
    .androidBattery:
      "Meist: Einstellungen > Apps > die Schicht-App > Akku. Wählen Sie „Uneingeschränkt“.",
    .androidBatteryOld:
      "Suchen Sie in den Einstellungen nach „Akku-Optimierung“ und wählen Sie für die Schicht-App "
      + "„Nicht optimieren“.",
    .samsungBattery:
      "Öffnen Sie Einstellungen > Akku > Grenzen der Hintergrundnutzung > Apps, die nie im "
      + "Standby sind, und fügen Sie die Schicht-App hinzu.",
    .xiaomiBattery:
      "Öffnen Sie Einstellungen > Apps > Apps verwalten > die Schicht-App, schalten Sie "
      + "„Autostart“ ein und heben Sie die Akku-Beschränkung auf.",
    .androidUnused:
      "Schalten Sie auf der Seite der App „App-Aktivität bei Nichtnutzung stoppen“ oder "
      + "„App-Verhalten bei Nichtnutzung verwalten“ aus.",
    .androidUnusedOld:
      "Schalten Sie auf der Seite der App unter Berechtigungen „Berechtigungen entfernen, wenn die "
      + "App nicht verwendet wird“ aus.",
    .androidPowerSave: "Meist: Einstellungen > Akku. Schalten Sie den Energiesparmodus aus.",
    .androidNotifications:
      "Meist: Einstellungen > Apps > die Schicht-App > Benachrichtigungen. Schalten Sie sie ein.",
    .androidClock:
      "Meist: Einstellungen > System > Datum & Uhrzeit. Schalten Sie die automatische Uhrzeit ein.",
    .androidMock:
      "Lassen Sie in den Entwickleroptionen keine App einen simulierten Standort vorgeben.",

    // A page in a browser.
    .webOpen: "Öffnen Sie die Seite, auf der Sie einstempeln.",
    .webUpdate: "Wenn sich nichts ändert, aktualisieren Sie Ihren Browser.",
    .webAllow: "Wenn der Browser fragt, erlauben Sie den Standort.",
    .webSiteSettings:
      "Öffnen Sie die Berechtigungen dieser Seite, meist über das Symbol neben ihrer Adresse.",
    .webAllowLocation: "Stellen Sie den Standort auf „Zulassen“ oder „Erlauben“.",
    .webSystemSettings:
      "Genügt das nicht, erlauben Sie dem Browser den Standort in den Einstellungen des Geräts.",
    .webChromeSettings:
      "Wählen Sie das Symbol links neben der Adresse, dann „Berechtigungen“ oder "
      + "„Website-Einstellungen“.",
    .webSafariSettings:
      "Öffnen Sie das Seitenmenü neben der Adresse (AA oder ein Symbol mit Linien), dann "
      + "„Website-Einstellungen“.",
    .webFirefoxSettings: "Tippen Sie auf das Schloss neben der Adresse.",
    .webSamsungSettings: "Tippen Sie auf das Schloss neben der Adresse, dann auf „Berechtigungen“.",
    .webInstalledSettings:
      "Diese Seite hat hier keine Adresse: Öffnen Sie im Browser „Einstellungen“, "
      + "„Website-Einstellungen“, „Standort“ und wählen Sie diese Seite.",
    .webInstalledAgain:
      "Schließen Sie diese Seite ganz und öffnen Sie sie erneut vom Startbildschirm, wo sie nach "
      + "dem Standort fragt.",
    .webSystemAndroid:
      "Falls nötig: Einstellungen > Apps > Ihr Browser > Berechtigungen > Standort: „Zugriff nur "
      + "während der Nutzung der App zulassen“.",
    .webSystemSafari:
      "Genügt das nicht: Einstellungen > Datenschutz & Sicherheit > Ortungsdienste > "
      + "Safari-Websites. Wählen Sie „Beim Verwenden der App“.",
    .webSystemIOS:
      "Genügt das nicht: Einstellungen > Datenschutz & Sicherheit > Ortungsdienste > Ihr "
      + "Browser. Wählen Sie „Beim Verwenden der App“.",
    .webAllowNotifications: "Stellen Sie die Benachrichtigungen auf „Zulassen“ oder „Erlauben“.",
    .webKeepOpen:
      "Lassen Sie diese Seite offen und den Bildschirm an, solange Ihre Schicht dauert.",
    .webReload: "Laden Sie diese Seite neu; sie prüft von selbst.",

    // An unknown system.
    .anyAllow:
      "Wenn Sie gefragt werden, erlauben Sie den Standort, und zwar immer, falls das angeboten "
      + "wird.",
    .anyFindApp: "Öffnen Sie die Einstellungen Ihres Geräts und suchen Sie die Schicht-App.",
    .anyAlways: "Stellen Sie ihren Standortzugriff auf „Immer“ oder „Immer zulassen“.",
    .anyServices: "Schalten Sie den Standort in den Einstellungen Ihres Geräts ein.",
    .anyPrecise: "Erlauben Sie den genauen Standort.",
    .anyBattery: "Nehmen Sie sie vom Energiesparen aus.",
    .anyBackground: "Lassen Sie sie im Hintergrund laufen.",
    .anyPowerSave: "Schalten Sie das Energiesparen in den Einstellungen Ihres Geräts aus.",
    .anyNotifications: "Erlauben Sie ihre Benachrichtigungen.",
    .anyClock: "Schalten Sie die automatische Uhrzeit in den Einstellungen Ihres Geräts ein.",
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
    .goToSite: "Weg zum Arbeitsort",
    .waitUntil: "Später einstempeln",
    .askManager: "Führungskraft fragen",
    .turnOffMockLocation: "Schritte zeigen",
  ]
}
