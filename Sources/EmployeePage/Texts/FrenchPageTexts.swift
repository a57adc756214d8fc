extension PageTexts {
  static let french: KeyValuePairs<PageText, String> = [
    .needsScript:
      "Cette page a besoin de JavaScript. Activez-le, utilisez l’app de votre employeur, ou "
      + "demandez à votre responsable d’enregistrer votre service.",
    .noTexts: "Pas de connexion",

    .language: "Langue",
    .menu: "Menu",
    .work: "Service",
    .myShifts: "Mes services",
    .privacy: "Vie privée",
    .close: "Fermer",
    .cancel: "Annuler",
    .save: "Enregistrer",
    .saved: "Enregistré.",
    .notSaved: "Non enregistré. Veuillez réessayer.",
    .wait: "Un instant…",
    .now: "maintenant",
    .notThere: "Chargement impossible.",

    .offline:
      "Vous êtes hors ligne. Vos pointages et positions sont gardés sur ce téléphone et "
      + "envoyés plus tard.",
    .waitingRecords: "Pointages et positions à envoyer :",
    .queueFull:
      "La mémoire hors ligne est pleine : les nouvelles positions ne sont plus enregistrées. "
      + "Connectez-vous à Internet.",
    .cannotStore:
      "Ce navigateur empêche la page d’enregistrer quoi que ce soit, par exemple en navigation "
      + "privée. Ouvrez-la dans une fenêtre normale.",
    .clockOff: "L’heure de ce téléphone est fausse. Nous corrigeons les heures de votre service.",
    .serverTrouble: "Le système est surchargé. Réessayez dans un instant.",
    .noNetwork: "Pas de connexion. Réessayez quand vous serez en ligne.",

    .connect: "Connecter ce téléphone",
    .connectHow: "Scannez le code QR de votre responsable, ou saisissez le code ici.",
    .code: "Code",
    .connectButton: "Connecter",
    .codeUnknown:
      "Ce code est inconnu, expiré ou déjà utilisé. Demandez-en un nouveau à votre "
      + "responsable.",
    .tooMany: "Trop de tentatives. Attendez une minute.",
    .connected: "Ce téléphone est connecté",
    .replaced: "Le téléphone ou le navigateur qui avait utilisé ce code est maintenant déconnecté.",
    .homeScreen:
      "Voulez-vous cette page sur l’écran d’accueil ? Ajoutez-la maintenant par le menu du "
      + "navigateur. Si elle y demande un code, saisissez celui-ci encore une fois dans les 10 "
      + "minutes :",
    .connectAgain: "Connecter de nouveau ce téléphone ?",
    .connectAgainWhy: "Il est déjà connecté. Le nouveau code crée une nouvelle connexion.",
    .recordsKept:
      "Éléments non envoyés, conservés sur ce téléphone jusqu’à la prochaine connexion :",
    .recordsDeleted: "Éléments non envoyés de la personne précédente, supprimés de ce téléphone :",
    .notifyWhy:
      "Recevez une notification quand le suivi s’arrête, même quand cette page est fermée. Elle ne "
      + "contient aucune position.",
    .notifyMe: "Activer les notifications",
    .revoked: "Ce téléphone n’est plus connecté. Demandez un nouveau code à votre responsable.",

    .status: "État de la localisation",
    .levelRequired: "À régler :",
    .levelSuggestion: "À améliorer :",
    .levelQuiet: "Info :",
    .lastChecked: "Dernière vérification :",
    .checkNow: "Vérifier",
    .checked: "Vérifié.",
    .unchanged: "vérifié à l’instant, rien n’a changé",
    .showSteps: "Voir les étapes",
    .gotIt: "Compris",
    .whatToDo: "Ce que vous pouvez faire",
    .dismiss: "Masquer",
    .openShift: "Ouvrir le service",

    .offShift: "Pas en service",
    .onShift: "En service",
    .onBreak: "En pause",
    .since: "Depuis",
    .breakSince: "En pause depuis",
    .tracking: "Suivi",
    .unknown: "Inconnu",
    .clockIn: "Pointer l’arrivée",
    .clockOut: "Pointer le départ",
    .breakStart: "Commencer la pause",
    .breakEnd: "Terminer la pause",
    .takeOver: "Utiliser ce téléphone",
    .takeBack: "Suivre avec cette page",
    .elsewhere: "Un autre téléphone suit ce service.",
    .noneTracks: "Aucun téléphone ne suit ce service en ce moment.",
    .appTracks:
      "Une application de votre téléphone suit ce service. Vous pouvez fermer cette page.",
    .onlyOnScreen:
      "Cette page ne suit votre service que lorsqu’elle est ouverte et à l’écran. Si vous "
      + "changez d’app ou verrouillez le téléphone, le suivi s’interrompt jusqu’à votre retour.",
    .keepOpen: "Gardez cette page ouverte et à l’écran.",
    .placeWhy:
      "Quand vous pointez, votre position est comparée avec les sites de votre équipe ; si vous "
      + "ne pouvez pas pointer, elle n’est pas conservée.",
    .notSentYet: "Pas encore envoyé. L’heure de votre pointage est gardée.",
    .noPosition:
      "Ce téléphone ne trouve pas de position pour le moment. Allez une minute près d’une "
      + "fenêtre ou dehors, et vérifiez dans les réglages du téléphone que la position est "
      + "activée. Votre service continue.",
    .allowedBy: "Autorisé par",
    .allowedBySelf: "Votre motif :",
    .stateTracked: "Actif",
    .stateAtRisk: "Actif, lacunes probables",
    .stateOnBreak: "Suspendu pendant la pause",
    .stateNotTracked: "Inactif",
    .stateOffShift: "Arrêté",
    .openedByManager: "Votre responsable a ouvert un service pour vous",
    .openedByPlan: "Votre service prévu a commencé",
    .openedBy: "Ouvert par",
    .reason: "Motif",
    .confirmWhy:
      "Confirmez-le pour que votre position soit enregistrée, ou refusez-le. D’ici là, "
      + "aucune position n’est enregistrée.",
    .confirmShift: "Confirmer le service",
    .declineShift: "Refuser le service",
    .declineWhy:
      "Le service se termine maintenant et votre responsable l’examinera. Vous pourrez "
      + "pointer plus tard comme d’habitude.",
    .confirmed: "Service confirmé",
    .declined: "Service refusé",

    .clockedIn: "Arrivée pointée",
    .clockedOut: "Départ pointé",
    .breakStarted: "Pause commencée",
    .breakEnded: "Pause terminée",
    .tookOver: "Ce téléphone suit maintenant votre service",
    .blocked: "Arrivée non pointée : la position est nécessaire",
    .askingServer: "Vérification…",
    .unblocked: "La position est maintenant autorisée",
    .mayClockIn: "Vous pouvez pointer votre arrivée",
    .nowClockIn: "Votre arrivée n’est pas encore pointée : touchez de nouveau le bouton.",
    .storedTitle: "Enregistré sur ce téléphone",
    .stored: "Votre pointage sera envoyé avec son heure d’origine dès que vous serez en ligne.",
    .storedBlocked:
      "Votre tentative est enregistrée avec son heure ; votre responsable pourra l’examiner.",
    .keptTitle: "Votre responsable doit examiner ceci",
    .keptBlocked: "Les règles de votre équipe ne le permettaient pas à ce moment.",
    .keptOverlaps: "Cela chevauche un autre service.",
    .keptTooOld: "Cela date de plus de 24 heures.",
    .keptOutOfOrder: "Cela ne correspond pas à ce qui est déjà enregistré.",
    .keptNoOpenShift: "Aucun service n’était ouvert à ce moment.",
    .keptTooManyWaiting:
      "Trop de vos pointages attendent un examen. Celui-ci reste sur ce téléphone, qui le renvoie "
      + "chaque jour.",
    .problemOpenElsewhere: "Votre service est ouvert sur un autre téléphone",
    .problemNoOpenShift: "Aucun service n’est ouvert",
    .problemNotOnBreak: "Vous n’êtes pas en pause",
    .problemOutOfOrder: "Un pointage plus récent existe déjà",
    .problemOverlapsShift: "Cela chevauche un service terminé",
    .problemNoWaitingShift: "Aucun service n’attend votre réponse",
    .problemOther: "Cela n’a pas été accepté",
    .overrideReason: "Votre motif pour pointer sans position",
    .clockInAnyway: "Pointer quand même",

    .noShifts: "Vous n’avez pas encore de service.",
    .allShifts: "Tous les services",
    .shift: "Service",
    .ofShiftTracked: "du temps de travail suivi",
    .whatHappened: "Ce qui s’est passé",
    .endedAtLimit: "Terminé automatiquement",
    .endedByManager: "Terminé par votre responsable",
    .endConfirmed: "Fin indiquée par vous après la clôture automatique du service",
    .anotherPhone: "Un autre téléphone a pris le relais",
    .thisPhone: "Ce téléphone a pris le relais",
    .offSite: "En dehors de tous les sites",
    .phoneOffline: "Téléphone hors ligne, ses données sont arrivées plus tard",
    .notified: "Vous avez été averti",
    .notifiedEnd: "Vous avez été averti que c’est terminé",
    .managersTold: "Vos responsables ont été avertis",
    .managersToo: "vos responsables aussi",
    .correctedBy: "Horaires corrigés par",
    .notTracked: "Sans suivi",
    .lastSeen: "vu pour la dernière fois à",
    .notCounted: "Non compté",
    .addNote: "Ajouter une note",
    .note: "Note",
    .noteWho: "Vos responsables peuvent la lire.",
    .likely: "probablement :",
    .whenEnded: "Quand votre travail s’est-il vraiment terminé ?",
    .whenEndedWhy:
      "Le service a atteint sa durée maximale. Les positions après l’heure indiquée sont "
      + "supprimées.",
    .workingTime: "Temps de travail",
    .withoutBreaks: "sans les pauses",
    .paidTime: "Temps payé",
    .paidTimeWhy:
      "Le temps payé suit la règle de votre équipe pour l’arrondi et les pauses.",
    .confirmTimes: "Ces heures sont exactes",
    .confirmTimesWhy:
      "Votre responsable voit que vous êtes d’accord, et décide si une heure est inexacte.",
    .objectToTimes: "Une heure est inexacte",
    .objectWhy: "Qu’est-ce qui est inexact ? Votre responsable le lit et décide.",
    .addedByManager: "Votre responsable a ajouté ce service après coup",
    .addedBy: "Ajouté par",
    .addedWhy:
      "Votre responsable a ajouté ce service. Il est payé dès que vous le confirmez ; sinon, votre "
      + "responsable peut le valider après une semaine.",
    .toConfirm: "Veuillez confirmer ce service",
    .changedMeanwhile: "Ce service a changé. Veuillez le vérifier.",
    .breaks: "Pauses",
    .objected: "Vous avez signalé une heure inexacte",
    .objectionWaits: "Votre responsable n’a pas encore décidé.",
    .objectionDecided: "Votre responsable a maintenu les heures.",
    .timesConfirmed: "Vous avez confirmé ces heures",
    .timesApproved: "Validé pour la paie par",
    .confirmEnd: "Confirmer la fin",
    .timeTwice: "Cette heure existe deux fois : l’horloge est reculée. Laquelle voulez-vous dire ?",
    .timeSkipped: "Cette heure n’existe pas : l’horloge est avancée. Laquelle voulez-vous dire ?",
    .reasonNotAsked: "Aucun suivi n’était prévu à ce moment",
    .reasonServiceUnavailable: "Notre système était indisponible",
    .reasonAppTerminated: "L’app était fermée",
    .reasonMockLocation: "Les positions semblaient simulées",
    .reasonLowAccuracy: "Les positions étaient trop imprécises",
    .reasonPageHidden: "La page n’était pas à l’écran",
    .reasonWaitingFirstFix: "En attente de la première position",
    .reasonResuming: "Le suivi reprenait",
    .reasonNoContact: "Pas de contact avec le téléphone",
    .reasonNoFix: "Le téléphone ne trouvait pas sa position",

    .privacyNotice: "Avis de confidentialité",
    .readFirst: "Veuillez d’abord lire ceci. Vous pourrez ensuite continuer.",
    .noNotice: "Il n’y a pas encore d’avis de confidentialité.",
    .noticeOf: "Version du",
    .readAt: "Lecture confirmée le",
    .confirmRead: "J’ai lu ceci",
    .whoLooked: "Qui a consulté ma position",
    .nobodyLooked: "Personne ne l’a consultée.",
    .auditTrackViewed: "a consulté les positions d’un service.",
    .auditTrackExported: "a téléchargé les positions d’un service.",
    .auditMapViewed: "a consulté une carte des employés en service.",
    .auditEmployeeExported: "a exporté toutes vos données.",

    .unstoredTitle: "Pas encore envoyé",
    .unstoredWhy:
      "Laissez cette page ouverte jusqu’à l’envoi : le navigateur ne peut pas le garder.",
    .recordsKeptWhy:
      "Vos pointages seront envoyés à la prochaine connexion. Les positions ne seront pas "
      + "acceptées, car elles viennent d’une connexion précédente.",
    .refused: "Positions non acceptées",
    .refusedNotTrackingDevice:
      "Un autre téléphone suivait le service, ou celui-ci avec sa connexion précédente :",
    .refusedTooLate: "Plus de sept jours à leur arrivée :",
    .refusedInvalid: "Illisibles :",
  ]
}
