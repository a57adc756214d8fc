extension EnglishTexts {
  static let privacy: Texts<PrivacyText> = [
    .reportTitle: "Report on the recording of shifts",
    .reportIntroduction:
      "Made from the settings of this installation as they are now. It says what the program "
      + "does. What of it is lawful and agreed is for the employer and the works council to "
      + "decide.",
    .recordedTitle: "What is recorded, why, and for how long",
    .data: "Data",
    .purpose: "What it is, and what for",
    .kept: "Kept for",
    .positions: "Positions",
    .positionsWhy:
      "Place, time, accuracy, speed, direction and altitude of the phone on shift; arrivals at "
      + "sites. To show that a shift was recorded, and where.",
    .coverage: "Coverage of shifts",
    .coverageWhy:
      "Location settings that the phone reports, spans that were recorded and why others were not, "
      + "interruptions, breaks, corrections, notes, clock actions and messages. To explain why a "
      + "minute is missing, and to help.",
    .shifts: "Shifts",
    .shiftsWhy:
      "Planned and worked times, absences, length of breaks, approvals. For working time and pay.",
    .auditLog: "Audit log",
    .auditLogWhy:
      "Who viewed positions for what purpose, and who changed, exported or erased something. So "
      + "that nobody views data unseen.",
    .appEvents: "Use of the app",
    .appEventsWhy:
      "Which help the app showed and what came of it. To measure, for all employees together, how "
      + "well it guides.",
    .profile: "Employees",
    .profileWhy:
      "Number, name, team, and an e-mail address and a phone number if given. To know whose shift "
      + "it is, and to reach them.",
    .phones: "Phones",
    .phonesWhy:
      "System, model, app, language, last contact, newest location settings, address for push "
      + "messages. To reach the employee and to give the right steps.",
    .accounts: "Accounts of managers",
    .accountsWhy:
      "E-mail address, name, rights, a hash of the password, logins with address and browser. To "
      + "log in.",
    .days: "days",
    .untilErased: "until the employee is erased",
    .accountsKept: "until disabled, the name for good; logins at most 37 days",
    .deletion:
      "Older data is deleted by itself within a day, positions by whole weeks, so up to seven days "
      + "later.",

    .whenTitle: "When it is recorded",
    .onlyOnShift: "Positions are recorded only between clock-in and clock-out.",
    .notOnBreaks: "During a break no position is stored.",
    .offShift:
      "Off shift only the newest location settings of the phone and the time of its last contact "
      + "are kept, never a place.",
    .forgottenEnd:
      "A shift without a clock-out ends by itself. When the employee confirms an earlier end, the "
      + "positions after it are deleted.",
    .team: "Team",
    .interval: "A position every",
    .clockIn: "To clock in",
    .placeAndTime: "Place and time of a clock-in",
    .alwaysNeeded: "Location must be allowed always.",
    .whileInUseEnough: "Location must be allowed; while the app is open is enough, with a warning.",
    .neverBlocked: "Always possible, with advice at most.",
    .placeCompared: "The position is compared with the sites of the team.",
    .timeCompared: "The time is compared with the plan.",
    .awayTold: "The employee is told when away from all sites for",
    .notCompared: "Neither is compared.",

    .whoTitle: "Who sees it",
    .employeeSees:
      "Employees see their own shifts, gaps and messages, and who viewed their positions for what "
      + "purpose.",
    .coverageSees:
      "Managers with the right to coverage see states, reasons and times, no places, and e-mail "
      + "address and phone number.",
    .trackSees:
      "Managers with the right to positions see places after they state a purpose. It is recorded "
      + "before anything is shown, and the employee can read it.",
    .administratorsSee: "Administrators see all teams, by the same steps.",
    .databaseSees: "Administrators of the database and of its backups can read everything.",
    .mayCoverage: "May see coverage",
    .mayTrack: "May see positions",
    .isNotified: "Is notified",
    .administrators: "Administrators:",
    .programs: "Programs with access:",
    .nobody: "nobody",
    .outsideTitle: "Others who receive messages, none of which names a place",
    .outsideNone: "Nobody: no channel is set up.",
    .apple: "Apple, for push messages to iPhones",
    .google: "Google, for push messages to Android phones",
    .browserService: "The push service of the browser",
    .mailService: "The mail server:",
    .webhooks: "Programs that administrators name as contacts",
    .mapService: "A map service learns which area a manager views:",

    .neverTitle: "What is not done",
    .neverLogged: "No log of the program, no page title and no message contains a place.",
    .neverRanked: "Employees are not ranked and not compared.",
    .neverArrivals: "Nobody is notified of an arrival at a site, and no site is watched off shift.",
    .neverInterpreted: "A phone that is silent is never said to have its location switched off.",
    .neverSentHome: "Nothing is sent to the makers of the program.",
    .rightsTitle: "What employees can ask for",
    .rightToCopy: "A copy of everything stored about them. The copy is noted in the audit log.",
    .rightToErasure: "Erasure of everything stored about them, at once and for good.",
    .rightToCorrection:
      "Correction of times. The original stays visible, and they learn who changed what and why.",
    .rightToObject: "They add notes to gaps, and object to times that others entered.",
    .noticeVersion: "Employees confirm that they have read the privacy notice, version",
    .noNotice: "No privacy notice is published yet.",

    .assessmentTitle: "Draft of a data protection impact assessment",
    .assessmentIntroduction:
      "Article 35 of the GDPR asks for a description, an assessment of necessity, the risks, and "
      + "the measures. The sections above are the description.",
    .necessityTitle: "Necessity and proportion",
    .necessityTime:
      "Only working time is recorded, at the interval above, nothing on breaks and after work.",
    .necessityChoice:
      "Each team has its own rules, and every period can be shortened: the figures above hold now.",
    .necessityOpenness:
      "Employees see the same records as their managers, and every view of their positions.",
    .risksTitle: "Risks and measures",
    .risk: "Risk",
    .measure: "Measure in the program",
    .privateTime: "Private time is recorded.",
    .privateTimeMeasure:
      "Positions from outside a shift and from breaks are not accepted, and a forgotten shift ends "
      + "by itself.",
    .curiosity: "Positions are viewed without need.",
    .curiosityMeasure:
      "A right of its own, a purpose, and an entry that the employee reads, before anything is "
      + "shown.",
    .performance: "Behaviour is judged by movements.",
    .performanceMeasure:
      "No ranking, no message about arrivals, and no figure for anything but recorded time.",
    .suspicion: "A gap is held against an employee.",
    .suspicionMeasure:
      "Each gap has its cause, our own outages included. Causes that nobody can help do not count, "
      + "and employees add notes.",
    .leak: "Data is stolen or lost.",
    .leakMeasure:
      "Passwords and tokens are stored as hashes, rights end at once, the program may not change "
      + "the audit log, backups are checked for their age.",
    .excess: "Data is kept longer than needed.",
    .excessMeasure: "It is deleted by itself after the periods above.",
    .employerTitle: "For the employer to complete",
    .employerBasis: "Legal basis, and the works agreement if there is one",
    .employerNeed: "Why milder means are not enough for the purpose",
    .employerViews: "Views of the employees and of the works council",
    .employerAdvice: "Advice of the person responsible for data protection",
    .employerDecision: "Risks that remain, decision, date and signature",

    .handOutTitle: "Your shifts, recorded with your phone",
    .connectTitle: "Connect your phone",
    .connectOpen: "Scan the code that you were given, or open this address on your phone:",
    .connectCode: "Enter the code. It connects one phone.",
    .connectRead: "Read the privacy notice, and confirm it.",
    .allowTitle: "Allow location",
    .allowAsked: "When you clock in, the phone asks for your location. Allow it.",
    .allowAlways:
      "Your team needs an app whose location is set to “Always” (Android: “Allow all the time”). "
      + "A page in the browser is not enough.",
    .allowOpenPage:
      "In the browser, keep the page open and on the screen. Otherwise parts of the shift are "
      + "missing.",
    .blockedWithout: "Without location you cannot clock in. The page then says what helps.",
    .neverBlockedYou: "You can clock in without location, too.",
    .coloursTitle: "What the colours mean",
    .green: "Green: your shift is recorded.",
    .lightGreen: "Light green: it is recorded, but gaps are likely.",
    .red: "Red: it is not recorded. The page says why, and what helps.",
    .grey: "Grey: your break. No position is stored.",
    .yourDataTitle: "What is recorded of you",
    .yourPositions: "On shift, your position every",
    .yourPositionsKept: "Positions are deleted after this number of days:",
    .yourRights:
      "On the page you see your shifts and who viewed your positions. You can ask for a copy, for "
      + "a correction and for erasure.",
    .askTitle: "Whom to ask",
    .askManagers: "Your managers:",
    .askTelephone: "Telephone:",
  ]
}
