extension FrenchTexts {
  static let privacy: Texts<PrivacyText> = [
    .reportTitle: "Rapport sur l’enregistrement des services",
    .reportIntroduction:
      "Établi à partir des réglages actuels de cette installation. Il dit ce que fait le "
      + "programme. "
      + "Ce qui est licite et convenu, l’employeur et le comité d’entreprise en décident.",
    .recordedTitle: "Ce qui est enregistré, pourquoi et combien de temps",
    .data: "Données",
    .purpose: "De quoi il s’agit, et dans quel but",
    .kept: "Conservation",
    .positions: "Les positions",
    .positionsWhy:
      "Lieu, heure, précision, vitesse, direction et altitude du téléphone en service\u{202F}; "
      + "arrivées sur les sites. Pour montrer qu’un service a été enregistré, et où.",
    .coverage: "Couverture des services",
    .coverageWhy:
      "Réglages de localisation que le téléphone signale, périodes enregistrées et raisons des "
      + "autres, interruptions, pauses, corrections, notes, pointages et messages. Pour expliquer "
      + "pourquoi une minute manque, et pour aider.",
    .shifts: "Services",
    .shiftsWhy:
      "Heures prévues et travaillées, absences, durée des pauses, validations. Pour le temps de "
      + "travail et la paie.",
    .auditLog: "Journal d’audit",
    .auditLogWhy:
      "Qui a consulté des positions et dans quel but, et qui a modifié, exporté ou effacé quelque "
      + "chose. Pour que personne ne consulte des données à l’insu des autres.",
    .appEvents: "Usage de l’application",
    .appEventsWhy:
      "Quelle aide l’application a montrée et ce qu’il en est advenu. Pour mesurer, pour tous "
      + "ensemble, si elle guide bien.",
    .profile: "Salariés",
    .profileWhy:
      "Numéro, nom, équipe, et adresse e-mail et téléphone s’ils sont donnés. Pour savoir à qui "
      + "est "
      + "le service, et pour joindre la personne.",
    .phones: "Téléphones",
    .phonesWhy:
      "Système, modèle, application, langue, dernier contact, derniers réglages de localisation, "
      + "adresse pour les messages push. Pour joindre la personne et donner les bonnes étapes.",
    .accounts: "Comptes des responsables",
    .accountsWhy:
      "Adresse e-mail, nom, droits, empreinte du mot de passe, connexions avec adresse et "
      + "navigateur. Pour se connecter.",
    .days: "jours",
    .untilErased: "jusqu’à l’effacement de la personne",
    .accountsKept:
      "jusqu’à la désactivation, le nom pour toujours\u{202F}; connexions 37 jours au plus",
    .deletion:
      "Les données plus anciennes sont effacées d’elles-mêmes en un jour, les positions par "
      + "semaines entières, donc jusqu’à sept jours plus tard.",

    .whenTitle: "Quand cela est enregistré",
    .onlyOnShift:
      "Les positions ne sont enregistrées qu’entre la prise de service et la fin de service.",
    .notOnBreaks: "Pendant une pause, aucune position n’est conservée.",
    .offShift:
      "Hors service, seuls les derniers réglages de localisation du téléphone et l’heure de son "
      + "dernier contact sont conservés, jamais un lieu.",
    .forgottenEnd:
      "Un service sans fin pointée se termine de lui-même. Quand la personne confirme une fin plus "
      + "tôt, les positions suivantes sont effacées.",
    .team: "Équipe",
    .interval: "Une position toutes les",
    .clockIn: "Pour prendre le service",
    .placeAndTime: "Lieu et heure de la prise de service",
    .alwaysNeeded: "La localisation doit être toujours autorisée.",
    .whileInUseEnough:
      "La localisation doit être autorisée\u{202F}; quand l’application est ouverte suffit, "
      + "avec un "
      + "avertissement.",
    .neverBlocked: "Toujours possible, avec un conseil au plus.",
    .placeCompared: "La position est comparée avec les sites de l’équipe.",
    .timeCompared: "L’heure est comparée avec le planning.",
    .awayTold: "La personne est avertie quand elle est hors de tous les sites depuis",
    .notCompared: "Rien n’est comparé.",

    .whoTitle: "Qui le voit",
    .employeeSees:
      "Les salariés voient leurs propres services, lacunes et messages, et qui a consulté leurs "
      + "positions dans quel but.",
    .coverageSees:
      "Les responsables qui ont droit à la couverture voient états, raisons et heures, sans lieu, "
      + "ainsi que l’adresse e-mail et le téléphone.",
    .trackSees:
      "Les responsables qui ont droit aux positions voient les lieux après avoir indiqué un but. "
      + "Il est noté avant tout affichage, et la personne peut le lire.",
    .administratorsSee: "Les administrateurs voient toutes les équipes, de la même manière.",
    .databaseSees: "Qui gère la base de données et ses sauvegardes peut tout lire.",
    .mayCoverage: "Peut voir la couverture",
    .mayTrack: "Peut voir les positions",
    .isNotified: "Est averti",
    .administrators: "Administrateurs\u{202F}:",
    .programs: "Programmes avec accès\u{202F}:",
    .nobody: "personne",
    .outsideTitle: "Autres destinataires de messages, dont aucun ne nomme un lieu",
    .outsideNone: "Personne\u{202F}: aucun canal n’est configuré.",
    .apple: "Apple, pour les messages push vers les iPhone",
    .google: "Google, pour les messages push vers les téléphones Android",
    .browserService: "Le service push du navigateur",
    .mailService: "Le serveur de messagerie\u{202F}:",
    .webhooks: "Les programmes que les administrateurs nomment comme contacts",
    .mapService: "Un service de cartes apprend quelle zone un responsable regarde\u{202F}:",

    .neverTitle: "Ce qui ne se fait pas",
    .neverLogged:
      "Aucun journal du programme, aucun titre de page et aucun message ne contient un lieu.",
    .neverRanked: "Les salariés ne sont ni classés ni comparés.",
    .neverArrivals:
      "Personne n’est averti d’une arrivée sur un site, et aucun site n’est surveillé hors "
      + "service.",
    .neverInterpreted:
      "D’un téléphone silencieux, il n’est jamais dit que sa localisation est désactivée.",
    .neverSentHome: "Rien n’est envoyé aux auteurs du programme.",
    .rightsTitle: "Ce que les salariés peuvent demander",
    .rightToCopy:
      "Une copie de tout ce qui est conservé sur eux. La copie est notée dans le journal d’audit.",
    .rightToErasure: "L’effacement de tout ce qui est conservé sur eux, aussitôt et pour toujours.",
    .rightToCorrection:
      "La correction d’heures. L’original reste visible, et ils apprennent qui a changé quoi et "
      + "pourquoi.",
    .rightToObject:
      "Ils ajoutent des notes aux lacunes, et contestent les heures que d’autres ont saisies.",
    .noticeVersion:
      "Les salariés confirment avoir lu l’avis de confidentialité, version",
    .noNotice: "Aucun avis de confidentialité n’est encore publié.",

    .assessmentTitle: "Projet d’analyse d’impact relative à la protection des données",
    .assessmentIntroduction:
      "L’article 35 du RGPD demande une description, une évaluation de la nécessité, les "
      + "risques et "
      + "les mesures. Les parties ci-dessus sont la description.",
    .necessityTitle: "Nécessité et proportion",
    .necessityTime:
      "Seul le temps de travail est enregistré, à l’intervalle indiqué, rien pendant les pauses ni "
      + "après le travail.",
    .necessityChoice:
      "Chaque équipe a ses propres règles, et chaque durée peut être réduite\u{202F}: les chiffres "
      + "ci-dessus valent maintenant.",
    .necessityOpenness:
      "Les salariés voient les mêmes données que leurs responsables, et chaque consultation de "
      + "leurs positions.",
    .risksTitle: "Risques et mesures",
    .risk: "Risque",
    .measure: "Mesure dans le programme",
    .privateTime: "Du temps privé est enregistré.",
    .privateTimeMeasure:
      "Les positions hors service et des pauses ne sont pas acceptées, et un service oublié se "
      + "termine de lui-même.",
    .curiosity: "Des positions sont consultées sans besoin.",
    .curiosityMeasure:
      "Un droit à part, un but, et une entrée que la personne lit, avant tout affichage.",
    .performance: "Le comportement est jugé d’après les déplacements.",
    .performanceMeasure:
      "Pas de classement, pas de message sur les arrivées, et aucun chiffre hormis le temps "
      + "enregistré.",
    .suspicion: "Une lacune est reprochée à une personne.",
    .suspicionMeasure:
      "Chaque lacune a sa cause, nos propres pannes comprises. Les causes auxquelles personne ne "
      + "peut rien ne comptent pas, et les salariés ajoutent des notes.",
    .leak: "Des données sont volées ou perdues.",
    .leakMeasure:
      "Mots de passe et jetons ne sont conservés que sous forme d’empreinte, les droits cessent "
      + "aussitôt, le programme ne peut pas modifier le journal d’audit, l’âge des sauvegardes est "
      + "vérifié.",
    .excess: "Des données sont conservées plus longtemps que nécessaire.",
    .excessMeasure: "Elles sont effacées d’elles-mêmes après les durées ci-dessus.",
    .employerTitle: "À compléter par l’employeur",
    .employerBasis: "Base légale, et accord d’entreprise s’il existe",
    .employerNeed: "Pourquoi des moyens moins intrusifs ne suffisent pas au but",
    .employerViews: "Avis des salariés et du comité d’entreprise",
    .employerAdvice: "Conseil de la personne chargée de la protection des données",
    .employerDecision: "Risques qui restent, décision, date et signature",

    .handOutTitle: "Vos services, enregistrés avec votre téléphone",
    .connectTitle: "Connectez votre téléphone",
    .connectOpen:
      "Scannez le code que vous avez reçu, ou ouvrez cette adresse sur votre téléphone\u{202F}:",
    .connectCode: "Entrez le code. Il connecte un téléphone.",
    .connectRead: "Lisez l’avis de confidentialité, et confirmez-le.",
    .allowTitle: "Autorisez la localisation",
    .allowAsked: "À la prise de service, le téléphone demande votre position. Autorisez-la.",
    .allowAlways:
      "Votre équipe a besoin d’une application dont la localisation est réglée sur "
      + "«\u{202F}Toujours\u{202F}» (Android\u{202F}: «\u{202F}Toujours autoriser\u{202F}»). "
      + "Une page "
      + "dans le navigateur ne suffit pas.",
    .allowOpenPage:
      "Dans le navigateur, gardez la page ouverte et à l’écran. Sinon, des parties du service "
      + "manquent.",
    .blockedWithout:
      "Sans localisation, vous ne pouvez pas prendre le service. La page dit alors ce qui aide.",
    .neverBlockedYou: "Vous pouvez aussi prendre le service sans localisation.",
    .coloursTitle: "Ce que signifient les couleurs",
    .green: "Vert\u{202F}: votre service est enregistré.",
    .lightGreen: "Vert clair\u{202F}: il est enregistré, mais des lacunes sont probables.",
    .red: "Rouge\u{202F}: il n’est pas enregistré. La page dit pourquoi, et ce qui aide.",
    .grey: "Gris\u{202F}: votre pause. Aucune position n’est conservée.",
    .yourDataTitle: "Ce qui est enregistré de vous",
    .yourPositions: "En service, votre position toutes les",
    .yourPositionsKept: "Les positions sont effacées après ce nombre de jours\u{202F}:",
    .yourRights:
      "Sur la page, vous voyez vos services et qui a consulté vos positions. Vous pouvez demander "
      + "une copie, une correction et l’effacement.",
    .askTitle: "À qui demander",
    .askManagers: "Vos responsables\u{202F}:",
    .askTelephone: "Téléphone\u{202F}:",
  ]
}
