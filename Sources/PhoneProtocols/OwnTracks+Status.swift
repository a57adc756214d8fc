import GuardRules
import JSONText
import ShiftDomain

extension OwnTracks {
  /// `_type` `status`: the permission, in the values of iOS or of Android.
  static func status(_ fields: LooseFields) throws(QuarantineReason) -> PhoneReport {
    var report: PhoneReport
    if let ios = fields.fields("iOS") {
      report = Self.report(ofIOS: ios)
    } else if let android = fields.fields("android") {
      report = Self.report(ofAndroid: android)
    } else {
      throw QuarantineReason(.missing, "iOS or android")
    }
    // Most builds send no time at all.
    report.recordedAt = fields["tst"].flatMap { Instant(loose: $0) }
    report.messageID = fields.messageID("_id")
    return report
  }

  private static func report(ofIOS ios: LooseFields) -> PhoneReport {
    let authorization = "locationManagerAuthorizationStatus"
    let version = ios.line("version", max: 30)
    return PhoneReport(
      .raw(
        .coreLocation(
          CoreLocationValues(authorizationStatus: ios.raw(authorization, authorizationStatus)))),
      conditions: DeviceConditions(backgroundRefresh: backgroundRefresh(ios)),
      trigger: "status", source: source(version),
      raw: ios.stored([authorization, "backgroundRefreshStatus"]),
      osVersion: ios.line("deviceSystemVersion", max: 50), model: ios.line("deviceModel", max: 100),
      app: "OwnTracks" + (version.map { " \($0)" } ?? ""))
  }

  /// The number of `CLAuthorizationStatus`; `nil`: none that is known.
  private static func authorizationStatus(_ value: JSONValue) -> Int64? {
    switch value {
    case "kCLAuthorizationStatusNotDetermined": 0
    case "kCLAuthorizationStatusRestricted": 1
    case "kCLAuthorizationStatusDenied": 2
    case "kCLAuthorizationStatusAuthorizedAlways": 3
    case "kCLAuthorizationStatusAuthorizedWhenInUse": 4
    default: nil
    }
  }

  /// Restricted cannot be changed by the employee, which counts as unknown. The app's documents
  /// call it a boolean.
  private static func backgroundRefresh(_ ios: LooseFields) -> Switch {
    switch ios["backgroundRefreshStatus"] {
    case "UIBackgroundRefreshStatusAvailable", .bool(true): .on
    case "UIBackgroundRefreshStatusDenied", .bool(false): .off
    default: .unknown
    }
  }

  private static func report(ofAndroid android: LooseFields) -> PhoneReport {
    let version = android.line("version", max: 30)
    return PhoneReport(
      .ownTracksAndroid(number("loc", of: android)),
      conditions: DeviceConditions(
        batteryOptimisation: condition("bo", of: android),
        powerSave: condition("ps", of: android)),
      trigger: "status", source: source(version),
      raw: android.stored(["loc", "ps", "bo", "hib"]),
      app: "OwnTracks" + (version.map { " \($0)" } ?? ""))
  }

  private static let androidValues = ["loc", "ps", "bo", "hib", "wifi"]

  /// A number among Android's values. Builds from 2.6 on leave out zeros; a build that writes one
  /// leaves out none.
  private static func number(_ name: String, of android: LooseFields) -> RawField<Int64> {
    guard android.has(name) else {
      return androidValues.contains { android[$0]?.looseNumber == 0 } ? .absent : .given(0)
    }
    return android[name]?.looseNumber.flatMap { Int64(exactly: $0) }.map { .given($0) }
      ?? .unreadable
  }

  private static func condition(_ name: String, of android: LooseFields) -> Switch {
    switch number(name, of: android) {
    case .given(0): .off
    case .given(1): .on
    case .given, .absent, .unreadable: .unknown
    }
  }

  private static func source(_ version: String?) -> String {
    app.code + (version.map { "/\($0)" } ?? "")
  }
}

extension AndroidFlags {
  /// `loc` of OwnTracks is −(2 · no background + no fine + no coarse), in some builds without the
  /// sign: 0 has all three, 1 only approximate, 2 no background, 3 neither, 4 nothing.
  ///
  /// Before Android 10 the background always counts as granted, so that 2 is nothing there; with
  /// the version unknown, it is believed to be 10 or newer.
  init(ownTracks loc: RawField<Int64>, osMajor: Int?) {
    let isOld = osMajor.map { $0 < 10 } ?? false
    let known: (fine: Bool, coarse: Bool, background: Bool)? =
      switch loc.value {
      case 0: (true, true, true)
      case 1, -1: (false, true, true)
      case 2, -2: isOld ? (false, false, false) : (true, true, false)
      case 3, -3: isOld ? nil : (false, true, false)
      case 4, -4: (false, false, false)
      default: nil
      }
    guard let known else {
      self.init(apiLevel: .unreadable, fine: .unreadable, coarse: .unreadable)
      return
    }
    self.init(
      apiLevel: .given(isOld ? 28 : 30), fine: .given(known.fine), coarse: .given(known.coarse),
      background: .given(known.background))
  }
}
