import ShiftDomain

extension FrenchTexts {
  static let titles: Texts<Finding> = [
    .restricted: "La localisation est verrouillée sur ce téléphone",
    .servicesOff: "La localisation est désactivée sur cet appareil",
    .denied: "L’accès à la position est désactivé",
    .notDetermined: "Veuillez autoriser la position pour votre service",
    .unreadable: "Nous n’avons pas pu lire le réglage de la position",
    .noReport: "Nous n’avons pas encore de nouvelles de votre téléphone",
    .staleReport: "Une nouvelle vérification du téléphone est nécessaire",
    .cannotReport: "Veuillez vérifier vous-même le réglage de la position",
    .cannotReportNoFix: "Une position récente est nécessaire",
    .accuracyReduced: "La position n’est qu’approximative",
    .whenInUse: "La position n’est accessible que lorsque l’app est active",
    .servicesUnknown: "La localisation est-elle activée ?",
    .alwaysUnproven: "Le téléphone pourrait reposer la question de la position",
    .batteryOptimised: "L’économie de batterie peut suspendre l’app de pointage",
    .backgroundRefreshOff: "L’actualisation en arrière-plan est désactivée",
    .powerSave: "L’économie d’énergie est activée",
    .notificationsOff: "Les notifications sont désactivées",
    .clockWrong: "L’heure de votre téléphone semble fausse",
    .mockLocation: "Les positions de votre téléphone semblent simulées",
    .siteUnknown: "Nous ne savons pas où vous êtes",
    .offSite: "Vous n’êtes pas sur votre lieu de travail",
    .notPlanned: "Aucun service n’est prévu pour vous maintenant",
    .tooEarly: "Il est trop tôt pour votre service",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "Un administrateur ou un contrôle parental gère ici la position et peut seul l’autoriser.",
    .servicesOff:
      "Ce réglage vaut pour tout l’appareil : tant qu’il est désactivé, votre service ne peut pas "
      + "être suivi.",
    .denied: "Sans la position, votre service ne peut pas être suivi.",
    .notDetermined:
      "Le téléphone n’a pas encore posé la question, ou un « Autoriser une fois » antérieur a "
      + "expiré de lui-même.",
    .unreadable: "L’app de pointage a envoyé un réglage que nous ne connaissons pas.",
    .noReport: "Nous ne savons pas encore si votre service peut être suivi.",
    .staleReport: "La dernière vérification date un peu, et les réglages ont pu changer depuis.",
    .cannotReport:
      "Votre app envoie des positions mais ne peut pas indiquer son réglage de position.",
    .cannotReportNoFix:
      "Votre app ne peut pas indiquer son réglage de position ; une position récente montre que le "
      + "suivi fonctionne.",
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
      "Pour économiser l’énergie, le téléphone peut arrêter l’app en arrière-plan : cette partie "
      + "du service manquerait.",
    .backgroundRefreshOff:
      "Le suivi continue, mais votre téléphone peut tarder à vous dire que quelque chose est à "
      + "régler.",
    .powerSave: "Quand le téléphone économise l’énergie, les positions peuvent arriver en retard.",
    .notificationsOff:
      "Sans elles, nous ne pouvons pas vous prévenir si le suivi de votre service s’interrompt.",
    .clockWrong:
      "Nous corrigeons les heures de votre service avec notre horloge, mais votre téléphone peut "
      + "en afficher d’autres.",
    .mockLocation:
      "Une autre app ou un réglage modifie la position de ce téléphone\u{202F}: vos heures "
      + "pourraient être mises en doute.",
    .siteUnknown:
      "Votre équipe pointe sur ses sites, et aucune position n’est assez précise.",
    .offSite: "Votre équipe pointe sur ses sites, et votre position est en dehors de tous.",
    .notPlanned:
      "Votre équipe pointe pour des services prévus, et nous n’en connaissons aucun pour vous "
      + "maintenant.",
    .tooEarly:
      "Votre équipe pointe peu avant un service prévu, et le vôtre commence plus tard.",
  ]

  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "La localisation a été verrouillée sur votre téléphone",
    .denied: "L’accès à la position est désactivé",
    .notDetermined: "Veuillez autoriser à nouveau la position",
    .whenInUse: "Le suivi peut s’interrompre en arrière-plan",
    .servicesOff: "La localisation est désactivée sur votre téléphone",
    .accuracyReduced: "La position n’est qu’approximative",
    .noContact: "Nous avons perdu le contact avec votre téléphone",
    .noFix: "Votre téléphone ne trouve pas sa position",
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
      "Ce réglage vaut pour tout le téléphone. Votre service continue, mais le suivi est suspendu "
      + "jusqu’à ce qu’il soit réactivé.",
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

