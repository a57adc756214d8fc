import GuardRules

extension Catalogue {
  static let french = Catalogue(
    titles: FrenchTexts.titles, reasons: FrenchTexts.reasons, steps: FrenchTexts.steps,
    phrases: FrenchTexts.phrases, notificationTitles: FrenchTexts.notificationTitles,
    notificationBodies: FrenchTexts.notificationBodies, causes: FrenchTexts.causes,
    actions: FrenchTexts.actions, privacy: FrenchTexts.privacy,
    appForms: [("l’app de pointage", ""), ("L’app de pointage", "")])
}

enum FrenchTexts {
  static let phrases: Texts<Phrase> = [
    .endsWithShift: "Le suivi s’arrête à la fin de votre service.",

    .deniedPerhapsByServices:
      "Le téléphone l’indique aussi quand la localisation est coupée pour tout l’appareil ; "
      + "l’activer suffit peut-être.",
    .whenInUseOnIOS:
      "Le téléphone a pu vous interroger et changer ce réglage ; le suivi peut s’interrompre en "
      + "arrière-plan.",
    .whenInUseInBrowser:
      "Une page ne peut suivre votre service que si elle est ouverte et l’écran allumé.",
    .whenInUseInBrowserTitle: "La position n’est accessible que si cette page est ouverte",
    .notDeterminedInBrowser:
      "Votre navigateur n’a pas encore posé la question, ou il la repose à chaque fois.",
    .alwaysNeeded:
      "Dans votre équipe, la position doit être réglée sur « Toujours » (Android : « Toujours "
      + "autoriser »).",
    .whenInUseNotEnough:
      "Dans votre équipe, la position est nécessaire tout le temps ; sinon le suivi peut "
      + "s’interrompre en arrière-plan.",
    .whenInUseOnIOSNotEnough:
      "Dans votre équipe, il faut le réglage « Toujours » ; le téléphone a pu vous interroger "
      + "et le changer.",
    .cannotReportNotEnough:
      "Dans votre équipe, il faut une app qui puisse indiquer son autorisation de position.",
    .pageNotEnoughTitle: "Cette page ne suffit pas pour pointer",
    .pageNotEnough:
      "Dans votre équipe, la position est nécessaire tout le temps ; une page ne l’a qu’ouverte. "
      + "Services et notes restent ici.",

    .required: "Les étapes montrent comment faire ; votre service peut ensuite être suivi.",
    .startNow: "Vous pouvez travailler normalement ; suivez les étapes quand cela vous convient.",
    .optional: "Tout fonctionne sans la position ; les étapes sont là si vous voulez.",
    .refine: "Vous pouvez travailler normalement ; cela rend seulement le suivi plus fiable.",
    .readyTitle: "La localisation est prête",
    .ready: "Votre service peut être suivi.",

    .goesOnWithGaps: "Votre service continue, mais il peut en manquer des parties.",
    .notificationWhenInUseOnIOS:
      "La position est maintenant sur « Lorsque l’app est active » ; le téléphone a pu vous "
      + "interroger et changer ce réglage. Sans « Toujours », le suivi peut s’interrompre en "
      + "arrière-plan.",

    .unstableTitle: "La localisation s’active et se coupe sans cesse",
    .unstable:
      "Elle est activée, ou l’était il y a un instant. Votre service continue, mais il peut en "
      + "manquer des parties.",

    .reminderTitle: "Travaillez-vous encore ?",
    .reminder:
      "Votre service est ouvert depuis longtemps. Si votre travail est terminé, pensez à pointer "
      + "votre départ.",
    .longBreakTitle: "Êtes-vous encore en pause ?",
    .longBreak:
      "Elle dure depuis longtemps. Aucune position n’est conservée tant que vous ne la terminez "
      + "pas.",
    .pageHiddenTitle: "Votre page n’est pas affichée",
    .pageHidden: "Votre service n’est enregistré que lorsque la page est à l’écran.",
    .awayTitle: "Vous êtes loin de votre lieu de travail",
    .away:
      "Depuis un certain temps, vos positions sont en dehors de tous les sites de votre service. "
      + "Le service continue.",
    .limitTitle: "Votre service a été terminé automatiquement",
    .limit:
      "Il avait atteint la durée maximale d’un service. Dites-nous quand votre travail s’est "
      + "réellement terminé : les positions postérieures sont supprimées.",
    .correctedTitle: "Votre service a été corrigé",
    .corrected:
      "Un responsable en a modifié les heures ou les pauses et a indiqué pourquoi. Les positions "
      + "hors du service sont masquées aussitôt et supprimées après 7 jours.",
    .openedTitle: "Votre service a été ouvert pour vous",
    .opened:
      "Un responsable l’a ouvert à l’heure de votre tentative de pointage et a indiqué pourquoi.",
    .addedTitle: "Un service passé a été ajouté pour vous",
    .added:
      "Un responsable l’a ajouté et a indiqué pourquoi. Vérifiez les heures : confirmez-les, ou "
      + "dites ce qui est faux.",
    .keptTitle: "Les heures de votre service restent inchangées",
    .kept:
      "Un responsable a vérifié les heures que vous avez contestées et les a laissées telles "
      + "qu’elles sont enregistrées.",
    .newsTitle: "Du nouveau sur votre service",
    .news: "Ouvrez l’application pour voir ce qui a changé.",
    .toConfirmTitle: "Un service attend votre confirmation",
    .openedByManager:
      "Un responsable a ouvert un service pour vous. Confirmez-le pour que votre position soit "
      + "enregistrée, ou refusez-le.",
    .openedByPlan:
      "Votre service prévu a commencé. Confirmez-le pour que votre position soit enregistrée, ou "
      + "refusez-le.",
    .notBegunTitle: "Vous n’avez pas pointé",
    .notBegun:
      "Votre téléphone voulait pointer pour vous, mais son autorisation de localisation ne le "
      + "permet pas, ou n’a pas pu être vérifiée.",
    .nearestSite: "Le site le plus proche\u{202F}:",
    .clockInFrom: "Vous pouvez pointer à partir de",
    .decimalSign: ",",
    .tookOverTitle: "Une application suit votre service",
    .tookOver:
      "L’application de votre téléphone a pris le relais de la page, que vous pouvez fermer.",
    .allowedTitle: "Pointage autorisé",
    .allowed:
      "Votre responsable vous autorise à pointer une fois malgré un problème signalé par votre "
      + "téléphone. L’application dit si autre chose l’empêche.",

    .restoredTitle: "Le suivi a repris",
    .restored: "Merci : le problème est résolu, et votre service est de nouveau suivi.",
    .trackedAgain: "Votre service est de nouveau suivi.",

    .interruptedTitle: "Le suivi d’un service est interrompu",
    .interrupted: "Le problème persiste. Un appel peut aider.",
    .atRiskTitle: "Le suivi d’un service risque d’être incomplet",
    .atRisk: "Le service est suivi, mais un réglage du téléphone rend des lacunes probables.",
    .employeeNotified: "La personne a été prévenue.",
    .employeeNotNotified: "La personne n’a pas encore été prévenue.",
    .resumedTitle: "Le suivi d’un service a repris",
    .resumed: "Le problème est résolu.",
    .severalTitle: "Plusieurs services demandent votre attention",
    .several: "Le suivi de plusieurs téléphones de votre équipe est interrompu ou menacé.",
    .lateTitle: "Quelqu’un de votre équipe est en retard",
    .late:
      "Ni pointage ni tentative de pointage n’est arrivé jusqu’ici. Le début prévu est indiqué "
      + "entre parenthèses.",
    .severalLate:
      "Aucun pointage n’est arrivé jusqu’ici de plusieurs personnes de votre équipe. Les débuts "
      + "prévus sont indiqués entre parenthèses.",
    .noShowTitle: "Quelqu’un n’est pas venu au service prévu",
    .noShow:
      "Pour le service prévu, ni pointage ni tentative de pointage n’est arrivé. Son début est "
      + "indiqué entre parenthèses.",
    .severalNoShow:
      "Plusieurs personnes de votre équipe ne sont pas venues à leur service prévu. Les débuts "
      + "prévus sont indiqués entre parenthèses.",
    .awayFromSiteTitle: "Quelqu’un n’est pas sur le lieu de travail",
    .awayFromSite:
      "Pendant un service, les positions sont depuis un moment hors de tous les lieux de travail.",
    .severalAway:
      "Plusieurs personnes de votre équipe sont depuis un moment hors de tous les lieux de travail "
      + "pendant leur service.",
    .endedByItselfTitle: "Un service s’est terminé sans pointage de fin",
    .endedByItself:
      "Il a atteint la durée maximale, et le suivi est terminé. Vérifiez l’heure réelle de la fin.",
    .severalEnded:
      "Les services de plusieurs personnes de votre équipe ont atteint la durée maximale. Vérifiez "
      + "l’heure réelle de leur fin.",
    .severalBlocked:
      "Plusieurs personnes de votre équipe n’ont pas pu pointer. Vous pouvez ouvrir leur service à "
      + "l’heure de leur tentative.",

    .blockedTitle: "Quelqu’un n’a pas pu pointer",
    .blocked:
      "Le réglage de la position d’un téléphone de votre équipe ne le permet pas. Vous pouvez "
      + "ouvrir le service à l’heure de la tentative.",
    .reviewTitle: "Un pointage hors ligne attend votre décision",
    .review:
      "Un téléphone de votre équipe était hors ligne à ce moment, et le pointage ne concorde pas "
      + "avec d’autres données.",

    .testTitle: "Notification de test",
    .test:
      "Ceci est un test pour vérifier que les notifications sur votre service vous parviennent.",
    .managersTest:
      "Ceci est un test pour vérifier que les notifications sur votre équipe vous parviennent.",

    .digestTitle: "La semaine de votre équipe",
    .digest: "Des corrections ultérieures peuvent modifier ces chiffres.",
    .digestHours: "Heures travaillées\u{202F}:",
    .digestTracked: "Part suivie\u{202F}:",
    .digestShifts: "Services\u{202F}:",
    .digestReviews: "En attente d’une décision\u{202F}:",
    .digestAllTracked: "Tout le temps de travail a été suivi.",
    .digestCauses: "Pourquoi du temps n’a pas été suivi\u{202F}:",
    .digestPage: "Tous les chiffres de la semaine\u{202F}:",

    .explanationTitle: "La localisation pendant votre service",
    .whyStandard:
      "Pendant votre travail, l’app de pointage enregistre où se trouve votre téléphone, même "
      + "dans votre poche. « Toujours » convient le mieux ; « Lorsque l’app est active » est "
      + "accepté.",
    .whyStrict:
      "Pendant votre travail, l’app de pointage enregistre où se trouve votre téléphone, même "
      + "dans votre poche. Votre équipe a besoin pour cela du réglage « Toujours ».",
    .whyAdvisory:
      "La position rend le relevé de votre travail plus complet. C’est à vous de choisir : tout "
      + "fonctionne sans elle.",
    .whyInBrowser:
      "Pendant votre travail, cette page enregistre où se trouve votre téléphone, tant qu’elle "
      + "est ouverte et l’écran allumé.",
    .completeHours: "Vos heures sont complètes sans que vous ayez à les noter.",
    .noBreaks:
      "Les pauses et le temps libre restent privés : aucune position n’est alors conservée.",
    .ownView: "Vous pouvez consulter vos propres services à tout moment.",
    .proceed: "Continuer",
    .later: "Pas maintenant",
    .iosAsksTwice:
      "Le téléphone pose une première question : choisissez « Autoriser lorsque l’app est "
      + "active ». S’il redemande, maintenant ou plus tard, passez à « Toujours autoriser ».",
    .androidAsksOnce: "Le téléphone pose une seule question : choisissez « Autoriser ».",
    .androidOffersAllTheTime:
      "Le téléphone pose une seule question : choisissez « Toujours autoriser ».",
    .androidAsksTwice:
      "Le téléphone pose une première question : choisissez « Lorsque vous utilisez l’appli ». "
      + "Sur la page qui s’ouvre ensuite, choisissez « Toujours autoriser ».",
    .androidDisclosure:
      "L’app de pointage collecte des données de localisation pour enregistrer vos services, même "
      + "lorsqu’elle est fermée ou inutilisée.",
    .browserOnlyOpen:
      "Le navigateur pose la question : autorisez la position. Une page ne peut suivre votre "
      + "service que si elle est ouverte et l’écran allumé.",
    .phoneAsks:
      "Votre appareil pose la question : autorisez la position, tout le temps si c’est proposé.",
  ]

  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Temps suivi",
    .onBreak: "Pause",
    .restricted: "Position bloquée par un administrateur",
    .servicesOff: "Localisation désactivée",
    .denied: "Accès à la position désactivé",
    .notDetermined: "Position pas encore autorisée",
    .appTerminated: "App fermée",
    .serviceUnavailable: "Panne du service",
    .waitingFirstFix: "Attente de la première position",
    .resuming: "Reprise",
    .noFix: "Aucune position",
    .noContact: "Aucun contact",
    .mockLocation: "Position simulée",
    .lowAccuracy: "Position trop imprécise",
    .pageHidden: "Page masquée",
    .notAsked: "Téléphone non sollicité pour le suivi",
  ]
}
