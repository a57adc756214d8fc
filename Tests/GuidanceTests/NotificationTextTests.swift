import GuardRules
import ShiftDomain
import Testing

@testable import Guidance

@Suite("Notifications during a shift") struct NotificationTextTests {
  typealias Row = (
    name: String, kind: IncidentKind, report: PermissionState?, device: DeviceDescription,
    action: ActionCode
  )

  static let rows: [Row] = [
    ("denied for good", .denied, state(.denied, .settings), pixel, .openAppSettings),
    ("denied once", .denied, state(.denied, .prompt), pixel, .requestPermission),
    ("denied, without a report", .denied, nil, iPhone, .openAppSettings),
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
    ("simulated", .mockLocation, nil, pixel, .turnOffMockLocation),
    ("denied in a browser", .denied, nil, page, .followSteps),
  ]

  @Test(arguments: rows) func acts(_ row: Row) {
    let notification = notificationText(for: row.kind, report: row.report, on: row.device)
    #expect(notification.action == row.action, "\(row.name)")
  }

  @Test("From always to while in use they say that tracking may pause in the background")
  func downgrade() {  // R: A18
    for device in devices {
      let notification = notificationText(for: .whenInUse, report: nil, on: device)
      #expect(
        (notification.title + notification.body).contains("racking may pause in the background"))
    }
  }

  @Test("On iOS they say that the phone may have asked by itself, and accuse nobody")
  func provisional() {
    let notification = notificationText(for: .whenInUse, report: nil, on: iPhone)
    #expect(notification.body.contains("the phone may have asked you"))
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
    "Every notification about an incident says that the shift continues",
    arguments: IncidentKind.allCases)
  func goesOn(_ kind: IncidentKind) {
    for device in [pixel, page] {
      for (language, words) in goingOn {
        let notification = notificationText(for: kind, report: nil, on: device, in: language)
        #expect(notification.body.contains(words), "\(language)")
      }
    }
  }

  @Test(
    "What is left, and lets positions through, is named as the end of what was worse",
    arguments: [IncidentKind.whenInUse, .accuracyReduced])
  func left(_ kind: IncidentKind) {  // R: A12
    for language in Language.allCases {
      for device in [pixel, iPhone, page] {
        func text(_ topic: NotificationTopic, _ kind: IncidentKind?) -> NotificationText {
          let notification = ShiftNotification(
            topic, subject: 1, kind: kind, dueAt: Instant(milliseconds: 0))
          return notificationText(for: notification, report: nil, on: device, in: language)
        }
        let (end, all) = (text(.restored, kind), text(.restored, nil))
        let alarm = text(.incident, kind)
        #expect(end.title == all.title && end.title != alarm.title)
        #expect(end.body != all.body && end.body != alarm.body)
        #expect(end.steps == alarm.steps && end.action == alarm.action)
      }
    }
  }

  @Test("What prevents locating is an alarm, also when it is what is left")
  func leftWithoutPositions() {
    let left = ShiftNotification(
      .restored, subject: 1, kind: .denied, dueAt: Instant(milliseconds: 0))
    #expect(
      notificationText(for: left, report: nil, on: pixel)
        == notificationText(for: .denied, report: nil, on: pixel))
  }

  @Test("On a page they speak of the page, not of an app whose permission has changed")
  func pageWords() {
    for topic in [NotificationTopic.incident, .restored] {
      let notification = ShiftNotification(
        topic, subject: 1, kind: .whenInUse, dueAt: Instant(milliseconds: 0))
      let body = notificationText(for: notification, report: nil, on: page).body
      #expect(body.contains("only while it is open") && !body.contains(" app "))
    }
  }

  @Test("Managers read that tracking has resumed, and what makes gaps likely")
  func managersLeft() {  // R: A12
    let left = ShiftNotification(
      .restored, subject: 1, kind: .whenInUse, dueAt: Instant(milliseconds: 0))
    let text = managersText(for: left, isEmployeeNotified: true)
    #expect(text.title == "Tracking of a shift has resumed")
    #expect(text.body.contains("makes gaps likely"))
  }

  @Test("They may be read outside the app, so the way to a dialog begins with opening it")
  func opens() {
    let steps = notificationText(for: .denied, report: state(.denied, .prompt), on: pixel).steps
    #expect(steps.first == "Open the shift app.")
  }

  @Test(
    "Every topic has its own complete text on every device",
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
        #expect(titles[text.title] ?? notification.presentedTopic == notification.presentedTopic)
        titles[text.title] = notification.presentedTopic
      }
    }
    #expect(review.flaws == [])
  }

  @Test("The weekly digest counts all time outside breaks as worked")
  func worked() {
    var durations = CoverageDurations()
    (durations[.tracked], durations[.notAsked]) = (.hours(2), .hours(1))
    (durations[.serviceUnavailable], durations[.onBreak]) = (.minutes(30), .hours(4))
    let week = TeamWeek(
      name: "Coast", week: 20_514, shifts: 1, openReviews: 0, durations: durations)
    #expect(digestText(week).body.contains("Hours worked: 3:30\nTracked: 100\u{202F}%"))
  }

  @Test(
    "Location that keeps going off and on has one notification on every device",
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
