extension FrenchTexts {
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
      "Activez d’abord la position pour tout le téléphone ; cela suffit peut-être déjà. Sinon :",
    .sendPosition: "Laissez l’app envoyer une position.",
    .viewOfSky: "Allez une minute près d’une fenêtre ou dehors.",
    .checkConnection: "Vérifiez que l’appareil est connecté à Internet.",
    .leaveRunning:
      "Laissez-la tourner en arrière-plan ; ne la fermez pas d’un glissement pendant le service.",
    .stopSimulating: "Fermez les apps qui modifient la position de l’appareil.",
    .useShiftApp:
      "Demandez à votre responsable l’app de pointage, qui peut suivre votre service en "
      + "arrière-plan.",

    // The shift itself.
    .clockOutWhenDone: "Si votre travail est terminé, pointez votre départ.",
    .endBreakWhenDone: "Quand vous reprenez le travail, terminez la pause.",
    .confirmEnd: "Indiquez-y quand votre travail s’est réellement terminé.",
    .lookAtShift: "Ouvrez le service et consultez le motif.",
    .askAboutShift: "Si quelque chose n’est pas juste, parlez-en à votre responsable.",
    .lookAtClockIn: "Ouvrez la liste des pointages qui attendent votre décision.",
    .reviewClockAction: "Acceptez ou rejetez chacun d’eux, et indiquez pourquoi.",
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
      "Ouvrez Paramètres > Batterie > Limites d’utilisation en arrière-plan > Applications jamais "
      + "mises en veille et ajoutez l’app de pointage.",
    .xiaomiBattery:
      "Dans Paramètres > Applications > Gérer les applications > l’app de pointage, activez le "
      + "démarrage automatique et ôtez la limite de batterie.",
    .androidUnused: "Sur la page de l’app, désactivez « Suspendre activité appli si inutilisée ».",
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
    .webAllow: "Quand le navigateur pose la question, choisissez « Autoriser ».",
    .webSiteSettings:
      "Ouvrez les autorisations de cette page, en général par le symbole à côté de son adresse.",
    .webAllowLocation: "Réglez la position sur « Autoriser ».",
    .webAllowNotifications: "Réglez les notifications sur « Autoriser ».",
    .webKeepOpen: "Gardez cette page ouverte et l’écran allumé pendant votre service.",
    .webReload: "Rechargez cette page ; elle vérifie d’elle-même.",

    // An unknown system.
    .anyAllow:
      "Quand la question est posée, autorisez la position, tout le temps si c’est proposé.",
    .anyFindApp: "Ouvrez les réglages de votre appareil et cherchez l’app de pointage.",
    .anyAlways: "Réglez son accès à la position sur « Toujours » ou « Toujours autoriser ».",
    .anyServices: "Activez la position dans les réglages de votre appareil.",
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
