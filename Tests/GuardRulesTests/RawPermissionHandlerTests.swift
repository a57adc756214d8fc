import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("permission_handler") struct RawPermissionHandlerTests {
  typealias Values = PermissionHandlerValues
  typealias Row = (name: String, on: Platform, values: Values, says: Says)

  private static func values(
    _ location: PermissionHandlerStatus? = nil, always: PermissionHandlerStatus? = nil,
    whenInUse: PermissionHandlerStatus? = nil, fine: Bool? = nil, coarse: Bool? = nil,
    api: Int64? = nil
  ) -> Values {
    Values(
      location: RawField(location), locationWhenInUse: RawField(whenInUse),
      locationAlways: RawField(always), fine: RawField(fine), coarse: RawField(coarse),
      apiLevel: RawField(api))
  }

  static let ios: [Row] = [
    ("denied is never asked", .ios, values(.denied), Says(.notDetermined, .prompt)),
    (
      "never asked, and so not for always", .ios, values(.denied, always: .denied),
      Says(.notDetermined, .prompt)
    ),
    (
      "granted alone does not prove always", .ios, values(.granted),
      Says(.whenInUse, .settings, .incomplete)
    ),
    ("granted for always, too", .ios, values(.granted, always: .granted), Says(.always)),
    ("always needs nothing beside it", .ios, values(always: .granted), Says(.always)),
    (
      "always permanently denied is while in use beside a grant", .ios,
      values(.granted, always: .permanentlyDenied), Says(.whenInUse, .settings)
    ),
    (
      "locationWhenInUse counts like location", .ios,
      values(always: .permanentlyDenied, whenInUse: .granted), Says(.whenInUse, .settings)
    ),
    (
      "always permanently denied is refused beside a denial", .ios,
      values(.permanentlyDenied, always: .permanentlyDenied), Says(.denied, .settings)
    ),
    (
      "always permanently denied alone is either", .ios, values(always: .permanentlyDenied),
      Says(.unknown, .settings, .incomplete)
    ),
    (
      "a request for always returns denied when while in use is kept", .ios,
      values(.granted, always: .denied), Says(.whenInUse, .settings)
    ),
    ("always denied alone is either", .ios, values(always: .denied), .incomplete),
    ("refused", .ios, values(.permanentlyDenied), Says(.denied, .settings)),
    ("restricted", .ios, values(.restricted), Says(.restricted, .administrator)),
    (
      "restricted in both", .ios, values(.restricted, always: .restricted),
      Says(.restricted, .administrator)
    ),
    (
      "restricted, reported by always", .ios, values(always: .restricted),
      Says(.restricted, .administrator)
    ),
    ("nothing", .ios, values(), .incomplete),
    ("limited is not for location", .ios, values(.limited), .unknownValue),
    (
      "provisional is not for location", .ios, values(.granted, always: .provisional),
      .unknownValue
    ),
    ("always without a foreground", .ios, values(.denied, always: .granted), .contradictory),
    (
      "always after a refusal", .ios, values(.permanentlyDenied, always: .granted),
      .contradictory
    ),
    ("restricted for one only", .ios, values(.granted, always: .restricted), .contradictory),
    ("never asked and refused", .ios, values(.denied, always: .permanentlyDenied), .contradictory),
    (
      "two statuses for the same", .ios, values(.granted, whenInUse: .permanentlyDenied),
      .contradictory
    ),
  ]

  static let android: [Row] = [
    ("denied may be approximate", .android, values(.denied), .incomplete),
    ("permanently denied may be, too", .android, values(.permanentlyDenied), .incomplete),
    (
      "denied, with the flags that decide", .android, values(.denied, fine: false, coarse: false),
      Says(.denied)
    ),
    (
      "permanently denied, with the flags that decide", .android,
      values(.permanentlyDenied, fine: false, coarse: false), Says(.denied, .settings)
    ),
    (
      "approximate, in use", .android,
      values(.denied, always: .denied, fine: false, coarse: true),
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    (
      "approximate, all the time", .android,
      values(.denied, always: .granted, fine: false, coarse: true),
      Says(.always, accuracy: .reduced)
    ),
    (
      "always without location is an approximate grant", .android,
      values(.denied, always: .granted), Says(.always, accuracy: .reduced, .incomplete)
    ),
    (
      "always alone", .android, values(always: .granted), Says(.always, .incomplete)
    ),
    (
      "always alone, not exact", .android, values(always: .granted, fine: false),
      Says(.always, accuracy: .reduced, .incomplete)
    ),
    ("always denied alone", .android, values(always: .denied), .incomplete),
    (
      "granted: of which accuracy, depends on the manifest", .android,
      values(.granted, always: .granted), Says(.always)
    ),
    (
      "granted and exact", .android, values(.granted, always: .granted, fine: true, coarse: true),
      Says(.always, accuracy: .full)
    ),
    (
      "the background missing, or not in the manifest", .android,
      values(.granted, always: .denied, fine: true), Says(.whenInUse, .settings, accuracy: .full)
    ),
    (
      "granted, the background not reported", .android, values(.granted),
      Says(.whenInUse, .settings, .incomplete)
    ),
    ("9: a grant includes the background", .android, values(.granted, api: 28), Says(.always)),
    ("1: the first level there was", .android, values(.granted, api: 1), Says(.always)),
    (
      "9: granted in both, which are the same", .android,
      values(.granted, always: .granted, api: 28), Says(.always)
    ),
    (
      "9: always means coarse and fine", .android, values(always: .granted, api: 28), Says(.always)
    ),
    (
      "9: approximate includes the background", .android,
      values(.denied, always: .denied, fine: false, coarse: true, api: 28),
      Says(.always, accuracy: .reduced)
    ),
    (
      "9: the two must agree", .android, values(.granted, always: .denied, api: 28), .contradictory
    ),
    ("9: refused or approximate", .android, values(.denied, always: .denied, api: 28), .incomplete),
    (
      "9: refused for good", .android,
      values(always: .permanentlyDenied, fine: false, coarse: false, api: 28),
      Says(.denied, .settings)
    ),
    (
      "9: flags and status exclude each other", .android,
      values(.granted, fine: false, coarse: false, api: 28), .contradictory
    ),
    (
      "10: the first with a background permission", .android,
      values(.granted, always: .denied, api: 29), Says(.whenInUse, .settings)
    ),
    (
      "level 0 is no level", .android, values(.granted, always: .granted, api: 0), .unknownValue
    ),
    (
      "background alone", .android, values(always: .granted, fine: false, coarse: false),
      .contradictory
    ),
    (
      "granted without any flag", .android, values(.granted, fine: false, coarse: false),
      .contradictory
    ),
    (
      "denied with every flag", .android, values(.denied, fine: true, coarse: true),
      .contradictory
    ),
    ("restricted is iOS's", .android, values(.restricted), .unknownValue),
    ("restricted is iOS's, for always, too", .android, values(always: .restricted), .unknownValue),
    ("provisional", .android, values(.provisional), .unknownValue),
    (
      "two statuses for the same", .android, values(.granted, whenInUse: .denied), .contradictory
    ),
    ("nothing", .android, values(), .incomplete),
  ]

  static let elsewhere: [Row] = [
    ("a page never has always", .web, values(.granted, always: .granted), Says(.whenInUse)),
    ("a page that may ask", .web, values(.denied), Says(.notDetermined, .prompt)),
    ("a page that was refused", .web, values(.permanentlyDenied), Says(.denied, .settings)),
    ("a restricted page", .web, values(.restricted), .unknownValue),
    ("a page that reports nothing", .web, values(), .incomplete),
    ("the same on every system", .unknown, values(.granted, always: .granted), Says(.always)),
    (
      "while in use on every system", .unknown, values(.granted, always: .permanentlyDenied),
      Says(.whenInUse, .settings)
    ),
    ("denied, on an unknown platform", .unknown, values(.denied), .incomplete),
    (
      "impossible on iOS only", .unknown, values(.denied, always: .granted), .incomplete
    ),
    (
      "impossible on Android only", .unknown, values(.granted, fine: false, coarse: false),
      .incomplete
    ),
    (
      "always alone, on an unknown platform", .unknown, values(always: .granted),
      Says(.always, .incomplete)
    ),
    ("limited on every system", .unknown, values(.limited), .unknownValue),
    (
      "two statuses for the same on every system", .unknown, values(.granted, whenInUse: .denied),
      .contradictory
    ),
  ]

  @Test("gives the expected reading", arguments: ios + android + elsewhere)
  func says(_ row: Row) {
    #expect(Says(row.values.reading(on: row.on)) == row.says)
  }

  typealias ServiceRow = (
    status: RawField<PermissionHandlerService>, on: Platform, is: Switch, quality: RawQuality
  )
  static let services: [ServiceRow] = [
    (.absent, .ios, .unknown, .clear),
    (.given(.disabled), .ios, .off, .clear),
    (.given(.enabled), .android, .on, .clear),
    (.given(.notApplicable), .android, .unknown, .clear),
    (.given(.disabled), .unknown, .off, .clear),
    (.unreadable, .ios, .unknown, .unknownValue),
    (.unreadable, .unknown, .unknown, .unknownValue),
    // A browser says disabled wherever there is no permission.
    (.given(.disabled), .web, .unknown, .clear),
    (.unreadable, .web, .unknown, .unknownValue),
  ]

  @Test("reports the location switch where it is known", arguments: services)
  func switches(_ row: ServiceRow) {
    var values = Self.values(.granted, always: .granted)
    values.serviceStatus = row.status
    let reading = values.reading(on: row.on)
    #expect(reading.state.services == row.is)
    #expect(reading.quality == row.quality)
    #expect(reading.grants)
  }

  @Test("keeps the switch where the permission stays unknown")
  func switchOfUnknown() {
    var values = Self.values(.denied)
    values.serviceStatus = .given(.disabled)
    #expect(Says(values.reading(on: .unknown)) == Says(.unknown, services: .off, .incomplete))
    values = Self.values(.denied, always: .granted)
    values.serviceStatus = .given(.enabled)
    #expect(Says(values.reading(on: .ios)) == Says(.unknown, services: .on, .contradictory))
    values.serviceStatus = .unreadable
    #expect(Says(values.reading(on: .ios)) == .contradictory)
  }

  @Test("an unreadable status is never a grant")
  func unreadable() {
    for platform in Platform.allCases {
      var values = Self.values(.granted, always: .granted)
      values.location = .unreadable
      #expect(Says(values.reading(on: platform)) == .unknownValue)
      guard platform != .web else { continue }
      values = Self.values(.granted)
      values.locationAlways = .unreadable
      #expect(Says(values.reading(on: platform)) == .unknownValue)
    }
    for field in [\Values.fine, \.coarse] {
      var values = Self.values(.granted, always: .granted)
      values[keyPath: field] = .unreadable
      #expect(Says(values.reading(on: .android)) == .unknownValue)
    }
    var values = Self.values(.granted, always: .granted)
    values.apiLevel = .unreadable
    #expect(Says(values.reading(on: .android)) == .unknownValue)
  }

  @Test("never reports a grant, or always, that no sent value states")
  func neverGuesses() {
    let statuses = PermissionHandlerValues.Status.all(PermissionHandlerStatus.allCases)
    let flags = RawField.all([false, true])
    for platform in Platform.allCases {
      for location in statuses {
        for always in statuses {
          for fine in flags {
            for coarse in flags {
              for level in [RawField<Int64>.absent, .given(28), .given(34)] {
                let values = PermissionHandlerValues(
                  location: location, locationAlways: always, fine: fine, coarse: coarse,
                  apiLevel: level)
                let reading = values.reading(on: platform)
                let hasWord = [location, always].contains(.given(.granted))
                let hasFlag = [fine, coarse].contains(.given(true)) && platform == .android
                #expect(!reading.grants || hasWord || hasFlag, "\(values)")
                let proof = always == .given(.granted) || level == .given(28)
                #expect(reading.state.authorization != .always || proof, "\(values)")
                #expect(reading.grants || reading.state.accuracy == .unknown, "\(values)")
                if reading.quality == .unknownValue || reading.quality == .contradictory {
                  #expect(reading.state.authorization == .unknown, "\(values)")
                }
              }
            }
          }
        }
      }
    }
  }
}
