import GuardRules
import JSONText
import ShiftDomain

// The report of a phone that is newer than this server must not be lost: raw values that we cannot
// read count as unreadable and are never an error. The rules decide what that means.

extension RawValues {
  /// The raw values of `source`, by the names of its interface. Never fails.
  init(_ source: RawSource, _ raw: JSONFields) {
    self =
      switch source {
      case .unknown: .unknown
      case .coreLocation: .coreLocation(CoreLocationValues(raw))
      case .android: .android(AndroidFlags(raw))
      case .webPermissions: .webPermissions(raw.word("geolocation"))
      case .permissionHandler: .permissionHandler(PermissionHandlerValues(raw))
      case .geolocator: .geolocator(GeolocatorValues(raw))
      case .expoLocation: .expoLocation(ExpoValues(raw))
      case .reactNativePermissions: .reactNativePermissions(ReactNativeValues(raw))
      case .pubLocation:
        .pubLocation(
          PubLocationValues(
            permissionStatus: raw.word("permissionStatus"),
            serviceEnabled: raw.flag("serviceEnabled")))
      case .transistorsoft: .transistorsoft(TransistorsoftValues(raw))
      case .hyperTrack: .hyperTrack(raw.word("state"))
      }
  }
}

extension CoreLocationValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      authorizationStatus: raw.number("authorizationStatus"),
      accuracyAuthorization: raw.number("accuracyAuthorization"),
      locationServicesEnabled: raw.flag("locationServicesEnabled"),
      hasAskedAlways: raw.flag("hasAskedAlways"))
  }
}

extension AndroidFlags {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      apiLevel: raw.number("apiLevel"), fine: raw.flag("fine"), coarse: raw.flag("coarse"),
      background: raw.flag("background"), shouldShowRationale: raw.flag("shouldShowRationale"),
      hasAsked: raw.flag("hasAsked"), locationEnabled: raw.flag("locationEnabled"),
      exitReason: raw.number("exitReason"), exitTimestamp: raw.number("exitTimestamp"),
      hasAskedBackground: raw.flag("hasAskedBackground"),
      isRestricted: raw.flag("restricted"))
  }
}

extension PermissionHandlerValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      location: raw.wordOrIndex("location"),
      locationWhenInUse: raw.wordOrIndex("locationWhenInUse"),
      locationAlways: raw.wordOrIndex("locationAlways"),
      serviceStatus: raw.wordOrIndex("serviceStatus"), fine: raw.flag("fine"),
      coarse: raw.flag("coarse"), apiLevel: raw.number("apiLevel"))
  }
}

extension GeolocatorValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      permission: raw.wordOrIndex("permission"), accuracy: raw.wordOrIndex("accuracy"),
      serviceEnabled: raw.flag("serviceEnabled"))
  }
}

extension ReactNativeValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      iosWhenInUse: raw.word("ios.permission.LOCATION_WHEN_IN_USE"),
      iosAlways: raw.word("ios.permission.LOCATION_ALWAYS"),
      locationAccuracy: raw.word("locationAccuracy"),
      androidFine: raw.word("android.permission.ACCESS_FINE_LOCATION"),
      androidCoarse: raw.word("android.permission.ACCESS_COARSE_LOCATION"),
      androidBackground: raw.word("android.permission.ACCESS_BACKGROUND_LOCATION"))
  }
}

extension TransistorsoftValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      status: raw.field("status") { value in
        // Clones of the library send the number as a string.
        guard case .string(let text) = value else {
          return value.wholeNumber.flatMap { TransistorsoftStatus(number: $0) }
        }
        return text == "DENIED_ALWAYS"
          ? .deniedAlways : Int64(text).flatMap { TransistorsoftStatus(number: $0) }
      },
      enabled: raw.flag("enabled"), accuracyAuthorization: raw.number("accuracyAuthorization"))
  }
}

extension ExpoValues {
  fileprivate init(_ raw: JSONFields) {
    self.init(
      foreground: ExpoPermission(raw, "foreground"), background: ExpoPermission(raw, "background"),
      hasServicesEnabled: raw.flag("hasServicesEnabled"))
  }
}

extension ExpoPermission {
  /// The answer in the field `name`. The `next` interface has scope and accuracy in the answer
  /// itself, the old one under the platform's name; an even older one calls Android's accuracy
  /// scope.
  fileprivate init?(_ raw: JSONFields, _ name: String) {
    guard let value = raw[name] else { return nil }
    guard let answer = try? JSONFields(value) else {
      self.init(status: .unreadable)
      return
    }
    let (ios, android) = (answer.fields(in: "ios"), answer.fields(in: "android"))
    self.init(
      status: answer.word("status"), canAskAgain: answer.flag("canAskAgain"),
      scope: [answer, ios].lazy.compactMap { $0?.field("scope", Scope.init) }
        .first { $0 != .absent } ?? .absent,
      accuracy: [answer, ios, android].lazy.compactMap { $0?.field("accuracy", Accuracy.init) }
        .first { $0 != .absent } ?? android?.field("scope", Accuracy.init) ?? .absent)
  }
}

extension ExpoPermission.Scope {
  /// The value of either interface; TypeScript may send a constant's name instead of its value.
  fileprivate init?(_ value: JSONValue) {
    guard case .string(let word) = value else { return nil }
    switch word {
    case "always", "ALWAYS": self = .always
    case "whenInUse", "WHEN_IN_USE": self = .whenInUse
    case "none", "notGranted", "NOT_GRANTED": self = .notGranted
    default: return nil
    }
  }
}

extension ExpoPermission.Accuracy {
  fileprivate init?(_ value: JSONValue) {
    guard case .string(let word) = value else { return nil }
    switch word {
    case "full", "FULL": self = .full
    case "reduced", "REDUCED": self = .reduced
    case "fine": self = .fine
    case "coarse": self = .coarse
    case "none", "notGranted", "NOT_GRANTED": self = .notGranted
    default: return nil
    }
  }
}

extension JSONFields {
  /// The field `name`, as far as `read` understands it.
  fileprivate func field<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) -> RawField<Value> {
    guard let value = self[name] else { return .absent }
    guard let understood = read(value) else { return .unreadable }
    return .given(understood)
  }

  fileprivate func flag(_ name: String) -> RawField<Bool> { field(name) { $0.boolean } }

  fileprivate func number(_ name: String) -> RawField<Int64> { field(name) { $0.wholeNumber } }

  /// A value of the library's list.
  func word<Word: Coded>(_ name: String) -> RawField<Word> {
    field(name) { value in
      if case .string(let word) = value { Word(code: word) } else { nil }
    }
  }

  /// A value of the library's list, or its index.
  fileprivate func wordOrIndex<Word: Coded>(_ name: String) -> RawField<Word> {
    field(name) { value in
      if case .string(let word) = value { return Word(code: word) }
      return value.wholeNumber.flatMap { UInt8(exactly: $0) }.flatMap { Word(rawValue: $0) }
    }
  }

  fileprivate func fields(in name: String) -> JSONFields? {
    self[name].flatMap { try? JSONFields($0) }
  }
}
