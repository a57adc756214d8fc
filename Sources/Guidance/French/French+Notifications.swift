import ShiftDomain

extension FrenchTexts {
  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "La position a été verrouillée sur votre téléphone",
    .denied: "L’accès à la position est désactivé",
    .notDetermined: "Veuillez autoriser à nouveau la position",
    .whenInUse: "Le suivi peut s’interrompre en arrière-plan",
    .servicesOff: "La position est désactivée sur votre téléphone",
    .accuracyReduced: "La position n’est qu’approximative",
    .noContact: "Nous avons perdu le contact avec votre téléphone",
    .noFix: "Votre téléphone n’a pas de position",
    .appTerminated: "L’app de pointage a été fermée",
    .mockLocation: "Les positions de votre téléphone semblent simulées",
  ]

  static let notificationBodies: Texts<IncidentKind> = [
    .restricted:
      "Votre service continue, mais le suivi est suspendu jusqu’à ce qu’un administrateur "
      + "autorise la position.",
    .denied:
      "Votre service continue, mais le suivi est suspendu jusqu’à ce que la position soit de "
      + "nouveau autorisée.",
    .notDetermined:
      "Un « Autoriser une fois » antérieur a peut-être expiré de lui-même. Votre service "
      + "continue ; le téléphone redemande dans l’app.",
    .whenInUse:
      "La position n’est maintenant autorisée que lorsque l’app est active. Votre service "
      + "continue, mais il peut en manquer des parties.",
    .servicesOff:
      "C’est l’interrupteur de tout le téléphone. Votre service continue, mais le suivi est "
      + "suspendu jusqu’à ce qu’il soit réactivé.",
    .accuracyReduced:
      "Les positions peuvent être fausses de plusieurs kilomètres. Votre service continue, mais "
      + "il peut paraître incomplet.",
    .noContact:
      "Le téléphone est peut-être hors ligne, éteint ou en économie d’énergie. Votre service "
      + "continue ; ouvrir l’app suffit souvent.",
    .noFix:
      "L’app fonctionne mais ne trouve pas de position. Votre service continue ; une vue dégagée "
      + "du ciel aide souvent.",
    .appTerminated:
      "Votre service continue, mais le suivi est suspendu jusqu’à ce que l’app soit rouverte.",
    .mockLocation:
      "Une autre app ou une option de développement peut en être la cause. Votre service "
      + "continue ; fermer cette app aide en général.",
  ]

  static let actions: Texts<ActionCode> = [
    .none: "OK",
    .requestPermission: "Autoriser la position",
    .openAppSettings: "Ouvrir les réglages",
    .openLocationSettings: "Activer la position",
    .openNotificationSettings: "Réglages notifications",
    .openBatterySettings: "Réglages de batterie",
    .contactAdministrator: "Qui peut aider",
    .sendReport: "Vérifier à nouveau",
    .sendFix: "Envoyer une position",
    .checkClock: "Vérifier l’heure",
    .openApp: "Ouvrir l’app",
    .followSteps: "Voir les étapes",
    .takeOver: "Utiliser ce téléphone",
  ]
}
