import Foundation
import GuardRulesWasm
import ShiftDomain
import Testing

/// The rules in a browser must give the same answers as on the server, bit for bit.
@Suite("Rules for WebAssembly") struct SameBytesTests {
  static let cases = Case.all(random: 100_000, seed: 20)
  static let native = cases.map(\.nativeAnswer)
  static let ruled = cases.map(\.ruledAnswer)

  typealias Row = (name: String, phone: UInt32, decision: UInt64)
  static let rows: [Row] = [
    ("never reported: blocked", 0, 0x2000_0000_0000_0C00),
    ("iPhone, denied: blocked", 0x1100_0803, 0x2000_0000_0000_0030),
    ("Android, while in use: warned", 0x1200_0904, 0x1000_0000_0020_0000),
    ("iPhone, always, perhaps provisional: advice", 0x1100_0905, 0x0000_0000_0100_0000),
    ("iPhone, always, proven: no finding", 0x1180_0905, 0),
    ("iPhone, always, proven, clock wrong: advice", 0x5180_0905, 0x0000_0004_0000_0000),
    ("an unknown value: unreadable, blocked", 0x1200_0909, 0x2000_0000_0000_0300),
  ]

  @Test("give the numbers worked out by hand", arguments: rows)
  func worked(_ row: Row) {
    // The standard preset, written out.
    let (blocking, warning): (UInt32, UInt32) = (0b1_0111_1111, 0b110_1000_0000)
    let decision = shiftguardDecide(
      row.phone, 0, 300_000, 600_001, 300_000, blocking, warning, 0, 0)
    #expect(decision == row.decision, "\(String(decision, radix: 16))")
  }

  @Test("give the same answers in numbers as in values")
  func packing() throws {
    #expect(Self.cases.count >= 100_000)
    try expectNoDifference("packed", Self.native, Self.ruled)
  }

  @Test("fit into the bits reserved for them")
  func room() {
    #expect(PhoneWord.fields.reduce(0) { $0 + $1.width } == 32)
    #expect(PhoneWord.fields.allSatisfy { UInt32($0.known) <= 1 << $0.width })
    #expect(Finding.allCases.allSatisfy { $0.rawValue < 30 })
    #expect(Verdict.allCases.allSatisfy { $0.rawValue < 16 })
  }

  @Test("are given cases that lead to every verdict, finding and change")
  func reach() {
    for finding in Finding.allCases {
      let codes = Set(Self.ruled.map { $0.decision >> (2 * UInt64(finding.rawValue)) & 3 })
      #expect(codes == [0, 1, 2, 3], "\(finding)")
    }
    let margins = Self.ruled.map { Double(bitPattern: $0.place.margin) }
    for reached: (Double) -> Bool in [{ $0 == -.infinity }, { $0 < 0 && $0 > -200 }, { $0 >= 0 }] {
      #expect(margins.contains(where: reached))
    }
    #expect(Set(Self.ruled.map { $0.decision >> 60 }) == [0, 1, 2])
    for place in [0, 2, 4] {
      #expect(Set(Self.ruled.map { $0.comparison >> place & 3 }) == [0, 1, 2, 3])
    }
    #expect(Set(Self.ruled.map { $0.comparison >> 6 }) == [0, 1])
  }

  // R: G5
  @Test("give the numbers of place and plan worked out by hand")
  func placeAndPlan() {
    let (offSite, siteUnknown, mock) = (UInt32(1 << 20), UInt32(1 << 19), UInt32(1 << 18))
    // One thousandth of a degree to the north is 111.195 m.
    func margin(_ thousandths: Double, accuracy: Double = .nan, radius: Int32 = 100) -> Double {
      shiftguardMargin(
        -.infinity, 45 + thousandths / 1_000, 180, accuracy, 45, -180, radius)
    }
    #expect(abs(margin(1) + 11.195) < 0.001 && abs(margin(1, accuracy: 50) - 38.805) < 0.001)
    #expect(margin(1, accuracy: 501) == -.infinity && margin(1, accuracy: -1) == -.infinity)
    #expect(shiftguardMargin(7, 45, 0, .nan, 90.1, 0, 50) == 7, "no site")
    #expect(shiftguardPlace(margin(1), 1, 0) == offSite)
    #expect(shiftguardPlace(margin(1, accuracy: 50), 1, 1) == mock)
    #expect(shiftguardPlace(-.infinity, 1, 0) == siteUnknown && shiftguardPlace(0, 0, 0) == 0)
    #expect(shiftguardPlace(-.infinity, 0, 0) == 0, "no sites, nothing to be at")
    #expect(abs(shiftguardDistance(90, 0, -90, 77) - 20_015_114) < 1)
    let (notPlanned, tooEarly) = (UInt32(1 << 21), UInt32(1 << 22))
    let hour: Int64 = 3_600_000
    let later = shiftguardPlanned(0, 0, hour, 2 * hour, 900_000)
    #expect(shiftguardPlan(later, 0, 24 * hour) == tooEarly)
    #expect(shiftguardPlan(shiftguardPlanned(later, 0, 0, 1, 0), 0, 24 * hour) == 0)
    #expect(shiftguardPlan(0, 0, 12 * hour + 1) == notPlanned)
    #expect(shiftguardPlan(0, 0, 12 * hour) == 0, "a shift may be missing")
    #expect(shiftguardPlan(shiftguardAbsence(later, 0, 0, 1), 0, 1) == notPlanned)
    #expect(shiftguardPlan(shiftguardAbsence(later, 0, 0, 1), 0, 0) == 0, "past the plan")
    // What it is told about the phone does not come from there.
    let denied = shiftguardDecide(0, 0, 0, 0, 0, .max, 0, 0, .max)
    #expect(denied == 2 << 60 | 0b11_11_11_11_11 << 36 | 3 << 10)
  }

  // R: M5, G5
  @Test("answer the same under Node as here, byte for byte")
  func sameBytes() async throws {
    let run = try await NodeRun(answering: Self.cases)
    try expectNoDifference("under Node", run.answers, Self.native)
    // Compared outside the macro, which would print a million numbers.
    let isSame = run.bytes == Self.native.flatMap(\.bytes)
    #expect(isSame)
  }

  // R: M5
  @Test("import nothing from the browser and take at most 16 kB")
  func small() async throws {
    let run = try await NodeRun(answering: [])
    #expect(run.interface.imports == [])
    let names = [
      "absence", "compare", "decide", "distance", "margin", "nearness", "place", "plan",
      "planned",
    ]
    #expect(run.interface.exports == ["memory"] + names.map { "shiftguard_\($0)" })
    let size = try Data(contentsOf: NodeRun.module).count
    #expect((1...16_000).contains(size), "\(size) bytes")
  }

  /// Records the first case that was answered differently.
  private func expectNoDifference(_ place: String, _ found: [Answer], _ wanted: [Answer]) throws {
    try #require(found.count == wanted.count)
    let different = found.indices.filter { found[$0] != wanted[$0] }
    guard let first = different.first else { return }
    Issue.record(
      """
      \(different.count) of \(found.count) cases differ; the first is number \(first):
      \(Self.cases[first])
      \(place): \(found[first])
      wanted: \(wanted[first])
      If the rules have changed since, run deploy/checks/wasm first.
      """)
  }
}
