import GuardRules
import Guidance
import ShiftDomain
import Testing

@Suite("Remedies") struct RemedyTests {
  typealias Row = (
    name: String, finding: Finding, report: PermissionState?, device: DeviceDescription,
    action: ActionCode
  )

  static let rows: [Row] = [  // R: A7
    (
      "denied, the dialog may be shown: ask", .denied, state(.denied, .prompt), pixel,
      .requestPermission
    ),
    (
      "denied for good: settings", .denied, state(.denied, .settings), pixel,
      .openAppSettings
    ),  // R: A5
    ("denied on iOS: settings", .denied, state(.denied, .settings), iPhone, .openAppSettings),
    ("denied, grant path unknown: settings always work", .denied, nil, pixel, .openAppSettings),
    ("denied in a browser: no page opens settings", .denied, nil, page, .followSteps),
    (
      "restricted: the administrator", .restricted, state(.restricted, .administrator), iPhone,
      .contactAdministrator
    ),
    (
      "denied by the administrator: the administrator", .denied, state(.denied, .administrator),
      pixel, .contactAdministrator
    ),
    (
      "never asked, or Allow Once has run out: ask", .notDetermined,
      state(.notDetermined, .prompt), iPhone, .requestPermission
    ),
    (
      "while in use on Android 14: the settings alone", .whenInUse, state(.whenInUse, .prompt),
      pixel, .openAppSettings
    ),
    (
      "while in use on Android 10: the dialog can", .whenInUse, state(.whenInUse, .prompt),
      DeviceDescription(platform: .android, osVersion: "10"), .requestPermission
    ),
    (
      "while in use on an Android of unknown version: the settings", .whenInUse,
      state(.whenInUse, .prompt), DeviceDescription(platform: .android), .openAppSettings
    ),
    (
      "while in use on iOS, already asked: the settings", .whenInUse,
      state(.whenInUse, .settings), iPhone, .openAppSettings
    ),
    ("services off: the location switch", .servicesOff, nil, pixel, .openLocationSettings),
    ("no report: send one", .noReport, nil, pixel, .sendReport),
    ("stale report: send one", .staleReport, state(.always, .unknown), pixel, .sendReport),
    ("unreadable: send another", .unreadable, nil, pixel, .sendReport),
    ("no recent fix: send one", .cannotReportNoFix, nil, pixel, .sendFix),
    ("approximate: the app's page", .accuracyReduced, nil, iPhone, .openAppSettings),
    ("battery: its settings", .batteryOptimised, nil, pixel, .openBatterySettings),
    ("notifications: settings", .notificationsOff, nil, iPhone, .openNotificationSettings),
    ("clock: check it", .clockWrong, nil, iPhone, .checkClock),
    ("provisional Always: nothing to press", .alwaysUnproven, nil, iPhone, .none),
  ]

  @Test(arguments: rows) func acts(_ row: Row) throws {
    let guidance = guidance(for: decision([row.finding]), report: row.report, on: row.device)
    #expect(try #require(guidance.remedies.first).action == row.action, "\(row.name)")
  }

  typealias Way = (name: String, device: DeviceDescription, steps: [String])

