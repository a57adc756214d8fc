import ShiftDomain
import Testing

@testable import Guidance

@Suite("Notices during a shift") struct NotificationTextTests {
  typealias Row = (
    name: String, kind: IncidentKind, report: PermissionState?, device: DeviceDescription,
    action: ActionCode
  )

  static let rows: [Row] = [
    ("denied for good", .denied, state(.denied, .settings), pixel, .openAppSettings),
    ("denied once", .denied, state(.denied, .prompt), pixel, .requestPermission),
    ("denied, reported by silence", .denied, nil, iPhone, .openAppSettings),
    (
      "Allow Once ran out", .notDetermined, state(.notDetermined, .prompt), iPhone,
      .requestPermission
    ),
    ("locked", .restricted, nil, iPhone, .contactAdministrator),
    ("while in use", .whenInUse, state(.whenInUse, .settings), iPhone, .openAppSettings),
    ("location off", .servicesOff, nil, pixel, .openLocationSettings),
    ("approximate", .accuracyReduced, nil, pixel, .openAppSettings),
    ("silent", .noContact, nil, pixel, .openApp),
    ("no position", .noFix, nil, pixel, .sendFix),
    ("app closed", .appTerminated, nil, iPhone, .openApp),
    ("simulated", .mockLocation, nil, pixel, .followSteps),
    ("denied in a browser", .denied, nil, page, .followSteps),
  ]

  @Test(arguments: rows) func acts(_ row: Row) {
    let notification = notificationText(for: row.kind, report: row.report, on: row.device)
    #expect(notification.action == row.action, "\(row.name)")
  }

  @Test("From always to while in use: tracking may pause in the background")
  func downgrade() {  // R: A18
    for device in devices {
      let notification = notificationText(for: .whenInUse, report: nil, on: device)
      #expect(
        (notification.title + notification.body).contains("racking may pause in the background"))
    }
  }

  @Test("On iOS the phone may have asked by itself, so nobody is accused")
  func provisional() {
    let notification = notificationText(for: .whenInUse, report: nil, on: iPhone)
    #expect(notification.body.contains("the phone may have asked you by itself"))
  }

  @Test("Silence is never called a denied permission")
  func silence() {
    for kind in [IncidentKind.noContact, .noFix, .appTerminated] {
      for device in devices {
        let notification = notificationText(for: kind, report: nil, on: device)
        let text = (notification.title + notification.body).lowercased()
        #expect(!text.contains("denied") && !text.contains("permission"))
      }
    }
  }

  let goingOn: [(Language, String)] = [
    (.english, "our shift goes on"), (.french, "otre service continue"),
    (.polish, "woja zmiana trwa"),
    (.german, "hre Schicht läuft weiter"),
  ]

  @Test(
    "Every notice that is about tracking says that the shift goes on",
    arguments: IncidentKind.allCases)
  func goesOn(_ kind: IncidentKind) {
    for device in [pixel, page] {
      for (language, words) in goingOn {
        let notification = notificationText(for: kind, report: nil, on: device, in: language)
        #expect(notification.body.contains(words), "\(language)")
      }
    }
  }

  @Test("A notice may be read outside the app, so a dialog begins with opening it")
  func opens() {
    let steps = notificationText(for: .denied, report: state(.denied, .prompt), on: pixel).steps
    #expect(steps.first == "Open the shift app.")
  }

  @Test(
    "Every topic has a whole text on every device, and each its own",
    arguments: Language.allCases)  // R: A11, W10
  func topics(_ language: Language) {
    var review = Review(of: language)
    var titles: [String: NotificationTopic] = [:]
    for (topic, device, report) in product(NotificationTopic.allCases) {
      for kind in [IncidentKind.denied, nil] {
        let notification = ShiftNotification(
          topic, subject: 1, kind: kind, dueAt: Instant(milliseconds: 0))
        let text = notificationText(for: notification, report: report, on: device, in: language)
        switch topic.audience {
        case .employee: review.read(text) { "\(topic) \(device)" }
        case .managers: review.readForManagers(text) { "\(topic) \(device)" }
        }
        // That an alarm is over while something is left reads as that.
        #expect(titles[text.title] ?? notification.presentedTopic == notification.presentedTopic)
        titles[text.title] = notification.presentedTopic
      }
    }
    #expect(review.flaws == [])
  }

  @Test(
    "Location that keeps going off and on has one notice on every device",
    arguments: Language.allCases)
  func unstable(_ language: Language) {
    for device in devices {
      let notification = unstableNotification(on: device, in: language)
      let texts = [notification.title, notification.body] + notification.steps
      #expect(notification.title.count <= 60 && notification.body.count <= 240)
      #expect(texts.allSatisfy { flaw(of: $0, in: language) == nil })
    }
  }
}
