import QREncoding
import Testing

// Tests/WebPagesTests checks that a camera can read the code on a page.
@Suite("A QR code") struct QRCodeTests {
  /// The pattern in three corners: a dark ring around a dark square.
  private static let finder = [
    "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
  ]

  private func corner(_ code: QRCode, _ row: Int, _ column: Int) -> [String] {
    (0..<7).map { down in
      String((0..<7).map { code[row + down, column + $0] ? "#" : "." as Character })
    }
  }

  @Test("is a square with finder patterns in three corners and a light border")
  func shape() throws {
    let code = try #require(QRCode("https://guard.example/app#7-4KQW-8M2R-ZX6T-P9VB"))
    // 47 bytes at level M need version 4: 33 modules.
    #expect(code.size == 33)
    #expect(corner(code, 0, 0) == Self.finder)
    #expect(corner(code, 0, code.size - 7) == Self.finder)
    #expect(corner(code, code.size - 7, 0) == Self.finder)
    #expect(corner(code, code.size - 7, code.size - 7) != Self.finder)
    #expect(!code[-1, 0] && !code[0, -1] && !code[code.size, 0] && !code[0, code.size])
  }

  @Test("lists its dark runs, and nothing else")
  func runs() throws {
    let code = try #require(QRCode("x"))
    #expect(code.size == 21)
    #expect(code.darkRuns(inRow: 0).first == 0..<7 && code.darkRuns(inRow: 0).last == 14..<21)
    for row in 0..<code.size {
      let runs = code.darkRuns(inRow: row)
      for column in 0..<code.size {
        #expect(runs.contains { $0.contains(column) } == code[row, column])
      }
    }
  }

  @Test("cannot hold an empty or too long text", arguments: [0, 2_332, 4_097, 100_000])
  func none(_ count: Int) {
    #expect(QRCode(String(repeating: "x", count: count)) == nil)
  }

  @Test(
    "holds any text that fits", arguments: ["\0", "ž", "😀", String(repeating: "x", count: 2_331)])
  func any(_ text: String) {
    #expect(QRCode(text) != nil)
  }
}
