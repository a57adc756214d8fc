import GuardRules

extension FrenchTexts {
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
