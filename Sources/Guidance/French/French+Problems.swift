import ShiftDomain

extension FrenchTexts {
  static let titles: Texts<Finding> = [
    .restricted: "La position est verrouillée sur ce téléphone",
    .servicesOff: "La position est désactivée sur cet appareil",
    .denied: "L’accès à la position est désactivé",
    .notDetermined: "Veuillez autoriser la position pour votre service",
    .unreadable: "Nous n’avons pas pu lire le réglage de la position",
    .noReport: "Nous n’avons pas encore de nouvelles de votre téléphone",
    .staleReport: "Une nouvelle vérification du téléphone est nécessaire",
    .cannotReport: "Veuillez vérifier vous-même le réglage de la position",
    .cannotReportNoFix: "Une position récente est nécessaire",
    .accuracyReduced: "La position n’est qu’approximative",
    .whenInUse: "La position n’est accessible que lorsque l’app est active",
    .servicesUnknown: "La position est-elle activée ?",
    .alwaysUnproven: "Le téléphone pourrait reposer la question de la position",
    .batteryOptimised: "L’économie de batterie peut suspendre l’app de pointage",
    .backgroundRefreshOff: "L’actualisation en arrière-plan est désactivée",
    .powerSave: "L’économie d’énergie est activée",
    .notificationsOff: "Les notifications sont désactivées",
    .clockWrong: "L’heure de votre téléphone semble fausse",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Un administrateur ou un contrôle parental gère ici la position et peut seul l’autoriser.",
    .servicesOff:
      "C’est l’interrupteur de tout l’appareil : tant qu’il est coupé, votre service ne peut pas "
      + "être suivi.",
    .denied: "Sans la position, votre service ne peut pas être suivi.",
    .notDetermined:
      "Le téléphone n’a pas encore posé la question, ou un « Autoriser une fois » antérieur a "
      + "expiré de lui-même.",
    .unreadable:
      "L’app de pointage a envoyé un réglage que nous ne connaissons pas, et nous préférons ne "
      + "pas deviner.",
    .noReport: "Nous ne savons pas encore si votre service peut être suivi.",
    .staleReport: "La dernière vérification date un peu, et les réglages ont pu changer depuis.",
    .cannotReport: "Votre app envoie des positions mais ne peut pas nous dire son autorisation.",
    .cannotReportNoFix:
      "Votre app ne peut pas nous dire son autorisation ; une position récente montre que tout va "
      + "bien.",
    .accuracyReduced:
      "Les positions peuvent être fausses de plusieurs kilomètres : votre service peut paraître "
      + "incomplet.",
    .whenInUse:
      "Le suivi peut s’interrompre en arrière-plan, écran éteint ou pendant qu’une autre app est "
      + "ouverte.",
    .servicesUnknown:
      "Votre appareil ne nous l’a pas dit, et sans la position votre service ne peut pas être "
      + "suivi.",
    .alwaysUnproven:
      "Vous avez choisi « Toujours », et le téléphone peut vous demander encore une fois de le "
      + "confirmer.",
    .batteryOptimised:
      "Pour économiser l’énergie, le téléphone peut arrêter l’app dans votre poche : cette partie "
      + "du service manquerait.",
    .backgroundRefreshOff:
      "Le suivi continue, mais votre téléphone peut tarder à vous dire que quelque chose est à "
      + "régler.",
    .powerSave: "Quand le téléphone économise l’énergie, les positions peuvent arriver en retard.",
    .notificationsOff:
      "Sans elles, nous ne pouvons pas vous prévenir si le relevé de votre service s’interrompt.",
    .clockWrong:
      "Nous corrigeons les heures de votre service avec notre horloge, mais votre téléphone peut "
      + "en afficher d’autres.",
  ]

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
}
