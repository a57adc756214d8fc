import GuardRules
import ShiftDomain
import Testing

// R: B7
@Suite("react-native-permissions") struct RawReactNativeTests {
  typealias Result = ReactNativeResult
  typealias Row = (name: String, values: ReactNativeValues, says: Says)

  private static func ios(
    _ whenInUse: Result?, always: Result? = nil, accuracy: LocationAccuracy? = nil
  ) -> ReactNativeValues {
    ReactNativeValues(
      iosWhenInUse: RawField(whenInUse), iosAlways: RawField(always),
      locationAccuracy: RawField(accuracy))
  }

  private static func android(
    _ fine: Result?, _ coarse: Result? = nil, background: Result? = nil
  ) -> ReactNativeValues {
    ReactNativeValues(
      androidFine: RawField(fine), androidCoarse: RawField(coarse),
      androidBackground: RawField(background))
  }

  static let onIOS: [Row] = [
    ("denied is never asked", ios(.denied), Says(.notDetermined, .prompt)),
    ("never asked for both", ios(.denied, always: .denied), Says(.notDetermined, .prompt)),
    ("blocked is refused", ios(.blocked), Says(.denied, .settings)),
    ("blocked for both", ios(.blocked, always: .blocked), Says(.denied, .settings)),
    (
      "after Keep Only While Using always is blocked", ios(.granted, always: .blocked),
      Says(.whenInUse, .settings)
    ),
    ("always not yet asked", ios(.granted, always: .denied), Says(.whenInUse, .prompt)),
    ("always", ios(.granted, always: .granted), Says(.always)),
    ("always alone", ios(nil, always: .granted), Says(.always)),
    (
      "granted alone does not prove always", ios(.granted), Says(.whenInUse, .settings, .incomplete)
    ),
    ("limited is granted", ios(.limited, always: .limited), Says(.always)),
    (
      "in use, approximate", ios(.granted, always: .blocked, accuracy: .reduced),
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    ("accuracy without a grant", ios(.blocked, accuracy: .full), Says(.denied, .settings)),
    ("unavailable is restricted, or no hardware", ios(.unavailable), .incomplete),
    ("unavailable for both", ios(.unavailable, always: .unavailable), .incomplete),
    ("unavailable, reported by always", ios(nil, always: .unavailable), .incomplete),
    ("always blocked alone is either", ios(nil, always: .blocked), .incomplete),
    ("always denied alone is either", ios(nil, always: .denied), .incomplete),
    ("always after a refusal", ios(.blocked, always: .granted), .contradictory),
    ("always before asking", ios(.denied, always: .granted), .contradictory),
    ("never asked and refused", ios(.denied, always: .blocked), .contradictory),
    ("refused and never asked", ios(.blocked, always: .denied), .contradictory),
    ("unavailable beside a grant", ios(.granted, always: .unavailable), .contradictory),
    ("unavailable beside always", ios(.unavailable, always: .granted), .contradictory),
  ]

  static let onAndroid: [Row] = [
    ("a check never says blocked", android(.denied, .denied), Says(.denied)),
    ("blocked comes from a request", android(.blocked, .denied), Says(.denied, .settings)),
    ("blocked, reported by coarse", android(.denied, .blocked), Says(.denied, .settings)),
    ("fine denied may be approximate", android(.denied), .incomplete),
    ("coarse denied may be exact", android(nil, .denied), .incomplete),
    (
      "approximate", android(.denied, .granted, background: .denied),
      Says(.whenInUse, .settings, accuracy: .reduced)
    ),
    (
      "approximate, fine blocked", android(.blocked, .granted, background: .granted),
      Says(.always, accuracy: .reduced)
    ),
    (
      "coarse granted, fine unreported", android(nil, .granted, background: .granted), Says(.always)
    ),
    (
      "exact, in use", android(.granted, .granted, background: .denied),
      Says(.whenInUse, .settings, accuracy: .full)
    ),
    (
      "exact, the background blocked", android(.granted, background: .blocked),
      Says(.whenInUse, .settings, accuracy: .full)
    ),
    (
      "exact, all the time", android(.granted, background: .granted),
      Says(.always, accuracy: .full)
    ),
    (
      "9: the background permission is unavailable", android(.granted, background: .unavailable),
      Says(.always, accuracy: .full)
    ),
    (
      "the background unreported", android(.granted),
      Says(.whenInUse, .settings, accuracy: .full, .incomplete)
    ),
    (
      "the background alone contradicts itself",
      android(.denied, .denied, background: .granted), .contradictory
    ),
    (
      "the background, with half of the foreground", android(.denied, background: .granted),
      Says(.always, accuracy: .reduced, .incomplete)
    ),
    ("the background alone", android(nil, background: .granted), Says(.always, .incomplete)),
    ("the background denied alone", android(nil, background: .denied), .incomplete),
    ("unavailable", android(.unavailable, .unavailable), .incomplete),
    ("one denied, the other not in the manifest", android(.unavailable, .denied), Says(.denied)),
    ("nothing", android(nil), .incomplete),
  ]

  @Test("gives the expected reading", arguments: onIOS + onAndroid)
  func says(_ row: Row) {
    #expect(Says(row.values.reading) == row.says)
  }

  @Test("permissions of both systems contradict each other")
  func bothSystems() {
    var values = Self.ios(.granted, always: .granted)
    values.androidBackground = .given(.granted)
    #expect(Says(values.reading) == .contradictory)
  }

  @Test("an unreadable value makes the reading unknown, even beside a grant")
  func unreadable() {
    for field in [\ReactNativeValues.iosWhenInUse, \.iosAlways] {
      var values = Self.ios(.granted, always: .granted)
      values[keyPath: field] = .unreadable
      #expect(Says(values.reading) == .unknownValue)
    }
    for field in [\ReactNativeValues.androidFine, \.androidCoarse, \.androidBackground] {
      var values = Self.android(.granted, .granted, background: .granted)
      values[keyPath: field] = .unreadable
      #expect(Says(values.reading) == .unknownValue)
    }
    var values = Self.ios(.granted, always: .granted)
    values.locationAccuracy = .unreadable
    #expect(Says(values.reading) == Says(.always, .unknownValue))
    values = Self.android(.granted, background: .granted)
    values.locationAccuracy = .unreadable
    #expect(Says(values.reading) == Says(.always, accuracy: .full, .unknownValue))
    #expect(Says(ReactNativeValues(locationAccuracy: .unreadable).reading) == .unknownValue)
  }

  @Test("never reports a grant that no sent value states")
  func neverGuesses() {
    let results = RawField.all(Result.allCases)
    let words: [RawField<Result>] = [.given(.granted), .given(.limited)]
    for first in results {
      for second in results {
        let values = ReactNativeValues(iosWhenInUse: first, iosAlways: second)
        #expect(!values.reading.grants || words.contains(first) || words.contains(second))
        #expect(values.reading.state.authorization != .always || words.contains(second))
        for third in results {
          let values = ReactNativeValues(
            androidFine: first, androidCoarse: second, androidBackground: third)
          let isWord = [first, second, third].contains { words.contains($0) }
          #expect(!values.reading.grants || isWord)
          let isAlways = values.reading.state.authorization == .always
          #expect(!isAlways || words.contains(third) || third == .given(.unavailable))
        }
      }
    }
  }
}
