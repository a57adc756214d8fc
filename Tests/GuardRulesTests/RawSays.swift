import GuardRules
import ShiftDomain

/// The expected reading of raw values; a field that a row does not name is unknown.
struct Says: Equatable {
  var authorization: Authorization
  var path: GrantPath
  var accuracy: LocationAccuracy
  var services: Switch
  var quality: RawQuality

  init(
    _ authorization: Authorization, _ path: GrantPath = .unknown,
    accuracy: LocationAccuracy = .unknown, services: Switch = .unknown,
    _ quality: RawQuality = .clear
  ) {
    self.authorization = authorization
    self.path = path
    self.accuracy = accuracy
    self.services = services
    self.quality = quality
  }

  init(_ reading: RawReading) {
    self.init(
      reading.state.authorization, reading.state.grantPath, accuracy: reading.state.accuracy,
      services: reading.state.services, reading.quality)
  }

  static let incomplete = Says(.unknown, .incomplete)
  static let unknownValue = Says(.unknown, .unknownValue)
  static let contradictory = Says(.unknown, .contradictory)

  init(_ authorization: Authorization, _ quality: RawQuality) {
    self.init(authorization, .unknown, quality)
  }
}

extension RawField {
  /// All that an app may send in a field: nothing, an unreadable value, or any known value.
  static func all(_ values: some Sequence<Value>) -> [RawField] {
    [.absent, .unreadable] + values.map { .given($0) }
  }
}

extension RawReading {
  /// Whether the reading says that the app has a permission.
  var grants: Bool { state.authorization == .always || state.authorization == .whenInUse }
}
