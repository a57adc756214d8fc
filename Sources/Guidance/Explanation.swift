public import ShiftDomain

/// What is shown before the system's own dialog. It can always be put off.
public struct Explanation: Hashable, Sendable {
  /// At most 60 characters.
  public var title: String
  /// What is collected, what for and until when: at most 240 characters.
  public var why: String
  /// What the employee has from it.
  public var benefits: [String]
  /// What this system will ask, in order, and what its store wants said; never empty.
  public var platformNotes: [String]
  /// The words on the button that goes on to the system's dialog.
  public var proceed: String
  /// The words on the button that puts it off.
  public var later: String
}

/// What to say before the system asks for location.
/// - Parameters:
///   - device: The system that is going to ask.
///   - preset: How strictly the team's policy takes permission.
public func explanation(
  on device: DeviceDescription, policy preset: Preset, in language: Language = .english
) -> Explanation {
  let phrases = catalogue(of: language).phrases
  let why: Phrase =
    switch preset {
    case .standard: .whyStandard
    case .strict: .whyStrict
    case .advisory: .whyAdvisory
    }
  return Explanation(
    title: phrases[.explanationTitle],
    why: phrases[why] + " " + phrases[.endsWithShift],
    benefits: [Phrase.completeHours, .noBreaks, .ownView].map { phrases[$0] },
    platformNotes: platformNotes(for: device).map { phrases[$0] },
    proceed: phrases[.proceed], later: phrases[.later])
}

/// Foreground first and background second, as each version asks. Google Play wants the use in the
/// background said outright.
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
