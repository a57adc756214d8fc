import Foundation
import Testing

@testable import PhoneSimulation

@Suite("Memory between runs") struct MemoryTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  var path: String { folder.appendingPathComponent("state.json").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test("token, sequence, permission and position outlive the run, readable by the owner only")
  func outlives() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = PretendServer()
    let first = try await server.play(
      "phone anna code 7-ABCD\nanna report always accuracy full\nanna ping 45.5 13.5",
      memory: try Memory(path: path))
    let second = try await server.play(
      "anna report denied grant settings\nanna report", memory: try Memory(path: path))
    #expect((first + second).complaints == [])
    let reports = server.received.filter { $0.path == "/v1/permission-reports" }
    #expect(reports.map { $0["sequence"] } == ["0", "1", "2"])
    #expect(reports.map { $0["accuracy"] } == ["full", "full", "full"])
    #expect(reports.map { $0["grantPath"] } == [nil, "settings", "settings"])
    #expect(reports.allSatisfy { $0.token == "Bearer sg_7_1_secret" })
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
    #expect(await (try Memory(path: path)).recall("anna")?.position?.latitude == 45.5)
  }

  @Test("an invalid state file is refused, not overwritten") func refused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: MemoryFault(message: "the state file `\(path)` cannot be read")) {
      try Memory(path: path)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello")
  }

  @Test("a state file that cannot be written is refused before the first request")
  func unwritable() throws {
    try FileManager.default.removeItem(at: folder)
    #expect(throws: MemoryFault(message: "the state file `\(path)` cannot be written")) {
      try Memory(path: path)
    }
  }
}
