import ShiftDomain
import Testing

@testable import Guidance

@Suite("Device description") struct DeviceDescriptionTests {
  typealias Row = (version: String?, major: Int?)

  static let rows: [Row] = [
    ("17.5.1", 17), ("14", 14), ("Android 14", 14), ("iOS 9", 9), ("17_5", 17), ("026", nil),
    ("08", 8), (nil, nil), ("", nil), ("junk", nil), ("0", nil), ("-3", 3),
    ("999", nil), ("99999999999999999999999999", nil), ("٣", nil), ("\u{0}1", 1),
    (String(repeating: "x", count: 100_000) + "7", nil),
    (String(repeating: "9", count: 100_000), nil),
  ]

  @Test("Any text gives a version or none", arguments: rows)
  func major(_ row: Row) {
    #expect(DeviceDescription(platform: .ios, osVersion: row.version).osMajor == row.major)
  }

  @Test(
    "Makers are recognised by any of their names",
    arguments: [
      ("samsung", MakerFamily.samsung), ("SAMSUNG Electronics", .samsung), (" Xiaomi", .xiaomi),
      ("POCO", .xiaomi), ("redmi", .xiaomi), ("Google", .other), ("", .other), (nil, .other),
    ] as [(String?, MakerFamily)])
  func maker(_ name: String?, _ family: MakerFamily) {
    #expect(DeviceDescription(platform: .android, maker: name).makerFamily == family)
  }

  @Test(
    "A language tag without a catalogue is read as English",
    arguments: ["en", "en-GB", "EN_us", "xx", "", "---", nil] as [String?])
  func language(_ tag: String?) {
    #expect(Language(tag: tag) == .english)
  }

  @Test("Codes of actions, levels and languages are unique")
  func codes() {
    #expect(Set(ActionCode.allCases.map(\.code)).count == ActionCode.allCases.count)
    #expect(Set(BannerLevel.allCases.map(\.code)).count == BannerLevel.allCases.count)
    #expect(Set(Language.allCases.map(\.code)).count == Language.allCases.count)
  }
}
