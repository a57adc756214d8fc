import ShiftDomain
import Testing

@testable import Guidance

@Suite("Notices during a shift") struct NoticeTests {
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
    let notice = noticeText(for: row.kind, report: row.report, on: row.device)
    #expect(notice.action == row.action, "\(row.name)")
  }

  @Test("From always to while in use: tracking may pause in the background")
  func downgrade() {  // R: A18
    for device in devices {
      let notice = noticeText(for: .whenInUse, report: nil, on: device)
      #expect((notice.title + notice.body).contains("racking may pause in the background"))
    }
  }

  @Test("On iOS the phone may have asked by itself, so nobody is accused")
  func provisional() {
    let notice = noticeText(for: .whenInUse, report: nil, on: iPhone)
    #expect(notice.body.contains("the phone may have asked you by itself"))
  }

  @Test("Silence is never called a denied permission")
  func silence() {
    for kind in [IncidentKind.noContact, .noFix, .appTerminated] {
      for device in devices {
        let notice = noticeText(for: kind, report: nil, on: device)
        let text = (notice.title + notice.body).lowercased()
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
        let notice = noticeText(for: kind, report: nil, on: device, in: language)
        #expect(notice.body.contains(words), "\(language)")
      }
    }
  }

  @Test("A notice may be read outside the app, so a dialog begins with opening it")
  func opens() {
    let steps = noticeText(for: .denied, report: state(.denied, .prompt), on: pixel).steps
    #expect(steps.first == "Open the shift app.")
  }

  @Test(
    "Every topic has a whole text on every device, and each its own",
    arguments: Language.allCases)  // R: A11, W10
  func topics(_ language: Language) {
    var review = Review(of: language)
    var titles: [String: NoticeTopic] = [:]
    for (topic, device, report) in product(NoticeTopic.allCases) {
      for kind in [IncidentKind.denied, nil] {
        let notice = Notice(topic, subject: 1, kind: kind, dueAt: Instant(milliseconds: 0))
        let text = noticeText(for: notice, report: report, on: device, in: language)
        switch topic.audience {
        case .employee: review.read(text) { "\(topic) \(device)" }
        case .managers: review.readForManagers(text) { "\(topic) \(device)" }
        }
        // That an alarm is over while something is left reads as that.
        #expect(titles[text.title] ?? notice.presentedTopic == notice.presentedTopic)
        titles[text.title] = notice.presentedTopic
      }
    }
    #expect(review.flaws == [])
  }

  @Test(
    "Location that keeps going off and on has one notice on every device",
    arguments: Language.allCases)
  func unstable(_ language: Language) {
    for device in devices {
      let notice = unstableNotice(on: device, in: language)
      let texts = [notice.title, notice.body] + notice.steps
      #expect(notice.title.count <= 60 && notice.body.count <= 240)
      #expect(texts.allSatisfy { flaw(of: $0, in: language) == nil })
    }
  }
}
