import GuardRules

extension EnglishTexts {
  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Tracked time",
    .onBreak: "Break",
    .restricted: "Location restricted by an administrator",
    .servicesOff: "Location switched off",
    .denied: "Location access denied",
    .notDetermined: "Location not allowed yet",
    .appTerminated: "App was closed",
    .serviceUnavailable: "Service outage",
    .waitingFirstFix: "Waiting for the first position",
    .resuming: "Resuming",
    .noFix: "No position",
    .noContact: "No contact",
    .mockLocation: "Mock location",
    .lowAccuracy: "Position too inaccurate",
    .pageHidden: "Page hidden",
    .notAsked: "Phone not asked to track",
  ]
}
