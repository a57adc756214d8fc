import GuardRules
import ShiftDomain

/// Location permission on an Android phone: the true state, the results of the system's calls, and
/// how both change. The transitions are those of developer.android.com and AOSP, by API level.
package struct AndroidPhone: Hashable, Sendable {
  /// What the employee granted.
  package enum Grant: UInt8, CaseIterable, Sendable {
    /// Nothing: never asked, refused, reset or expired.
    case none
    /// *Only this time*; the app cannot distinguish it from while using.
    case once
    /// *Allow only while using the app*.
    case foreground
    /// *Allow all the time*; below API level 29 every grant.
    case always
  }

  /// An open dialog of the system.
  package enum Dialog: UInt8, CaseIterable, Sendable {
    /// For fine and coarse location.
    case foreground
    /// For background location; only at API level 29, later a page of Settings opens.
    case background
  }

  /// `Build.VERSION.SDK_INT`.
  package let apiLevel: Int
  /// Whether the app remembers that it asked; the system does not say.
  package let remembersAsking: Bool
  /// The current grant.
  package internal(set) var grant: Grant
  /// The open dialog.
  package internal(set) var dialog: Dialog?
  /// The state of the app.
  package internal(set) var app = AppLife.inFront
  /// *Use precise location*.
  package internal(set) var isPrecise = true
  /// Whether the app asked since it was installed.
  package internal(set) var hasAsked = false
  /// The number of refusals: after two, the system does not ask again.
  package internal(set) var refusals = 0
  /// Whether the foreground service of type location runs.
  package internal(set) var serviceRuns = false
  /// The phone's own location switch.
  package internal(set) var locationOn = true
  /// Whether the app hibernates after months without use.
  package internal(set) var isHibernated = false
  /// Whether the process ended because a permission was revoked. The app learns when at its start.
  package internal(set) var wasKilledByChange = false

  /// A phone with the app just installed, or with `grant`. Below API level 23, installing grants.
  package init(apiLevel: Int, remembersAsking: Bool = true, grant: Grant = .none) {
    self.apiLevel = apiLevel
    self.remembersAsking = remembersAsking
    self.grant = apiLevel < 23 ? .always : grant
    // A grant without a request was given in Settings; the app believes that it asked.
    hasAsked = grant != .none
  }

  /// The raw values that the app reads and sends.
  package var raw: AndroidFlags {
    let isGranted = grant != .none
    return AndroidFlags(
      apiLevel: .given(Int64(apiLevel)), fine: .given(isGranted && isPrecise),
      coarse: .given(isGranted),
      background: apiLevel < 29 ? .absent : .given(grant == .always),
      shouldShowRationale: .given(!isGranted && refusals == 1),
      hasAsked: remembersAsking ? .given(hasAsked) : .absent, locationEnabled: .given(locationOn))
  }

  /// The expected reading. An app that does not remember asking cannot know that it never asked.
  package var truePermission: TruePermission {
    let authorization: Authorization =
      switch grant {
      case .none: remembersAsking && !hasAsked ? .notDetermined : .denied
      case .once, .foreground: apiLevel < 29 ? .always : .whenInUse
      case .always: .always
      }
    return TruePermission(
      authorization: authorization, services: locationOn ? .on : .off,
      accuracy: grant == .none ? .unknown : isPrecise ? .full : .reduced)
  }
}
