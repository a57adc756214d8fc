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
    ("never reported: blocked", 0, 0x2000_0000_0000_0020),
    ("iPhone, denied: blocked", 0x1100_0803, 0x2000_0000_0000_0004),
    ("Android, while in use: warned", 0x1200_0904, 0x1000_0000_4000_0000),
    ("iPhone, always, perhaps provisional: advice", 0x1100_0905, 0x0010_0000_0000_0000),
    ("iPhone, always, proven: no finding", 0x1180_0905, 0),
    ("iPhone, always, proven, clock wrong: advice", 0x5180_0905, 0x0200_0000_0000_0000),
    ("an unknown value: unreadable, blocked", 0x1200_0909, 0x2000_0000_0000_0010),
  ]

  @Test("give the numbers worked out by hand", arguments: rows)
  func worked(_ row: Row) {
    // The standard preset, written out.
    let (blocking, warning): (UInt32, UInt32) = (0b1_0111_1111, 0b110_1000_0000)
    let decision = shiftguardDecide(row.phone, 0, 300_000, 600_001, 300_000, blocking, warning)
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
    #expect(Finding.allCases.allSatisfy { $0.rawValue < 20 })
    #expect(Verdict.allCases.allSatisfy { $0.rawValue < 16 })
  }

  @Test("are given cases that lead to every verdict, finding and change")
  func reach() {
    let everyFinding = UInt64(FindingSet.all.rawValue)
    let found = Self.ruled.reduce(0) { $0 | $1.decision }
    for place in [0, 20, 40] { #expect(found >> place & 0xF_FFFF == everyFinding) }
    #expect(Set(Self.ruled.map { $0.decision >> 60 }) == [0, 1, 2])
    for place in [0, 2, 4] {
      #expect(Set(Self.ruled.map { $0.comparison >> place & 3 }) == [0, 1, 2, 3])
    }
    #expect(Set(Self.ruled.map { $0.comparison >> 6 }) == [0, 1])
  }

  // R: M5
  @Test("answer the same under Node as here, byte for byte")
  func sameBytes() async throws {
    let run = try await NodeRun(answering: Self.cases)
    try expectNoDifference("under Node", run.answers, Self.native)
    // Compared outside the macro, which would print a million numbers.
    let isSame = run.bytes == Self.native.flatMap(\.bytes)
    #expect(isSame)
  }

  // R: M5
  @Test("import nothing from the browser and take at most 10 kB")
  func small() async throws {
    let run = try await NodeRun(answering: [])
    #expect(run.interface.imports == [])
    #expect(run.interface.exports == ["memory", "shiftguard_compare", "shiftguard_decide"])
    let size = try Data(contentsOf: NodeRun.module).count
    #expect((1...10_000).contains(size), "\(size) bytes")
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
