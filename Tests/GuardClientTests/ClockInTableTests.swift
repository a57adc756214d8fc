import GuardClient
import GuardRules
import ShiftDomain
import Testing

/// A phone's system, as far as the ways to a permission differ.
enum TestedSystem: CaseIterable, Sendable {
  case ios
  case android10
  case android14
  case other

  var platform: Platform {
    switch self {
    case .ios: .ios
    case .android10, .android14: .android
    case .other: .unknown
    }
  }

  var version: Int? {
    switch self {
    case .ios: 18
    case .android10: 10
    case .android14: 14
    case .other: nil
    }
  }

  func flow(_ preset: Preset, memory: ClockInMemory = ClockInMemory()) -> ClockInFlow {
    ClockInFlow(
      policy: .policy(of: preset), platform: platform, systemVersion: version, memory: memory)
  }
}

/// The steps in short.
enum Shown: Equatable, Sendable {
  case explanation, background, settings, administrator, location, checkAgain, warning
  case go, goWithoutLocation, stopped, dialog, away

  init(_ step: ClockInStep) {
    self =
      switch step {
      case .explanation(.foreground): .explanation
      case .explanation(.background): .background
      case .notice(_, .openAppSettings): .settings
      case .notice(_, .contactAdministrator): .administrator
      case .notice(_, .openLocationSettings): .location
      case .notice: .checkAgain
      case .warning: .warning
      case .clockIn(let ready): ready.canLocate ? .go : .goWithoutLocation
      case .stopped: .stopped
      case .dialog, .check: .dialog
      case .away: .away
      }
  }
}

@Suite("The first thing shown at a clock-in") struct ClockInTableTests {
  struct Row: Sendable {
    let authorization: Authorization
    let path: GrantPath
    let standard: Shown
    let strict: [TestedSystem: Shown]
    let advisory: Shown

    /// A row in which the system decides only about *Always*.
    init(
      _ authorization: Authorization, _ path: GrantPath, _ standard: Shown, strict: Shown,
      advisory: Shown
    ) {
      self.init(
        authorization, path, standard, advisory: advisory, ios: strict, android10: strict,
        android14: strict, other: strict)
    }

    init(
      _ authorization: Authorization, _ path: GrantPath, _ standard: Shown, advisory: Shown,
      ios: Shown, android10: Shown, android14: Shown, other: Shown
    ) {
      self.authorization = authorization
      self.path = path
      self.standard = standard
      self.advisory = advisory
      strict = [.ios: ios, .android10: android10, .android14: android14, .other: other]
    }
  }

  /// With the location services on. Denials depend on the system; see `denials`.
  static let rows: [Row] = [
    Row(.unknown, .unknown, .checkAgain, strict: .checkAgain, advisory: .goWithoutLocation),
    Row(.unknown, .prompt, .checkAgain, strict: .checkAgain, advisory: .goWithoutLocation),
    Row(.unknown, .settings, .checkAgain, strict: .checkAgain, advisory: .goWithoutLocation),
    Row(.unknown, .administrator, .checkAgain, strict: .checkAgain, advisory: .goWithoutLocation),
    Row(.notDetermined, .unknown, .explanation, strict: .explanation, advisory: .explanation),
    Row(.notDetermined, .prompt, .explanation, strict: .explanation, advisory: .explanation),
    Row(.notDetermined, .settings, .explanation, strict: .explanation, advisory: .explanation),
    Row(
      .notDetermined, .administrator, .administrator, strict: .administrator,
      advisory: .administrator),
    Row(.restricted, .unknown, .administrator, strict: .administrator, advisory: .administrator),
    Row(.restricted, .prompt, .administrator, strict: .administrator, advisory: .administrator),
    Row(.restricted, .settings, .administrator, strict: .administrator, advisory: .administrator),
    Row(
      .restricted, .administrator, .administrator, strict: .administrator,
      advisory: .administrator),
    Row(.denied, .unknown, .settings, strict: .settings, advisory: .settings),
    Row(.denied, .settings, .settings, strict: .settings, advisory: .settings),
    Row(.denied, .administrator, .administrator, strict: .administrator, advisory: .administrator),
    Row(
      .whenInUse, .unknown, .warning, advisory: .go, ios: .background, android10: .background,
      android14: .settings, other: .settings),
    Row(
      .whenInUse, .prompt, .warning, advisory: .go, ios: .background, android10: .background,
      android14: .settings, other: .settings),
    Row(
      .whenInUse, .settings, .warning, advisory: .go, ios: .background, android10: .background,
      android14: .settings, other: .settings),
    Row(.whenInUse, .administrator, .warning, strict: .administrator, advisory: .go),
    Row(.always, .unknown, .go, strict: .go, advisory: .go),
    Row(.always, .prompt, .go, strict: .go, advisory: .go),
    Row(.always, .settings, .go, strict: .go, advisory: .go),
    Row(.always, .administrator, .go, strict: .go, advisory: .go),
  ]