  static let ways: [Way] = [  // R: A6
    (
      "iOS 15", DeviceDescription(platform: .ios, osVersion: "15.8"),
      [
        "Open Settings > the shift app > Location.",
        "Not there? Open Settings > Privacy > Location Services > the shift app.",
        "Choose Always.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "iOS 16", DeviceDescription(platform: .ios, osVersion: "16.0"),
      [
        "Open Settings > the shift app > Location.",
        "Not there? Open Settings > Privacy & Security > Location Services > the shift app.",
        "Choose Always.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "Android 11", DeviceDescription(platform: .android, osVersion: "11"),
      [
        "Usually: Settings > Apps & notifications > the shift app > Permissions > Location.",
        "Choose Allow all the time.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "Android 12", DeviceDescription(platform: .android, osVersion: "12"),
      [
        "Usually: Settings > Apps > the shift app > Permissions > Location.",
        "Choose Allow all the time.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "Android 9 knows no background",
      DeviceDescription(platform: .android, osVersion: "9"),
      [
        "Usually: Settings > Apps & notifications > the shift app > Permissions > Location.",
        "Choose Allow.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "Samsung", DeviceDescription(platform: .android, osVersion: "13", maker: "samsung"),
      [
        "Open Settings > Apps > the shift app > Permissions > Location.",
        "Choose Allow all the time.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "Xiaomi", DeviceDescription(platform: .android, osVersion: "13", maker: "Redmi"),
      [
        "Open Settings > Apps > Manage apps > the shift app > App permissions > Location.",
        "Choose Allow all the time.", "Go back to the shift app; it checks again by itself.",
      ]
    ),
    (
      "the app's own name",
      DeviceDescription(platform: .ios, osVersion: "17.5", appName: "Field Work"),
      [
        "Open Settings > Field Work > Location.",
        "Not there? Open Settings > Privacy & Security > Location Services > Field Work.",
        "Choose Always.", "Go back to Field Work; it checks again by itself.",
      ]
    ),
    (
      "Safari", DeviceDescription(platform: .web, osVersion: "iPhone OS 18.6", maker: "Safari 26"),
      [
        "Open the page menu next to the address (AA or an icon with lines), then Website Settings.",
        "Set Location to Allow.",
        "If that is not enough: Settings > Privacy & Security > Location Services > Safari "
          + "Websites. Choose While Using the App.",
        "Reload this page; it checks again by itself.",
      ]
    ),
    (
      "an old Safari", DeviceDescription(platform: .web, osVersion: "OS 15.8", maker: "Safari 15"),
      [
        "Open the page menu next to the address (AA or an icon with lines), then Website Settings.",
        "Set Location to Allow.",
        "If that is not enough, allow location for the browser in the settings of your device.",
        "Reload this page; it checks again by itself.",
      ]
    ),
    (
      "Chrome on a phone",
      DeviceDescription(platform: .web, osVersion: "Android 14", maker: "Chrome 130"),
      [
        "Choose the icon left of the address, then Permissions or Site settings.",
        "Set Location to Allow.",
        "If that is not enough: Settings > Apps > your browser > Permissions > Location. Choose "
          + "Allow only while using the app.",
        "Reload this page; it checks again by itself.",
      ]
    ),
    (
      "a page on the Home Screen of a phone",
      DeviceDescription(platform: .web, osVersion: "Android 14", maker: "Chrome 130 (installed)"),
      [
        "This page has no address here: open the browser itself, its settings, Site settings, "
          + "Location, and choose this page.",
        "Set Location to Allow.",
        "If that is not enough: Settings > Apps > your browser > Permissions > Location. Choose "
          + "Allow only while using the app.",
        "Reload this page; it checks again by itself.",
      ]
    ),
    (
      "a page on the Home Screen of an iPhone",
      DeviceDescription(
        platform: .web, osVersion: "iPhone OS 18.1", maker: "Safari 18 (installed)"),
      [
        "Close this page completely, and open it again from the Home Screen, where it asks for "
          + "location.",
        "Set Location to Allow.",
        "If that is not enough: Settings > Privacy & Security > Location Services > Safari "
          + "Websites. Choose While Using the App.",
        "Reload this page; it checks again by itself.",
      ]
    ),
    (
      "a browser", page,
      [
        "Open this page's permissions, usually with the icon next to its address.",
        "Set Location to Allow.",
        "If that is not enough, allow location for the browser in the settings of your device.",
        "Reload this page; it checks again by itself.",
      ]
    ),
  ]

  @Test("A permanent denial leads through the settings of the phone's own system", arguments: ways)
  func leads(_ way: Way) throws {
    let guidance = guidance(
      for: decision([.denied], under: .advisory), report: state(.denied, .settings),
      on: way.device)
    #expect(try #require(guidance.remedies.first).steps == way.steps, "\(way.name)")
  }

  @Test("The foreground comes first, then the background, as each Android asks")
  func order() throws {  // R: C2
    func asked(_ version: String) throws -> [String] {
      let device = DeviceDescription(platform: .android, osVersion: version)
      let guidance = guidance(
        for: decision([.notDetermined], under: .advisory),
        report: state(.notDetermined, .prompt), on: device)
      return try #require(guidance.remedies.first).steps
    }
    #expect(try asked("9") == ["When the phone asks, choose Allow."])
    #expect(try asked("10") == ["When the phone asks, choose Allow all the time."])
    #expect(
      try asked("11") == [
        "When the phone asks, choose While using the app.",
        "On the page that opens next, choose Allow all the time.",
      ])
  }

  @Test("If it is unknown whether the phone would ask, the steps cover both cases")
  func bothWays() throws {
    let way = try #require(
      guidance(for: decision([.denied]), report: nil, on: pixel).remedies.first
    ).way
    #expect(way.contains("When the phone asks"))
    #expect(way.contains("If no question appears, use the settings instead:"))
    #expect(way.contains("Permissions > Location"))
  }

  @Test("Location off and permission denied have different remedies")
  func services() throws {  // R: A13, C5
    let off = guidance(for: decision([.servicesOff]), report: nil, on: iPhone)
    let denied = guidance(for: decision([.denied]), report: nil, on: iPhone)
    let (first, second) = (try #require(off.remedies.first), try #require(denied.remedies.first))
    #expect(first.title != second.title)
    #expect(first.action == .openLocationSettings)
    #expect(first.steps != second.steps)
    #expect(first.way.contains("Location Services and switch it on"))
  }

  @Test("iOS reports denied while location is off, so location comes first")
  func servicesFirst() throws {
    let both = guidance(
      for: decision([.denied, .servicesOff]), report: state(.denied, .settings), on: iPhone)
    #expect(both.remedies.map(\.finding) == [.servicesOff, .denied])
    let denied = try #require(both.remedies.last)
    #expect(
      denied.why.hasPrefix("The phone also reports this while location is off for the whole phone"))
    #expect(denied.steps.first?.hasPrefix("Switch on location for the whole phone first") == true)
  }

  @Test("Restricted leads to the administrator first and to the settings second")
  func restricted() throws {
    for device in [iPhone, pixel, page] {
      let steps = try #require(
        guidance(for: decision([.restricted]), report: nil, on: device).remedies.first
      ).steps
      #expect(steps.first == "Ask the person who manages this device to allow location on it.")
      #expect(steps.contains("When that is done, allow location in the settings:"))
    }
  }

  @Test("While in use warns that tracking may pause, and on iOS accuses nobody")
  func whenInUse() throws {  // R: A18
    for device in [iPhone, pixel] {
      let remedy = try #require(
        guidance(
          for: decision([.whenInUse]), report: state(.whenInUse, .settings), on: device
        ).remedies.first)
      #expect(remedy.why.contains("racking may pause in the background"))
      #expect(remedy.why.contains("may have asked you") == (device.platform == .ios))
    }
  }

  @Test("The exemption from battery saving gives its reason, and steps by maker")
  func battery() throws {  // R: A14
    func remedy(_ maker: String?) throws -> Remedy {
      let device = DeviceDescription(platform: .android, osVersion: "14", maker: maker)
      return try #require(
        guidance(for: decision([.batteryOptimised]), report: nil, on: device).remedies.first)
    }
    #expect(try remedy(nil).why.contains("the phone may stop the app in the background"))
    #expect(try remedy(nil).way.contains("Choose Unrestricted"))
    #expect(try remedy("samsung").way.contains("Never auto sleeping apps"))
    #expect(try remedy("Xiaomi").way.contains("Autostart"))
  }

  @Test("Only blocked employees are advised to ask their manager")
  func help() throws {
    let sentence = "If you are stuck, ask your manager, who can open the shift for you."
    for (severities, isNotified) in [(SeverityTable.standard, true), (.advisory, false)] {
      let remedy = try #require(
        guidance(for: decision([.denied], under: severities), report: nil, on: pixel)
          .remedies.first)
      #expect(remedy.steps.contains(sentence) == isNotified)
    }
  }
}
