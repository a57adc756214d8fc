import GuardRules
import JSONText
import PeopleOperations
import ReadModels
import ShiftDomain
import Testing

@testable import DeviceAPI

@Suite("Stored raw values") struct StoredRawValueTests {
  private func stored(_ raw: String) throws -> String? {
    try JSONFields(JSONValue(parsing: Array(raw.utf8))).storedRawValues
  }

  private static let sent: [(Platform, RawValueTests.Row)] =
    RawValueTests.ios.map { (.ios, $0) } + RawValueTests.android.map { (.android, $0) }

  @Test("are read as those that were sent, for every library and platform", arguments: sent)
  func sameReading(_ platform: Platform, _ row: RawValueTests.Row) throws {
    let source = RawSource(code: row.source) ?? .unknown
    let sent = try JSONFields(JSONValue(parsing: Array(row.raw.utf8)))
    let kept = try stored(row.raw)
    let again = try JSONFields(JSONValue(parsing: Array((kept ?? "{}").utf8)))
    let (one, two) = (RawValues(source, sent), RawValues(source, again))
    let (first, second) = (
      one.reading(on: platform, given: .absent), two.reading(on: platform, given: .absent)
    )
    // A fraction or a list is left out, so that an unknown value may become a missing one.
    guard first.quality != .unknownValue else { return }
    #expect(first == second, "\(kept ?? "nothing")")
  }

  @Test("contain no coordinate, whatever a phone sends along")
  func noCoordinates() throws {
    #expect(
      try stored(
        #"{"authorizationStatus":3,"latitude":45,"accuracy":{"fine":45.81502,"coarse":"45.8"},"#
          + #""location":"45.8150,15.9819","status":[45.8,15.9],"foreground":{"status":"granted"}}"#
      )
        == #"{"authorizationStatus":3,"accuracy":{"coarse":"?"},"location":"?","#
        + #""foreground":{"status":"granted"}}"#)
    #expect(try stored(#"{"coords":{"latitude":45},"x":1}"#) == nil)
  }

  @Test("are left out when they are longer than the column")
  func long() throws {
    let word = String(repeating: "a", count: 40)
    let inner = ["fine", "coarse", "status", "scope", "state", "enabled", "permission"].map {
      #""\#($0)":"\#(word)""#
    }.joined(separator: ",")
    let names = ["ios", "android", "foreground", "background"]
    let raw = "{" + names.map { #""\#($0)":{\#(inner)}"# }.joined(separator: ",") + "}"
    #expect(raw.count > 1_000)
    #expect(try stored(raw) == nil)
    #expect(try stored(#"{"ios":{\#(inner)}}"#) != nil)
  }

  @Test("are stored with the report, and support reads them beside what the rules read")
  func support() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let answer = try await phone.post(
        "/v1/permission-reports",
        #"{"source":"core_location","version":"17.5","raw":{"authorizationStatus":2,"x":1.5}}"#)
      #expect(answer.status == 201, "\(answer.text)")
      let device = DeviceID(employee: EmployeeID(7), number: 1)
      let support = try await world.operations.people.support(of: device)
      let report = try #require(support.history.reports.first)
      #expect(report.raw == #"{"authorizationStatus":2}"#)
      #expect(report.source == "core_location/17.5")
      #expect(report.report.state.authorization == .denied)
    }
  }

  @Test("of an Android phone are stored by their names, which contain dots, too")
  func android() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android")
      let own = #"{"apiLevel":34,"fine":false,"coarse":true,"background":false}"#
      let library =
        #"{"android.permission.ACCESS_FINE_LOCATION":"denied","#
        + #""android.permission.ACCESS_COARSE_LOCATION":"granted"}"#
      for (source, raw) in [("android", own), ("react_native_permissions", library)] {
        let answer = try await phone.post(
          "/v1/permission-reports", #"{"source":"\#(source)","version":"14","raw":\#(raw)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        let support = try await world.operations.people.support(
          of: DeviceID(employee: EmployeeID(7), number: 1))
        let report = try #require(support.history.reports.first)
        #expect(report.source == "\(source)/14")
        #expect(
          try JSONValue(parsing: Array((report.raw ?? "").utf8))
            == JSONValue(parsing: Array(raw.utf8)), "\(report.raw ?? "nothing")")
        #expect(report.report.state.accuracy == .reduced, "\(source)")
        world.clock.move(by: .seconds(1))
      }
    }
  }
}