  static func state(
    _ authorization: Authorization, _ path: GrantPath = .unknown, services: Switch = .on
  ) -> PermissionState {
    PermissionState(
      authorization: authorization, grantPath: path,
      accuracy: authorization.rawValue >= 4 ? .full : .unknown, services: services)
  }

  @Test(arguments: rows, TestedSystem.allCases)
  func `follows from the authorization, the way to a grant and the policy`(
    _ row: Row, _ system: TestedSystem
  ) {  // R: A5, B1, B3, C1, C3, C4, C6
    let state = Self.state(row.authorization, row.path)
    let expected: [(Preset, Shown?)] = [
      (.standard, row.standard), (.strict, row.strict[system]), (.advisory, row.advisory),
    ]
    for (preset, shown) in expected {
      var flow = system.flow(preset)
      #expect(Shown(flow.take(.checked(state))) == shown, "\(preset)")
    }
  }

  /// Only Android asks again after a first denial.
  static let denials: [(TestedSystem, Shown)] = [
    (.ios, .settings), (.android10, .explanation), (.android14, .explanation),
    (.other, .explanation),
  ]

  @Test(arguments: denials)
  func `after a denial that the system may ask about again`(
    _ system: TestedSystem, _ shown: Shown
  ) {  // R: A4, A5
    for preset in Preset.allCases {
      var flow = system.flow(preset)
      #expect(Shown(flow.take(.checked(Self.state(.denied, .prompt)))) == shown)
    }
  }

  @Test(arguments: Authorization.allCases, GrantPath.allCases)
  func `with the location services off is their switch, unless an administrator forbids more`(
    _ authorization: Authorization, _ path: GrantPath
  ) {  // R: A13, C5
    for (preset, system) in everyCase {
      var flow = system.flow(preset)
      let shown = Shown(flow.take(.checked(Self.state(authorization, path, services: .off))))
      #expect(shown == (authorization == .restricted ? .administrator : .location))
    }
  }

  @Test(arguments: Authorization.allCases, GrantPath.allCases)
  func `can be cancelled: what blocks stops, everything else goes on`(
    _ authorization: Authorization, _ path: GrantPath
  ) {  // R: A15, A19, B4
    for services in [Switch.on, .off, .unknown] {
      for (preset, system) in everyCase {
        var flow = system.flow(preset)
        let first = flow.take(.checked(Self.state(authorization, path, services: services)))
        let verdict = flow.decision.verdict
        let last = flow.take(.cancel)
        #expect(last.isEnd, "one cancel is enough")
        switch (first, preset) {
        case (.clockIn, _): #expect(last == first)
        case (_, .advisory): #expect(Shown(last) == .goWithoutLocation)
        default: #expect(last == .stopped(flow.decision) && verdict != .allow)
        }
      }
    }
  }

  private var everyCase: [(Preset, TestedSystem)] {
    Preset.allCases.flatMap { preset in TestedSystem.allCases.map { (preset, $0) } }
  }
}
