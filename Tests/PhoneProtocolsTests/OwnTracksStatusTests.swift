import GuardRules
import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("OwnTracks: the permission") struct OwnTracksStatusTests {
  typealias Row = (body: String, says: String)

  private func report(_ body: String) throws -> PhoneReport {
    let reading = OwnTracks.read(body)
    #expect(reading.quarantined.isEmpty && reading.records.count == 1, "\(body)")
    return try #require(reading.reports.first)
  }

  /// Authorization, how to grant it, accuracy, location services.
  static let ios: [Row] = [
    ("kCLAuthorizationStatusNotDetermined", "not_determined prompt - -"),
    ("kCLAuthorizationStatusRestricted", "restricted administrator - -"),
    ("kCLAuthorizationStatusDenied", "denied settings - -"),
    ("kCLAuthorizationStatusAuthorizedAlways", "always - - -"),
    ("kCLAuthorizationStatusAuthorizedWhenInUse", "when_in_use settings - -"),
    ("kCLAuthorizationStatusGrantedByMagic", "- - - -"),
    ("", "- - - -"),
  ]

  @Test("every status of iOS; one that nobody knows is unknown", arguments: ios)  // R: A2, B7
  func iosStatus(_ row: Row) throws {
    let body =
      #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":"\#(row.body)"}}"#
    #expect(try report(body).said(on: .ios) == row.says)
  }

  @Test("a status of iOS without the permission, or with another type, leaves it unknown")  // R: B7
  func iosUnknown() throws {
    #expect(try report(#"{"_type":"status","iOS":{}}"#).said(on: .ios) == "- - - -")
    let number = #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":3}}"#
    #expect(try report(number).said(on: .ios) == "- - - -")
  }

  @Test("a status of iOS also says what the phone is, and is kept without its identifier")
  func iosDevice() throws {
    let report = try report(
      #"{"_type":"status","topic":"owntracks/emp7/iphone/status","iOS":{"version":"26.3.1","#
        + #""locale":"de_DE","localeUsesMetricSystem":true,"locationManagerAuthorizationStatus":"#
        + #""kCLAuthorizationStatusAuthorizedWhenInUse","backgroundRefreshStatus":"#
        + #""UIBackgroundRefreshStatusDenied","motionActivityManagerAuthorizationStatus":"#
        + #""CMAuthorizationStatusAuthorized","deviceModel":"iPhone","deviceSystemName":"iOS","#
        + #""deviceSystemVersion":"26.3","deviceIdentifierForVendor":"#
        + #""0D7E1B52-1111-4222-8333-944455566677"}}"#)
    #expect(report.said(on: .ios) == "when_in_use settings - -")
    #expect(report.recordedAt == nil)
    #expect(report.source == "owntracks/26.3.1")
    #expect(report.trigger == "status")
    #expect(report.osVersion == "26.3")
    #expect(report.model == "iPhone")
    #expect(report.app == "OwnTracks 26.3.1")
    #expect(report.conditions == DeviceConditions(backgroundRefresh: .off))
    #expect(
      report.raw
        == #"{"locationManagerAuthorizationStatus":"kCLAuthorizationStatusAuthorizedWhenInUse","#
        + #""backgroundRefreshStatus":"UIBackgroundRefreshStatusDenied"}"#)
    #expect(!report.permission.values(osMajor: nil).source.dependsOnPlatform)
  }

  static let refresh: [(value: String, is: Switch)] = [
    (#""UIBackgroundRefreshStatusAvailable""#, .on), (#""UIBackgroundRefreshStatusDenied""#, .off),
    (#""UIBackgroundRefreshStatusRestricted""#, .unknown), ("true", .on), ("false", .off),
    ("1", .unknown), ("null", .unknown),
  ]

  @Test("the background refresh, as text or as the boolean of the documents", arguments: refresh)
  func backgroundRefresh(_ value: String, _ refresh: Switch) throws {
    let report = try report(#"{"_type":"status","iOS":{"backgroundRefreshStatus":\#(value)}}"#)
    #expect(report.conditions.backgroundRefresh == refresh)
  }

  static let android: [Row] = [
    (#"{"loc":0}"#, "always - full -"),
    (#"{"loc":-1}"#, "always - reduced -"),
    (#"{"loc":-2}"#, "when_in_use settings full -"),
    (#"{"loc":-3}"#, "when_in_use settings reduced -"),
    (#"{"loc":-4}"#, "denied - - -"),
    (#"{"loc":1}"#, "always - reduced -"),
    (#"{"loc":2}"#, "when_in_use settings full -"),
    (#"{"loc":3}"#, "when_in_use settings reduced -"),
    (#"{"loc":4}"#, "denied - - -"),
    (#"{"wifi":1}"#, "always - full -"),
    ("{}", "always - full -"),
    // This build leaves out no zero.
    (#"{"wifi":0,"ps":0,"bo":0,"hib":0}"#, "- - - -"),
    (#"{"loc":-2.0}"#, "when_in_use settings full -"),
    (#"{"loc":"-2"}"#, "when_in_use settings full -"),
    (#"{"loc":null}"#, "- - - -"),
    (#"{"loc":5}"#, "- - - -"),
    (#"{"loc":-2.5}"#, "- - - -"),
    (#"{"loc":true}"#, "- - - -"),
    (#"{"loc":"fine"}"#, "- - - -"),
    (#"{"loc":-9223372036854775808}"#, "- - - -"),
  ]

  @Test("every `loc` of Android, with either sign or left out", arguments: android)  // R: A2, B7
  func androidStatus(_ row: Row) throws {
    let report = try report(#"{"_type":"status","android":\#(row.body)}"#)
    #expect(report.said(on: .android) == row.says)
    #expect(report.said(on: .android, osMajor: 16) == row.says)
  }

  static let old: [Row] = [
    (#"{"loc":0}"#, "always - full -"), (#"{"loc":-1}"#, "always - reduced -"),
    (#"{"loc":-2}"#, "denied - - -"), (#"{"loc":-3}"#, "- - - -"),
    (#"{"loc":-4}"#, "denied - - -"),
  ]

  @Test("before Android 10 the background is never denied, so 2 is nothing", arguments: old)
  func oldAndroid(_ row: Row) throws {
    let report = try report(#"{"_type":"status","android":\#(row.body)}"#)
    #expect(report.said(on: .android, osMajor: 9) == row.says)
  }

  @Test("a status of Android says what saves power, and its id stays the same when it is repeated")
  func androidConditions() throws {
    let report = try report(
      #"{"_type":"status","_id":"1c0ffee1","topic":"owntracks/emp8/pixel/status","#
        + #""android":{"wifi":1,"ps":1,"bo":1,"hib":0,"loc":-2}}"#)
    #expect(report.conditions == DeviceConditions(batteryOptimisation: .on, powerSave: .on))
    #expect(report.messageID == "1c0ffee1")
    #expect(report.raw == #"{"loc":-2,"ps":1,"bo":1,"hib":0}"#)
    #expect(report.source == "owntracks")
    #expect(report.app == "OwnTracks")
  }

  @Test("a real status of version 2.5, and one of 2.6, which leaves out zeros")
  func androidVersions() throws {
    let off = DeviceConditions(batteryOptimisation: .off, powerSave: .off)
    let full = try report(
      #"{"_type":"status","android":{"hib":0,"bo":0,"loc":0,"ps":0,"wifi":1}}"#)
    let short = try report(#"{"_type":"status","android":{"wifi":1}}"#)
    #expect(full.conditions == off)
    #expect(short.conditions == off)
    #expect(full.said(on: .android) == short.said(on: .android))
    let odd = try report(#"{"_type":"status","android":{"bo":2,"ps":"x","version":"2.6\n.0"}}"#)
    #expect(odd.conditions == DeviceConditions())
    #expect(odd.source == "owntracks/2.6.0")
  }
}
