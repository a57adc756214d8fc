import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("Raw values") struct RawValuesTests {
  static let geolocator = RawValues.geolocator(GeolocatorValues(permission: .given(.denied)))

  typealias PlatformRow = (
    name: String, enrolled: Platform, given: RawField<Platform>, says: Says
  )
  static let platforms: [PlatformRow] = [
    ("the enrolment decides", .android, .absent, Says(.denied)),
    ("the enrolment decides, confirmed", .android, .given(.android), Says(.denied)),
    ("the app decides where the enrolment is silent", .unknown, .given(.android), Says(.denied)),
    ("an app that does not know its platform", .android, .given(.unknown), Says(.denied)),
    ("no platform is known", .unknown, .absent, .incomplete),
    ("no platform is known, and the app says so", .unknown, .given(.unknown), .incomplete),
    ("two different platforms", .ios, .given(.android), .contradictory),
    (
      "an unknown word beside the enrolment", .android, .unreadable,
      Says(.denied, .unknownValue)
    ),
    ("an unknown word alone", .unknown, .unreadable, .unknownValue),
  ]

  @Test("that depend on the platform are read for that platform", arguments: platforms)
  func platform(_ row: PlatformRow) {
    #expect(Says(Self.geolocator.reading(on: row.enrolled, given: row.given)) == row.says)
  }

  static let one: [RawValues] = [
    .unknown, .coreLocation(CoreLocationValues(authorizationStatus: .given(3))),
    .android(
      AndroidFlags(
        apiLevel: .given(34), fine: .given(true), coarse: .given(true), background: .given(true))),
    .webPermissions(.given(.granted)),
    .permissionHandler(PermissionHandlerValues(locationAlways: .given(.granted))),
    .geolocator(GeolocatorValues(permission: .given(.always))),
    .expoLocation(ExpoValues(background: ExpoPermission(status: .given(.granted)))),
    .reactNativePermissions(ReactNativeValues(iosAlways: .given(.granted))),
    .pubLocation(PubLocationValues(permissionStatus: .given(.granted))),
    .transistorsoft(TransistorsoftValues(status: .given(.always))),
    .hyperTrack(.given(.always)),
  ]

  @Test("of each source are read by the source's own rule")
  func sources() {
    #expect(Self.one.map(\.source) == RawSource.allCases)
    for values in Self.one {
      let reading = values.reading(on: .ios)
      #expect(reading.grants == (values.source != .unknown), "\(values)")
      let depends =
        values.reading(on: .unknown) != reading
        || values.reading(on: .web) != reading
        || values.reading(on: .android) != reading
        || values.reading(on: .ios, given: .given(.web)) != reading
      #expect(depends == values.source.dependsOnPlatform, "\(values)")
    }
    #expect(
      RawSource.allCases.filter(\.dependsOnPlatform) == [
        .permissionHandler, .geolocator, .expoLocation, .pubLocation, .transistorsoft,
      ])
    #expect(Says(RawValues.unknown.reading(on: .ios)) == .unknownValue)
  }

  @Test("of a page's permission and of HyperTrack's state may be missing or new")
  func words() {
    #expect(Says(RawValues.webPermissions(.absent).reading(on: .web)) == .incomplete)
    #expect(Says(RawValues.webPermissions(.unreadable).reading(on: .web)) == .unknownValue)
    #expect(Says(RawValues.hyperTrack(.absent).reading(on: .ios)) == .incomplete)
    #expect(Says(RawValues.hyperTrack(.unreadable).reading(on: .ios)) == .unknownValue)
  }

  typealias NativeRow = (name: String, reading: RawReading, says: Says)
  private static func android(
    _ level: RawField<Int64> = .given(34), fine: RawField<Bool> = .given(true),
    coarse: RawField<Bool> = .given(true), background: RawField<Bool> = .given(true)
  ) -> AndroidFlags {
    AndroidFlags(apiLevel: level, fine: fine, coarse: coarse, background: background)
  }

  static let natives: [NativeRow] = [
    (
      "CoreLocation without a status", CoreLocationValues(authorizationStatus: .absent).reading,
      .incomplete
    ),
    (
      "a newer CoreLocation", CoreLocationValues(authorizationStatus: .given(5)).reading,
      .unknownValue
    ),
    (
      "an unknown accuracy",
      CoreLocationValues(authorizationStatus: .given(3), accuracyAuthorization: .given(2)).reading,
      Says(.always, .unknownValue)
    ),
    (
      "an unreadable switch",
      CoreLocationValues(authorizationStatus: .given(3), locationServicesEnabled: .unreadable)
        .reading, Says(.always, .unknownValue)
    ),
    ("Android's flags", android().reading, Says(.always, accuracy: .full)),
    (
      "Android's background alone",
      android(fine: .given(false), coarse: .given(false)).reading, .contradictory
    ),
    (
      "an unreadable end of Android's process",
      AndroidFlags(
        apiLevel: .given(34), fine: .given(true), coarse: .given(true), background: .given(true),
        exitReason: .unreadable, exitTimestamp: .given(1)
      ).reading, Says(.always, accuracy: .full, .unknownValue)
    ),
    ("Android's background not reported", android(background: .absent).reading, .incomplete),
    ("Android without a level", android(.absent).reading, .incomplete),
    ("Android without fine", android(fine: .absent).reading, .incomplete),
    ("Android without coarse", android(coarse: .absent).reading, .incomplete),
    ("Android's level 0", android(.given(0)).reading, .unknownValue),
    ("an unreadable level", android(.unreadable).reading, .unknownValue),
    ("an unreadable fine flag", android(fine: .unreadable).reading, .unknownValue),
    ("an unreadable coarse flag", android(coarse: .unreadable).reading, .unknownValue),
    (
      "an unreadable background flag", android(background: .unreadable).reading, .unknownValue
    ),
    ("a newer browser", WebPermission.unknown.reading, .unknownValue),
  ]

  @Test("of the platforms themselves show how reliable they are", arguments: natives)
  func quality(_ row: NativeRow) {
    #expect(Says(row.reading) == row.says)
  }

  @Test("of Android that do not decide only lower the quality when they are unreadable")
  func asides() {
    for field in [\AndroidFlags.shouldShowRationale, \.hasAsked, \.locationEnabled] {
      var flags = Self.android()
      flags[keyPath: field] = .unreadable
      #expect(Says(flags.reading) == Says(.always, accuracy: .full, .unknownValue))
    }
  }

  @Test("have stable codes and numbers, with the library's own words")
  func stable() {
    func listing<Value: Coded>(of type: Value.Type) -> String {
      for value in Value.allCases { #expect(Value(code: value.code) == value) }
      return Value.allCases.map { "\($0.rawValue) \($0.code)" }.joined(separator: ", ")
    }
    #expect(
      listing(of: RawQuality.self)
        == "0 clear, 1 incomplete, 2 unknown_value, 3 contradictory")
    #expect(
      listing(of: RawSource.self) == """
        0 unknown, 1 core_location, 2 android, 3 web_permissions, 4 permission_handler, \
        5 geolocator, 6 expo_location, 7 react_native_permissions, 8 pub_location, \
        9 transistorsoft, 10 hypertrack
        """)
    #expect(
      listing(of: PermissionHandlerStatus.self) == """
        0 denied, 1 granted, 2 restricted, 3 limited, 4 permanentlyDenied, 5 provisional
        """)
    #expect(listing(of: PermissionHandlerService.self) == "0 disabled, 1 enabled, 2 notApplicable")
    #expect(
      listing(of: GeolocatorPermission.self)
        == "0 denied, 1 deniedForever, 2 whileInUse, 3 always, 4 unableToDetermine")
    #expect(listing(of: GeolocatorAccuracy.self) == "0 reduced, 1 precise, 2 unknown")
    #expect(listing(of: ExpoPermission.Status.self) == "0 undetermined, 1 granted, 2 denied")
    #expect(
      listing(of: ReactNativeResult.self)
        == "0 unavailable, 1 denied, 2 blocked, 3 granted, 4 limited")
    #expect(
      listing(of: PubLocationStatus.self)
        == "0 granted, 1 grantedLimited, 2 denied, 3 deniedForever")
    #expect(
      listing(of: HyperTrackState.self)
        == "0 unknown, 1 never, 2 foreground_only, 3 always, 4 location_imprecise")
  }
}
