import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("Packages that report little") struct RawSmallSourcesTests {
  typealias PubRow = (name: String, is: PubLocationStatus, on: Platform, says: Says)
  static let pubRows: [PubRow] = [
    (
      "granted does not distinguish always from in use on iOS", .granted, .ios,
      Says(.whenInUse, .settings, accuracy: .full, .incomplete)
    ),
    (
      "granted does not distinguish always from in use on Android", .granted, .android,
      Says(.whenInUse, .settings, accuracy: .full, .incomplete)
    ),
    ("granted to a page is all it can have", .granted, .web, Says(.whenInUse)),
    (
      "granted, unknown platform", .granted, .unknown, Says(.whenInUse, .settings, .incomplete)
    ),
    (
      "limited is approximate", .grantedLimited, .ios,
      Says(.whenInUse, .settings, accuracy: .reduced, .incomplete)
    ),
    ("denied on Android", .denied, .android, Says(.denied)),
    ("denied on iOS may never have been asked", .denied, .ios, Says(.denied, .incomplete)),
    ("denied for good", .deniedForever, .ios, Says(.denied, .settings)),
    ("denied for good on Android", .deniedForever, .android, Says(.denied, .settings)),
  ]

  @Test("location gives the expected reading", arguments: pubRows)
  func pubLocation(_ row: PubRow) {
    let values = PubLocationValues(
      permissionStatus: .given(row.is), serviceEnabled: .given(true))
    var says = row.says
    says.services = .on
    #expect(Says(values.reading(on: row.on)) == says)
  }

  @Test("location: missing and unreadable values")
  func pubLocationOdd() {
    for (field, says) in [(.absent, .incomplete), (.unreadable, .unknownValue)]
      as [(RawField<PubLocationStatus>, Says)]
    {
      #expect(Says(PubLocationValues(permissionStatus: field).reading(on: .ios)) == says)
    }
  }

  typealias TransistorRow = (
    name: String, is: TransistorsoftStatus, on: Platform, enabled: Bool?, accuracy: Int64?,
    says: Says
  )
  // R: A13
  static let transistorRows: [TransistorRow] = [
    ("never asked", .notDetermined, .ios, true, 0, Says(.notDetermined, .prompt, services: .on)),
    ("restricted", .restricted, .ios, true, 0, Says(.restricted, .administrator, services: .on)),
    ("refused on iOS", .denied, .ios, true, 0, Says(.denied, .settings, services: .on)),
    ("refused on Android, unknown how often", .denied, .android, nil, nil, Says(.denied)),
    (
      "refused for good, in newer builds", .deniedAlways, .android, nil, nil,
      Says(.denied, .settings)
    ),
    ("always", .always, .ios, true, 0, Says(.always, accuracy: .full, services: .on)),
    ("always, approximate", .always, .ios, nil, 1, Says(.always, accuracy: .reduced)),
    (
      "Android always says full accuracy", .always, .android, true, 0,
      Says(.always, services: .on)
    ),
    (
      "Android, approximate", .whenInUse, .android, nil, 1,
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    ("in use", .whenInUse, .ios, nil, nil, Says(.whenInUse, .settings)),
    (
      "services off keeps the status", .always, .ios, false, 0,
      Says(.always, accuracy: .full, services: .off)
    ),
    ("an unknown accuracy", .always, .ios, nil, 2, Says(.always, .unknownValue)),
  ]

  @Test("background-geolocation gives the expected reading", arguments: transistorRows)
  func transistorsoft(_ row: TransistorRow) {
    let values = TransistorsoftValues(
      status: .given(row.is), enabled: RawField(row.enabled),
      accuracyAuthorization: RawField(row.accuracy))
    #expect(Says(values.reading(on: row.on)) == row.says)
  }

  @Test("background-geolocation's numbers match CoreLocation's, and no others are known")
  func numbers() {
    let known: [TransistorsoftStatus] = [
      .notDetermined, .restricted, .denied, .always, .whenInUse,
    ]
    for (number, status) in known.enumerated() {
      #expect(TransistorsoftStatus(number: Int64(number)) == status)
      let theirs = TransistorsoftValues(status: .given(status)).reading(on: .ios)
      let apples = CoreLocationValues(authorizationStatus: .given(Int64(number))).reading
      #expect(theirs == apples)
    }
    for number in [-1, 5, 6, Int64.min, .max] {
      #expect(TransistorsoftStatus(number: number) == nil)
    }
  }

  @Test("HyperTrack's state")
  func hyperTrack() {
    let rows: [(HyperTrackState, Says)] = [
      (.always, Says(.always)), (.foregroundOnly, Says(.whenInUse, .settings)),
      (.never, Says(.denied)), (.unknown, .incomplete),
      (
        .locationImprecise,
        Says(.whenInUse, .settings, accuracy: .reduced, .incomplete)
      ),
    ]
    for (state, says) in rows { #expect(Says(state.reading) == says) }
    #expect(rows.count == HyperTrackState.allCases.count)
  }
}
