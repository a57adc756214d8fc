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
    .cannotReportNoFix: "Une première position est nécessaire",
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
}