  static let steps: Texts<Step> = [
    // Anywhere.
    .openShiftApp: "Ouvrez l’app de pointage.",
    .returnToApp: "Revenez à l’app de pointage ; elle vérifie à nouveau d’elle-même.",
    .checkAgain: "Laissez-la vérifier à nouveau le réglage de la position.",
    .updateApp: "Si rien ne change, mettez à jour l’app de pointage.",
    .askManager:
      "En cas de blocage, adressez-vous à votre responsable, qui peut ouvrir le service pour vous.",
    .askAdministrator: "Demandez à la personne qui gère cet appareil d’y autoriser la position.",
    .whenUnlocked: "Une fois le verrou levé, autorisez la position dans les réglages :",
    .ifNoQuestion: "Si aucune question n’apparaît, passez plutôt par les réglages :",
    .servicesFirst:
      "Activez d’abord la localisation pour tout le téléphone ; cela suffit peut-être déjà. "
      + "Sinon :",
    .sendPosition: "Laissez l’app envoyer une position.",
    .viewOfSky: "Allez une minute près d’une fenêtre ou dehors.",
    .checkConnection: "Vérifiez que l’appareil est connecté à Internet.",
    .leaveRunning:
      "Laissez-la tourner en arrière-plan ; ne la fermez pas d’un glissement pendant le service.",
    .stopSimulating: "Fermez les apps qui modifient la position de l’appareil.",
    .useShiftApp:
      "Demandez à votre responsable l’app de pointage, qui peut suivre votre service en "
      + "arrière-plan.",
    .goToSite: "Allez sur votre lieu de travail et réessayez là-bas.",
    .waitForShift: "Attendez jusque-là et pointez à ce moment.",
    .askAboutPlan:
      "Si vous devez travailler maintenant, demandez à votre responsable de prévoir le service.",

    // The shift itself.
    .clockOutWhenDone: "Si votre travail est terminé, pointez votre départ.",
    .endBreakWhenDone: "Quand vous reprenez le travail, terminez la pause.",
    .confirmEnd: "Indiquez-y quand votre travail s’est réellement terminé.",
    .lookAtShift: "Ouvrez le service et consultez le motif.",
    .askAboutShift: "Si quelque chose n’est pas juste, parlez-en à votre responsable.",
    .takeShiftBack: "Pour suivre le service avec la page, ouvrez-la et reprenez-y le service.",
    .clockInYourself:
      "Pointez sur la page des employés, ou parlez-en à votre responsable.",
    .lookAtClockIn: "Ouvrez la liste des pointages qui attendent votre décision.",
    .reviewClockAction: "Acceptez ou rejetez chacun d’eux, et indiquez pourquoi.",
    .callOrReplan: "Appelez la personne, ou modifiez le service prévu sur sa page.",
    .nothingToDo: "Il n’y a rien à faire.",

    // iOS.
    .iosAllow:
      "Quand le téléphone pose la question, choisissez « Autoriser lorsque l’app est active ».",
    .iosChangeToAlways:
      "Si le téléphone repose la question, maintenant ou plus tard, passez à « Toujours "
      + "autoriser ».",
    .iosAppPage: "Ouvrez Réglages > l’app de pointage > Position.",
    .iosAppPageByPrivacy:
      "Introuvable ? Ouvrez Réglages > Confidentialité et sécurité > Service de localisation > "
      + "l’app de pointage.",
    .iosAppPageByPrivacyOld:
      "Introuvable ? Ouvrez Réglages > Confidentialité > Service de localisation > l’app de "
      + "pointage.",
    .iosChooseAlways: "Choisissez « Toujours ».",
    .iosServices:
      "Ouvrez Réglages > Confidentialité et sécurité > Service de localisation et activez-le.",
    .iosServicesOld: "Ouvrez Réglages > Confidentialité > Service de localisation et activez-le.",
    .iosPrecise: "Activez « Position exacte ».",
    .iosScreenTime:
      "Si vous gérez le téléphone vous-même, cherchez des restrictions dans Réglages > Temps "
      + "d’écran.",
    .iosBackgroundRefresh:
      "Ouvrez Réglages > Général > Actualisation en arrière-plan et activez l’app de pointage.",
    .iosLowPower: "Ouvrez Réglages > Batterie et désactivez le mode économie d’énergie.",
    .iosNotifications:
      "Ouvrez Réglages > Notifications > l’app de pointage et autorisez les notifications.",
    .iosClock: "Ouvrez Réglages > Général > Date et heure et activez « Réglage automatique ».",

    // Android.
    .androidAllow: "Quand le téléphone pose la question, choisissez « Autoriser ».",
    .androidAllowAllTheTime:
      "Quand le téléphone pose la question, choisissez « Toujours autoriser ».",
    .androidAllowWhileUsing:
      "Quand le téléphone pose la question, choisissez « Lorsque vous utilisez l’appli ».",
    .androidThenAllTheTime: "Sur la page qui s’ouvre ensuite, choisissez « Toujours autoriser ».",
    .androidAppPage:
      "Le plus souvent : Paramètres > Applications > l’app de pointage > Autorisations > Position.",
    .androidAppPageOld:
      "Le plus souvent : Paramètres > Applications et notifications > l’app de pointage > "
      + "Autorisations > Position.",
    .samsungAppPage:
      "Ouvrez Paramètres > Applications > l’app de pointage > Autorisations > Position.",
    .xiaomiAppPage:
      "Ouvrez Paramètres > Applications > Gérer les applications > l’app de pointage > "
      + "Autorisations > Position.",
    .androidChooseAllow: "Choisissez « Autoriser ».",
    .androidChooseAllTheTime: "Choisissez « Toujours autoriser ».",
    .androidServices: "Le plus souvent : Paramètres > Localisation, parfois Position. Activez-la.",
    .androidPrecise: "Activez « Position exacte ».",
    .androidBattery:
      "Le plus souvent : Paramètres > Applications > l’app de pointage > Batterie. Choisissez "
      + "« Sans restriction ».",
    .androidBatteryOld:
      "Cherchez « Optimisation de la batterie » dans les paramètres et choisissez « Ne pas "
      + "optimiser » pour l’app de pointage.",
    .samsungBattery:
      "Ouvrez Paramètres > Batterie > Limites utilisation arrière-plan > Apps jamais mises en "
      + "veille auto. et ajoutez l’app de pointage.",
    .xiaomiBattery:
      "Dans Paramètres > Applications > Gérer les applications > l’app de pointage, activez le "
      + "démarrage automatique et ôtez la limite de batterie.",
    .androidUnused:
      "Sur la page de l’app, désactivez « Suspendre activité appli si inutilisée » ou « Gérer "
      + "l’appli si inutilisée ».",
    .androidUnusedOld:
      "Sur la page de l’app, dans Autorisations, désactivez « Supprimer les autorisations si "
      + "l’application n’est pas utilisée ».",
    .androidPowerSave:
      "Le plus souvent : Paramètres > Batterie. Désactivez l’économiseur de batterie.",
    .androidNotifications:
      "Le plus souvent : Paramètres > Applications > l’app de pointage > Notifications. "
      + "Activez-les.",
    .androidClock:
      "Le plus souvent : Paramètres > Système > Date et heure. Activez l’heure automatique.",
    .androidMock:
      "Dans les options pour les développeurs, ne laissez aucune app fournir une position fictive.",

    // A page in a browser.
    .webOpen: "Ouvrez la page où vous pointez.",
    .webUpdate: "Si rien ne change, mettez à jour votre navigateur.",
    .webAllow: "Quand le navigateur pose la question, autorisez la position.",
    .webSiteSettings:
      "Ouvrez les autorisations de cette page, en général par l’icône à côté de son adresse.",
    .webAllowLocation: "Réglez la position sur « Autoriser ».",
    .webSystemSettings:
      "Si cela ne suffit pas, autorisez la position pour le navigateur dans les réglages "
      + "de l’appareil.",
    .webChromeSettings:
      "Choisissez l’icône à gauche de l’adresse, puis « Autorisations » ou « Paramètres du site ».",
    .webSafariSettings:
      "Ouvrez le menu de la page à côté de l’adresse (AA ou une icône avec des lignes), puis "
      + "« Réglages du site web ».",
    .webFirefoxSettings: "Touchez le cadenas à côté de l’adresse.",
    .webSamsungSettings: "Touchez le cadenas à côté de l’adresse, puis « Autorisations ».",
    .webInstalledSettings:
      "Cette page n’a pas d’adresse ici : dans les paramètres du navigateur, ouvrez "
      + "« Paramètres des sites », « Position », et choisissez-la.",
    .webInstalledAgain:
      "Fermez complètement cette page et rouvrez-la depuis l’écran d’accueil : elle demande alors "
      + "la position.",
    .webSystemAndroid:
      "Si besoin : Paramètres > Applications > votre navigateur > Autorisations > Position : "
      + "« Autoriser seulement si l’appli est utilisée ».",
    .webSystemSafari:
      "Si besoin : Réglages > Confidentialité et sécurité > Service de localisation > Sites web "
      + "Safari. Choisissez « Lorsque l’app est active ».",
    .webSystemIOS:
      "Si besoin : Réglages > Confidentialité et sécurité > Service de localisation > votre "
      + "navigateur. Choisissez « Lorsque l’app est active ».",
    .webAllowNotifications: "Réglez les notifications sur « Autoriser ».",
    .webKeepOpen: "Gardez cette page ouverte et l’écran allumé pendant votre service.",
    .webReload: "Rechargez cette page ; elle vérifie d’elle-même.",

    // An unknown system.
    .anyAllow:
      "Quand la question est posée, autorisez la position, tout le temps si c’est proposé.",
    .anyFindApp: "Ouvrez les réglages de votre appareil et cherchez l’app de pointage.",
    .anyAlways: "Réglez son accès à la position sur « Toujours » ou « Toujours autoriser ».",
    .anyServices: "Activez la localisation dans les réglages de votre appareil.",
    .anyPrecise: "Autorisez la position exacte.",
    .anyBattery: "Retirez-la de l’économie de batterie.",
    .anyBackground: "Laissez-la fonctionner en arrière-plan.",
    .anyPowerSave: "Désactivez l’économie d’énergie dans les réglages de votre appareil.",
    .anyNotifications: "Autorisez ses notifications.",
    .anyClock: "Activez l’heure automatique dans les réglages de votre appareil.",
  ]

  static let actions: Texts<ActionCode> = [
    .none: "OK",
    .requestPermission: "Autoriser la position",
    .openAppSettings: "Ouvrir les réglages",
    .openLocationSettings: "Activer la localisation",
    .openNotificationSettings: "Gérer les notifications",
    .openBatterySettings: "Réglages de batterie",
    .contactAdministrator: "Qui peut aider",
    .sendReport: "Vérifier à nouveau",
    .sendFix: "Envoyer une position",
    .checkClock: "Vérifier l’heure",
    .openApp: "Ouvrir l’app",
    .followSteps: "Voir les étapes",
    .takeOver: "Utiliser ce téléphone",
    .goToSite: "Voir où aller",
    .waitUntil: "Pointer plus tard",
    .askManager: "Demander au responsable",
    .turnOffMockLocation: "Voir les étapes",
  ]
}
