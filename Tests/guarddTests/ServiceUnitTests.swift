import Foundation
import HTTPServing
import ServiceSettings
import TestPrograms
import Testing

@Suite("The systemd unit") struct ServiceUnitTests {
  private static func unit(_ name: String) throws -> [String] {
    try String(contentsOf: projectFolder.appending(path: "deploy/\(name)"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test("the version is that of the API, the newest section of the changelog and the manifest")
  func version() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: projectFolder.appending(path: path), encoding: .utf8)
    }
    #expect(try text("openapi.yaml").contains("\n  version: \(Build.version)\n"))
    let sections = try text("deploy/docs/CHANGELOG.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") }
    #expect(sections.first?.hasPrefix("## \(Build.version) ") == true)
    let manifest = try text("deploy/kubernetes.yaml")
    #expect(manifest.contains("/shiftguard:\(Build.version)\n"))
    // A job cannot be changed: that of each version has a name of its own.
    let job = "shiftguard-migrate-\(Build.version.replacing(".", with: "-"))"
    #expect(manifest.contains("\n  name: \(job)\n"))
  }

  @Test("of the migration tries again until the database is there")
  func migration() throws {
    let lines = try Self.unit("guardd-migrate.service")
    #expect(lines.contains("Restart=on-failure") && lines.contains("RestartSec=5"))
    #expect(!lines.contains { $0.hasPrefix("StartLimit") })
  }

  @Test("limits memory to far more than requests may hold, and restarts the service")
  func memory() throws {
    let text = try String(
      contentsOf: projectFolder.appending(path: "deploy/guardd.service"), encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let value = try #require(lines.first { $0.hasPrefix("MemoryMax=") }).dropFirst(10)
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let unit = try #require(value.last.flatMap { units[$0] }, "MemoryMax=\(value)")
    let bytes = try #require(Int(value.dropLast()), "MemoryMax=\(value)") << unit
    // With a separate address for machines there are two servers, each with this limit.
    let heldMax = ServerConfiguration().heldMax
    #expect(bytes > 2 * heldMax)
    #expect(text.contains("\(heldMax >> 20) MB of requests at most"))
    #expect(lines.contains("Restart=always"))
  }
}
