import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("geolocator") struct RawGeolocatorTests {
  typealias Row = (name: String, is: GeolocatorPermission, on: Platform, says: Says)

  static let permissions: [Row] = [
    ("iOS hides restricted behind never asked", .denied, .ios, Says(.notDetermined, .incomplete)),
    ("Android's denied may be for good: a check does not say", .denied, .android, Says(.denied)),
    ("a page that may ask", .denied, .web, Says(.notDetermined, .prompt)),
    ("denied, on an unknown platform", .denied, .unknown, .incomplete),
    ("refused for good on iOS", .deniedForever, .ios, Says(.denied, .settings)),
    ("refused for good on Android", .deniedForever, .android, Says(.denied, .settings)),
    ("refused to a page", .deniedForever, .web, Says(.denied, .settings)),
    ("in use on iOS", .whileInUse, .ios, Says(.whenInUse, .settings)),
    (
      "in use on Android, or without the background in the manifest", .whileInUse, .android,
      Says(.whenInUse, .settings)
    ),
    ("in use on a page", .whileInUse, .web, Says(.whenInUse)),
    ("always on iOS", .always, .ios, Says(.always)),
    ("always on Android, or any grant below 10", .always, .android, Says(.always)),
    ("always, on an unknown platform", .always, .unknown, Says(.always)),
    ("a page never has always", .always, .web, .contradictory),
    ("a browser that cannot tell", .unableToDetermine, .web, .incomplete),
    ("a phone that cannot tell", .unableToDetermine, .ios, .incomplete),
  ]

  @Test("gives the expected reading", arguments: permissions)
  func says(_ row: Row) {
    let values = GeolocatorValues(permission: .given(row.is))
    #expect(Says(values.reading(on: row.on)) == row.says)
  }

  typealias AccuracyRow = (
    field: RawField<GeolocatorAccuracy>, permission: GeolocatorPermission, is: LocationAccuracy,
    quality: RawQuality
  )
  static let accuracies: [AccuracyRow] = [
    (.absent, .always, .unknown, .clear),
    (.given(.reduced), .whileInUse, .reduced, .clear),
    (.given(.precise), .always, .full, .clear),
    (.given(.unknown), .always, .unknown, .clear),
    (.unreadable, .always, .unknown, .unknownValue),
    // Without a grant the accuracy applies to nothing.
    (.given(.precise), .deniedForever, .unknown, .clear),
  ]

  @Test(
    "gives the accuracy of a grant: on Android a coarse one counts, too", arguments: accuracies)
  func accuracy(_ row: AccuracyRow) {
    let values = GeolocatorValues(permission: .given(row.permission), accuracy: row.field)
    let reading = values.reading(on: .android)
    #expect(reading.state.accuracy == row.is)
    #expect(reading.quality == row.quality)
  }

  @Test("a missing value is incomplete, an unreadable one unknown; the switch is read by itself")
  func missing() {
    let nothing = GeolocatorValues(permission: .absent, serviceEnabled: .given(false))
    #expect(Says(nothing.reading(on: .ios)) == Says(.unknown, services: .off, .incomplete))
    let new = GeolocatorValues(permission: .unreadable, serviceEnabled: .given(true))
    #expect(Says(new.reading(on: .android)) == Says(.unknown, services: .on, .unknownValue))
    let odd = GeolocatorValues(permission: .given(.always), serviceEnabled: .unreadable)
    #expect(Says(odd.reading(on: .android)) == Says(.always, .unknownValue))
  }
}
