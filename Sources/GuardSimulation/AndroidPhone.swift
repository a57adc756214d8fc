public import GuardRules
import ShiftDomain

/// Location permission on an Android phone: what is true, what the system's calls say of it, and
/// how either changes. The transitions are those of developer.android.com and AOSP, by API level.
public struct AndroidPhone: Hashable, Sendable {
  /// What the employee granted.
  public enum Grant: UInt8, CaseIterable, Sendable {
    /// Nothing: never asked, refused, reset or run out.
    case none
    /// *Only this time*; the app cannot tell it from while using.
    case once
    /// *Allow only while using the app*.
    case foreground
    /// *Allow all the time*; below API level 29 every grant.
    case always
  }

  /// A dialog of the system, waiting to be answered.
  public enum Dialog: UInt8, CaseIterable, Sendable {
    /// For fine and coarse location.
    case foreground
    /// For background location; exists at API level 29 alone, later a page of Settings opens.
    case background
  }

  /// `Build.VERSION.SDK_INT`.
  public let apiLevel: Int
  /// Whether the app remembers that it asked; the system does not tell.
  public let remembersAsking: Bool
  /// What was granted.
  public internal(set) var grant: Grant
  /// What waits for an answer.
  public internal(set) var dialog: Dialog?
  /// What the app does.
  public internal(set) var app = AppLife.inFront
  /// *Use precise location*.
  public internal(set) var isPrecise = true
  /// Whether the app asked since it was installed.
  public internal(set) var hasAsked = false
  /// How often the employee refused: at two the system asks no more.
  public internal(set) var refusals = 0
  /// Whether the foreground service of type location runs.
  public internal(set) var serviceRuns = false
  /// The phone's own location switch.
  public internal(set) var locationOn = true
  /// Put to sleep after months without use.
  public internal(set) var isHibernated = false
  /// Whether the process ended because a permission was taken from it. The next start learns when.
  public internal(set) var wasKilledByChange = false

  /// A phone with the app just installed, or with `grant`. Below API level 23 installing grants.
  public init(apiLevel: Int, remembersAsking: Bool = true, grant: Grant = .none) {
    self.apiLevel = apiLevel
    self.remembersAsking = remembersAsking
    self.grant = apiLevel < 23 ? .always : grant
    // A grant that nobody asked for was given in Settings; the app believes that it asked.
    hasAsked = grant != .none
  }

  /// What the app reads and sends.
  public var raw: AndroidFlags {
    let isGranted = grant != .none
    return AndroidFlags(
      apiLevel: .told(Int64(apiLevel)), fine: .told(isGranted && isPrecise),
      coarse: .told(isGranted),
      background: apiLevel < 29 ? .absent : .told(grant == .always),
      shouldShowRationale: .told(!isGranted && refusals == 1),
      hasAsked: remembersAsking ? .told(hasAsked) : .absent, locationEnabled: .told(locationOn))
  }

  /// What must be made of it. An app that does not remember asking cannot tell that it never did.
  public var sight: Sight {
    let authorization: Authorization =
      switch grant {
      case .none: remembersAsking && !hasAsked ? .notDetermined : .denied
      case .once, .foreground: apiLevel < 29 ? .always : .whenInUse
      case .always: .always
      }
    return Sight(
      authorization: authorization, services: locationOn ? .on : .off,
      accuracy: grant == .none ? .unknown : isPrecise ? .full : .reduced)
  }
}
