import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("expo-location") struct RawExpoTests {
  typealias Row = (name: String, values: ExpoValues, says: Says)

  private static func answer(
    _ status: ExpoPermission.Status?, _ scope: ExpoPermission.Scope? = nil,
    _ accuracy: ExpoPermission.Accuracy? = nil, canAsk: Bool? = nil
  ) -> ExpoPermission {
    ExpoPermission(
      status: RawField(status), canAskAgain: RawField(canAsk), scope: RawField(scope),
      accuracy: RawField(accuracy))
  }

  private static func values(
    _ foreground: ExpoPermission?, background: ExpoPermission? = nil
  ) -> ExpoValues { ExpoValues(foreground: foreground, background: background) }

  static let ios: [Row] = [
    (
      "never asked", values(answer(.undetermined, .notGranted, .full, canAsk: true)),
      Says(.notDetermined, .prompt)
    ),
    (
      "refused", values(answer(.denied, .notGranted, .full, canAsk: false)),
      Says(.denied, .settings)
    ),
    (
      "scope says in use", values(answer(.granted, .whenInUse, .full)),
      Says(.whenInUse, .settings, accuracy: .full)
    ),
    (
      "scope says always", values(answer(.granted, .always, .reduced)),
      Says(.always, accuracy: .reduced)
    ),
    (
      "in use makes the background undetermined",
      values(answer(.granted, .whenInUse), background: answer(.undetermined, .whenInUse)),
      Says(.whenInUse, .settings)
    ),
    (
      "in use makes the background denied, once asked",
      values(answer(.granted, .whenInUse), background: answer(.denied, .whenInUse, canAsk: false)),
      Says(.whenInUse, .settings)
    ),
    (
      "the background's answer alone: scope beats status",
      values(nil, background: answer(.denied, .whenInUse)), Says(.whenInUse, .settings)
    ),
    (
      "the background's undetermined alone: scope beats status",
      values(nil, background: answer(.undetermined, .whenInUse)), Says(.whenInUse, .settings)
    ),
    (
      "the background's answer alone, always",
      values(nil, background: answer(.granted, .always, .full)), Says(.always, accuracy: .full)
    ),
    (
      "the background's answer alone, none",
      values(nil, background: answer(.denied, .notGranted, canAsk: false)),
      Says(.denied, .settings)
    ),
    (
      "without scope the background counts when granted",
      values(answer(.granted), background: answer(.granted)), Says(.always)
    ),
    (
      "without scope the background's denial is no denial",
      values(answer(.granted), background: answer(.denied)), Says(.whenInUse, .settings)
    ),
    (
      "granted alone does not prove always", values(answer(.granted)),
      Says(.whenInUse, .settings, .incomplete)
    ),
    ("undetermined", values(answer(.undetermined)), Says(.notDetermined, .prompt)),
    (
      "a background granted alone", values(nil, background: answer(.granted)),
      Says(.always, .incomplete)
    ),
    ("a background denied alone is either", values(nil, background: answer(.denied)), .incomplete),
    (
      "a background undetermined alone is either", values(nil, background: answer(.undetermined)),
      .incomplete
    ),
    ("nothing", values(nil), .incomplete),
    ("an empty answer", values(answer(nil)), .incomplete),
    ("an accuracy alone", values(answer(nil, nil, .fine)), .incomplete),
    ("a scope alone, none", values(answer(nil, .notGranted)), .incomplete),
    ("a scope alone, always", values(answer(nil, .always)), Says(.always)),
  ]

  static let android: [Row] = [
    (
      "exact, in use", values(answer(.granted, nil, .fine), background: answer(.denied)),
      Says(.whenInUse, .settings, accuracy: .full)
    ),
    (
      "granted may be approximate",
      values(answer(.granted, nil, .coarse), background: answer(.undetermined)),
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    (
      "approximate, all the time",
      values(answer(.granted, nil, .coarse), background: answer(.granted)),
      Says(.always, accuracy: .reduced)
    ),
    (
      "refused for good", values(answer(.denied, nil, .notGranted, canAsk: false)),
      Says(.denied, .settings)
    ),
    (
      "refused once", values(answer(.denied, nil, .notGranted, canAsk: true)),
      Says(.denied, .prompt)
    ),
    ("refused, unknown how often", values(answer(.denied, nil, .notGranted)), Says(.denied)),
    ("granted without any accuracy", values(answer(.granted, nil, .notGranted)), .contradictory),
    ("fine, but denied", values(answer(.denied, nil, .fine)), .contradictory),
    ("coarse, but never asked", values(answer(.undetermined, nil, .coarse)), .contradictory),
    (
      "the background without the foreground",
      values(answer(.denied), background: answer(.granted)), .contradictory
    ),
    (
      "the background before the foreground",
      values(answer(.undetermined), background: answer(.granted)), .contradictory
    ),
  ]

  static let next: [Row] = [
    (
      "always", values(answer(.granted, .always, .full, canAsk: true)),
      Says(.always, accuracy: .full)
    ),
    (
      "in use, approximate", values(answer(.granted, .whenInUse, .reduced)),
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    (
      "refused", values(answer(.denied, .notGranted, .notGranted, canAsk: false)),
      Says(.denied, .settings)
    ),
    (
      "never asked", values(answer(.undetermined, .notGranted, .notGranted, canAsk: true)),
      Says(.notDetermined, .prompt)
    ),
    (
      "always of the background permission alone",
      values(nil, background: answer(.granted, .always, .notGranted)), .contradictory
    ),
    ("granted, but scope none", values(answer(.granted, .notGranted)), .contradictory),
    ("denied, but scope always", values(answer(.denied, .always)), .contradictory),
    ("denied, but scope in use", values(answer(.denied, .whenInUse)), .contradictory),
    ("undetermined, but scope in use", values(answer(.undetermined, .whenInUse)), .contradictory),
    (
      "the background granted in use",
      values(nil, background: answer(.granted, .whenInUse)), .contradictory
    ),
    (
      "the background denied, but scope always",
      values(nil, background: answer(.denied, .always)), .contradictory
    ),
    (
      "the background granted, but scope none",
      values(nil, background: answer(.granted, .notGranted)), .contradictory
    ),
    (
      "two scopes",
      values(answer(.granted, .whenInUse), background: answer(.granted, .always)), .contradictory
    ),
    (
      "two accuracies",
      values(
        answer(.granted, .always, .full), background: answer(.granted, .always, .reduced)),
      .contradictory
    ),
  ]

  @Test("gives the expected reading", arguments: ios + android + next)
  func says(_ row: Row) {
    for platform in [Platform.ios, .android, .unknown] {
      #expect(Says(row.values.reading(on: platform)) == row.says)
    }
  }

  @Test("a page never has always, even if its background permission says so")
  func page() {
    let rows: [(ExpoPermission.Status?, Says)] = [
      (.granted, Says(.whenInUse)), (.undetermined, Says(.notDetermined, .prompt)),
      (.denied, Says(.denied, .settings)), (nil, .incomplete),
    ]
    for (status, says) in rows {
      let values = Self.values(Self.answer(status), background: Self.answer(.granted, .always))
      #expect(Says(values.reading(on: .web)) == says)
    }
    let new = Self.values(ExpoPermission(status: .unreadable))
    #expect(Says(new.reading(on: .web)) == .unknownValue)
    #expect(Says(Self.values(nil).reading(on: .web)) == .incomplete)
  }

  @Test("an unreadable value makes the reading unknown, even beside a grant")
  func unreadable() {
    let granted = Self.answer(.granted, .always)
    let odd = [
      ExpoPermission(status: .unreadable, scope: .given(.always)),
      ExpoPermission(status: .given(.granted), scope: .unreadable),
      ExpoPermission(status: .given(.granted), accuracy: .unreadable),
    ]
    for answer in odd {
      for values in [
        ExpoValues(foreground: answer), ExpoValues(foreground: granted, background: answer),
        ExpoValues(foreground: answer, background: granted),
      ] {
        #expect(Says(values.reading(on: .ios)) == .unknownValue)
      }
    }
    let refused = ExpoPermission(status: .given(.denied), canAskAgain: .unreadable)
    let values = ExpoValues(foreground: refused, hasServicesEnabled: .given(true))
    #expect(Says(values.reading(on: .ios)) == Says(.denied, services: .on, .unknownValue))
    let switched = ExpoValues(foreground: granted, hasServicesEnabled: .unreadable)
    #expect(Says(switched.reading(on: .ios)) == Says(.always, .unknownValue))
  }

  @Test("never reports a grant that no sent value states")
  func neverGuesses() {
    let statuses = RawField.all(ExpoPermission.Status.allCases)
    let scopes = RawField.all([ExpoPermission.Scope.always, .whenInUse, .notGranted])
    let answers: [ExpoPermission?] =
      [nil]
      + statuses.flatMap { status in
        scopes.map { ExpoPermission(status: status, scope: $0) }
      }
    for foreground in answers {
      for background in answers {
        let reading = ExpoValues(foreground: foreground, background: background)
          .reading(on: .android)
        let given = [foreground, background]
        let isGranted = given.contains { $0?.status == .given(.granted) }
        let inScope = given.contains {
          $0?.scope == .given(.always) || $0?.scope == .given(.whenInUse)
        }
        #expect(!reading.grants || isGranted || inScope)
        let proof =
          background?.status == .given(.granted) || given.contains { $0?.scope == .given(.always) }
        #expect(reading.state.authorization != .always || proof)
      }
    }
  }
}
