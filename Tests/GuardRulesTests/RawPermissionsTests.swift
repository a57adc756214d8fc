import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("Raw permissions") struct RawPermissionsTests {
  typealias AppleRow = (
    name: String, status: Int64, accuracy: Int64?, services: Bool?, is: PermissionState
  )
  private static func state(
    _ authorization: Authorization, _ path: GrantPath, _ accuracy: LocationAccuracy = .unknown,
    _ services: Switch = .unknown
  ) -> PermissionState {
    PermissionState(
      authorization: authorization, grantPath: path, accuracy: accuracy, services: services)
  }

  // R: A2, A13
  static let apple: [AppleRow] = [
    ("never asked, or Allow Once ran out", 0, nil, nil, state(.notDetermined, .prompt)),
    (
      "an administrator forbids it", 1, nil, true, state(.restricted, .administrator, .unknown, .on)
    ),
    ("refused for this app", 2, nil, true, state(.denied, .settings, .unknown, .on)),
    ("refused by the global switch", 2, nil, false, state(.denied, .settings, .unknown, .off)),
    ("always, exact", 3, 0, true, state(.always, .unknown, .full, .on)),
    ("always, approximate", 3, 1, true, state(.always, .unknown, .reduced, .on)),
    ("always, before accuracy existed", 3, nil, true, state(.always, .unknown, .unknown, .on)),
    ("always, an unknown accuracy", 3, 2, nil, state(.always, .unknown)),
    ("always, a negative accuracy", 3, -1, nil, state(.always, .unknown)),
    ("in use, or an unexpired Allow Once", 4, 0, true, state(.whenInUse, .settings, .full, .on)),
    ("in use, approximate", 4, 1, nil, state(.whenInUse, .settings, .reduced)),
    ("accuracy without a grant says nothing", 2, 0, nil, state(.denied, .settings)),
    ("accuracy before asking says nothing", 0, 1, nil, state(.notDetermined, .prompt)),
    ("a status after the last", 5, 0, true, state(.unknown, .unknown, .unknown, .on)),
    ("a status before the first", -1, 0, nil, state(.unknown, .unknown)),
    ("the largest number", .max, 0, nil, state(.unknown, .unknown)),
    ("the smallest number", .min, .min, nil, state(.unknown, .unknown)),
  ]

  @Test("CoreLocation", arguments: apple)
  func coreLocation(_ row: AppleRow) {
    let values = CoreLocationValues(
      authorizationStatus: .given(row.status), accuracyAuthorization: RawField(row.accuracy),
      locationServicesEnabled: RawField(row.services))
    #expect(values.reading.state == row.is)
  }

  typealias AndroidRow = (
    name: String, flags: AndroidFlags, authorization: Authorization, accuracy: LocationAccuracy,
    path: GrantPath
  )
  private static func api(
    _ level: Int64, fine: Bool, coarse: Bool, background: Bool? = nil, rationale: Bool? = nil,
    asked: Bool? = nil
  ) -> AndroidFlags {
    AndroidFlags(
      apiLevel: .given(level), fine: .given(fine), coarse: .given(coarse),
      background: RawField(background), shouldShowRationale: RawField(rationale),
      hasAsked: RawField(asked))
  }

  static let androids: [AndroidRow] = [
    (
      "6: a grant includes the background", api(23, fine: true, coarse: true), .always, .full,
      .unknown
    ),
    (
      "9: the last without a background permission", api(28, fine: true, coarse: true), .always,
      .full, .unknown
    ),
    (
      "9: its background flag is always false",
      api(28, fine: true, coarse: true, background: false),
      .always, .full, .unknown
    ),
    ("9: coarse alone", api(28, fine: false, coarse: true), .always, .reduced, .unknown),
    (
      "9: nothing, never asked", api(28, fine: false, coarse: false, asked: false), .notDetermined,
      .unknown, .prompt
    ),
    (
      "9: background alone contradicts itself",
      api(28, fine: false, coarse: false, background: true, asked: true), .unknown, .unknown,
      .unknown
    ),
    (
      "10: foreground only", api(29, fine: true, coarse: true, background: false), .whenInUse,
      .full,
      .settings
    ),
    (
      "10: all the time", api(29, fine: true, coarse: true, background: true), .always, .full,
      .unknown
    ),
    (
      "10: background unreported proves neither", api(29, fine: true, coarse: true), .unknown,
      .unknown, .unknown
    ),
    (
      "12: approximate, in use", api(31, fine: false, coarse: true, background: false), .whenInUse,
      .reduced, .settings
    ),
    (
      "12: approximate, all the time", api(31, fine: false, coarse: true, background: true),
      .always,
      .reduced, .unknown
    ),
    (
      "14: background alone contradicts itself",
      api(34, fine: false, coarse: false, background: true), .unknown, .unknown, .unknown
    ),
    (
      "14: background alone, whatever was asked",
      api(34, fine: false, coarse: false, background: true, rationale: true, asked: true), .unknown,
      .unknown, .unknown
    ),
    (
      "14: never asked", api(34, fine: false, coarse: false, background: false, asked: false),
      .notDetermined, .unknown, .prompt
    ),
    (
      "14: denied once",
      api(34, fine: false, coarse: false, background: false, rationale: true, asked: true), .denied,
      .unknown, .prompt
    ),
    (
      "14: denied twice",
      api(34, fine: false, coarse: false, background: false, rationale: false, asked: true),
      .denied,
      .unknown, .settings
    ),
    (
      "14: denied, and the app forgot whether it asked",
      api(34, fine: false, coarse: false, background: false, rationale: false), .denied, .unknown,
      .unknown
    ),
    (
      "14: denied, rationale not readable in the background",
      api(34, fine: false, coarse: false, background: false, asked: true), .denied, .unknown,
      .unknown
    ),
    (
      "14: no grant, background unreported", api(34, fine: false, coarse: false), .denied, .unknown,
      .unknown
    ),
    (
      "a level far ahead", api(.max, fine: true, coarse: true, background: true), .always, .full,
      .unknown
    ),
    (
      "1: the first level there was", api(1, fine: true, coarse: true), .always, .full, .unknown
    ),
    ("level 0 is no level", api(0, fine: true, coarse: true), .unknown, .unknown, .unknown),
    (
      "a negative level is no level", api(-1, fine: true, coarse: true, background: false),
      .unknown,
      .unknown, .unknown
    ),
    (
      "the smallest number is no level", api(.min, fine: false, coarse: true), .unknown, .unknown,
      .unknown
    ),
  ]

  @Test("Android", arguments: androids)
  func android(_ row: AndroidRow) {
    #expect(row.flags.reading.state.authorization == row.authorization)
    #expect(row.flags.reading.state.accuracy == row.accuracy)
    #expect(row.flags.reading.state.grantPath == row.path)
    #expect(row.flags.reading.state.services == .unknown)
  }

  @Test("no combination of Android's flags is a grant without fine or coarse")
  func noGrantFromNothing() {
    let given: [Bool?] = [nil, false, true]
    for level in [Int64.min, -1, 0, 1, 22, 28, 29, 30, 33, 36, .max] {
      for background in given {
        for rationale in given {
          for asked in given {
            let flags = Self.api(
              level, fine: false, coarse: false, background: background, rationale: rationale,
              asked: asked)
            let authorization = flags.reading.state.authorization
            #expect(authorization != .always && authorization != .whenInUse, "\(flags)")
            #expect(flags.reading.state.accuracy == .unknown, "\(flags)")
          }
        }
      }
    }
  }

  @Test("Android's location switch is reported as it is")
  func androidServices() {
    for (given, services) in [(nil, .unknown), (false, .off), (true, .on)] as [(Bool?, Switch)] {
      let flags = AndroidFlags(
        apiLevel: .given(34), fine: .given(true), coarse: .given(true),
        locationEnabled: RawField(given))
      #expect(flags.reading.state.services == services)
    }
  }

  typealias WebRow = (word: String, authorization: Authorization, path: GrantPath)
  static let web: [WebRow] = [
    ("granted", .whenInUse, .unknown),
    ("prompt", .notDetermined, .prompt),
    ("denied", .denied, .settings),
    ("unknown", .unknown, .unknown),
    ("Granted", .unknown, .unknown),
    ("always", .unknown, .unknown),
    ("default", .unknown, .unknown),
    ("", .unknown, .unknown),
  ]

  @Test("a browser's permission state", arguments: web)
  func browser(_ row: WebRow) {
    let state = (WebPermission(code: row.word) ?? .unknown).reading.state
    #expect(state.authorization == row.authorization)
    #expect(state.grantPath == row.path)
    #expect(state.services == .unknown)
    #expect(state.accuracy == .unknown)
  }
}
