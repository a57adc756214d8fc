import Foundation
import TestPrograms
import Testing

/// The WebAssembly module's answers to cases, computed under Node.
struct NodeRun {
  /// The module's imports and exports.
  struct Interface: Decodable {
    var imports, exports: [String]
  }

  /// Where `deploy/checks/wasm` puts the module, whatever folder the tests were built in.
  static let module = projectFolder.appending(path: ".build/wasm/GuardRules.wasm")

  let interface: Interface
  /// As written by `run.mjs`.
  let bytes: [UInt8]

  init(answering cases: [Case]) async throws {
    try #require(
      FileManager.default.fileExists(atPath: Self.module.path),
      "there is no .build/wasm/GuardRules.wasm; run deploy/checks/wasm first")
    let script = try #require(Bundle.module.url(forResource: "run", withExtension: "mjs"))
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-wasm-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, answers) = (folder.appending(path: "cases"), folder.appending(path: "answers"))
    try Data(cases.flatMap(\.bytes)).write(to: input)
    // If Node is missing: apt-get install nodejs
    let output = try await ChildProgram([
      "node", script.path, Self.module.path, input.path, answers.path,
    ]).output()
    interface = try JSONDecoder().decode(Interface.self, from: Data(output.utf8))
    bytes = try [UInt8](Data(contentsOf: answers))
  }

  /// The bytes read as answers; an incomplete answer at the end is ignored.
  var answers: [Answer] {
    stride(from: 0, through: bytes.count - Answer.size, by: Answer.size).map { start in
      func number(at place: Int, _ size: Int) -> UInt64 {
        bytes[start + place..<start + place + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      return Answer(
        decision: number(at: 0, 8),
        place: PlaceAnswer(
          margin: Double(bitPattern: number(at: 8, 8)),
          distance: Double(bitPattern: number(at: 16, 8)), place: UInt32(number(at: 28, 4)),
          plan: UInt32(number(at: 32, 4)), nearness: Int64(bitPattern: number(at: 36, 8))),
        comparison: UInt32(number(at: 24, 4)))
    }
  }
}
