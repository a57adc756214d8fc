import ShiftDomain

/// What is shown before the system's own dialog. The employee can always postpone it.
package struct Explanation: Hashable, Sendable {
  /// At most 60 characters.
  package var title: String
  /// What is collected, for what purpose and until when: at most 240 characters.
  package var why: String
  package var benefits: [String]
  /// What this system will ask, in order, and what its store requires to be said; never empty.
  package var platformNotes: [String]
  /// The label of the button that continues to the system's dialog.
  package var proceed: String
  package var later: String
}

/// The permission that a shift needs under a team's policy.
package enum NeededPermission: CaseIterable, Hashable, Sendable {
  case whileInUse
  case always
  case none
}

/// What to say before the system of `device` asks for location.
package func explanation(
  on device: DeviceDescription, needing needed: NeededPermission,
  in language: Language = .english
) -> Explanation {
  let texts = catalogue(of: language)
  let phrases = texts.phrases
  let why: Phrase =
    switch needed {
    case .whileInUse: device.platform == .web ? .whyInBrowser : .whyStandard
    case .always: .whyStrict
    case .none: .whyAdvisory
    }
  return Explanation(
    title: phrases[.explanationTitle],
    why: phrases[why] + " " + phrases[.endsWithShift],
    benefits: [Phrase.completeHours, .noBreaks, .ownView].map { phrases[$0] },
    platformNotes: platformNotes(for: device).map { texts.naming(phrases[$0], device.appName) },
    proceed: phrases[.proceed], later: phrases[.later])
}

/// Foreground first, as each version asks. Google Play requires that background use is named.
private func platformNotes(for device: DeviceDescription) -> [Phrase] {
  switch device.platform {
  case .ios: return [.iosAsksTwice]
  case .web: return [.browserOnlyOpen]
  case .unknown: return [.phoneAsks]
  case .android:
    let question: Phrase =
      switch device.osMajor ?? .max {
      case ...9: .androidAsksOnce
      case 10: .androidOffersAllTheTime
      default: .androidAsksTwice
      }
    return [.androidDisclosure, question]
  }
}
