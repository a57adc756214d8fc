import Foundation
import GzipEncoding
import TestPrograms
import Testing

@Suite("Compression") struct GzipTests {
  static let samples: [[UInt8]] = [
    [], [0], Array("one line of text, ".utf8), Array(repeating: 97, count: 100_000),
    (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) },
  ]

  @Test("a second implementation reads what was compressed", arguments: samples.indices)
  func read(_ sample: Int) async throws {
    let bytes = Self.samples[sample]
    let packed = try #require(gzip(bytes))
    #expect(gzip(bytes) == packed)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
    try Data(packed).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = "import gzip, sys\nwith gzip.open(sys.argv[1]) as file: print(file.read().hex())"
    let text = try await ChildProgram(["python3", "-c", script, file.path]).output()
    let hex = bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
    #expect(text.trimmingCharacters(in: .whitespacesAndNewlines) == hex)
  }

  @Test("text becomes smaller")
  func smaller() throws {
    let bytes = Array(String(repeating: "the employee's page ", count: 1_000).utf8)
    #expect(try #require(gzip(bytes)).count < 200)
  }
}
