import CommandParsing
import Foundation
import ServiceSettings
import TestPrograms
import Testing

@testable import guardctl

@Suite("Examining settings and channels", .timeLimit(.minutes(5))) struct ChannelChecksTests {
  /// A folder with a file of channels.
  private static func withChannels(
    _ json: String, _ body: (_ folder: String, _ channels: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "channels.json")
    try Data(json.utf8).write(to: file)
    try await body(folder.path, file.path)
  }

  private static func checks(
    _ credentials: ServiceCredentials, channels: String? = nil, file: String = "/nowhere",
    _ edit: (inout ChannelChecks) -> Void = { _ in }
  ) async throws -> [String: HealthCheck] {
    let arguments =
      ["--database", "postgresql:///x"] + (channels.map { ["--channels", $0] } ?? [])
    let outcome = serviceCommand.readSettings(arguments, environment: [:]) { _ in nil }
    guard case .read(let read) = outcome else { return [:] }
    var checks = ChannelChecks(
      settings: InstalledSettings(read, file: file, credentials: credentials))
    edit(&checks)
    let rows = await checks.checks()
    return Dictionary(rows.map { ($0.subject, $0) }) { first, _ in first }
  }

  private static let channels = #"""
    {"apns":{"team":"T","keyId":"K","keyFile":"apns.p8","topic":"t"},
     "email":{"host":"h","from":"a@b.c","user":"u","passwordFile":"mail"}}
    """#

  @Test("credentials of the service are not visible to another program, which is no failure")
  func unseen() async throws {
    try await Self.withChannels(Self.channels) { folder, file in
      let unseen = try await Self.checks(.unseen, channels: file)
      #expect(unseen.values.allSatisfy { $0.level == .ok }, "\(unseen)")
      #expect(unseen["push"]?.detail == "keys of apns are not visible here: guardd checks them")
      #expect(unseen["e-mail"]?.detail.contains("not visible here") == true)
      // The service itself, or a program that sees its credentials, misses them.
      for credentials in [ServiceCredentials.folder(nil), .folder(folder)] {
        let missing = try await Self.checks(credentials, channels: file)
        #expect(missing["settings"]?.level == .fail, "\(missing)")
        #expect(missing["push"] == nil && missing["e-mail"] == nil)
      }
      let run = try await bash("guardctl config show", variables: ["SHIFTGUARD_CHANNELS": file])
      #expect(run.errors.contains("`/apns/keyFile` names a file that is not visible here"))
    }
  }

  @Test("a path that begins with / is no credential, and other faults are failures as before")
  func elsewhere() async throws {
    let json = #"{"apns":{"team":"T","keyId":"K","keyFile":"/nowhere/key","topic":"t"}}"#
    try await Self.withChannels(json) { _, file in
      let checks = try await Self.checks(.unseen, channels: file)
      #expect(checks["settings"]?.level == .fail)
      #expect(checks["settings"]?.detail.contains("names a file that cannot be read") == true)
    }
  }

  @Test("without a file of channels it says whether a credential may set it")
  func noChannels() async throws {
    let own = try await Self.checks(.folder(nil))["channels"]
    #expect(own?.level == .warn && own?.detail.contains("is set: nothing is sent") == true)
    let unseen = try await Self.checks(.unseen)["channels"]
    #expect(unseen?.level == .warn && unseen?.detail.contains("visible here") == true)
  }

  @Test("a file of settings may be missing, but one that cannot be read is a warning")
  func unreadable() async throws {
    try await Self.withChannels("{}") { _, file in
      let hidden = try await Self.checks(.folder(nil), file: file) { $0.canRead = { _ in false } }
      #expect(hidden["settings"]?.level == .warn)
      #expect(hidden["settings"]?.detail == "\(file) cannot be read")
      #expect(hidden["settings"]?.remedy == "run this as the user of guardd")
      let read = try await Self.checks(.folder(nil), file: file)
      #expect(read["settings"] == .ok("settings", "read from \(file)"))
      let none = try await Self.checks(.folder(nil), file: "\(file).none")
      #expect(none["settings"]?.level == .ok)
    }
  }

  /// Takes connections and says nothing.
  private static let silentServer = """
    import socket, sys
    server = socket.create_server(("127.0.0.1", 0))
    print("port", server.getsockname()[1], flush=True)
    sys.stdin.read()
    """

  @Test("a mail server that does not answer is a failure after the time limit")
  func silent() async throws {
    let server = try RunningProgram(["python3", "-c", Self.silentServer])
    defer { server.kill() }
    let port = try await server.line(with: "port ").dropFirst(5)
    let json =
      #"{"email":{"host":"127.0.0.1","port":\#(port),"protection":"none","from":"a@b.c"}}"#
    try await Self.withChannels(json) { _, file in
      #expect(ChannelChecks(settings: try Self.installed).patience == .seconds(5))
      let mail = try await Self.checks(.folder(nil), channels: file) {
        $0.patience = .milliseconds(200)
      }["e-mail"]
      #expect(mail?.level == .fail && mail?.detail.hasPrefix("127.0.0.1:\(port): ") == true)
      #expect(mail?.remedy?.contains("firewall") == true)
    }
  }

  private static var installed: InstalledSettings {
    get throws {
      let outcome = serviceCommand.readSettings([], environment: [:]) { _ in nil }
      guard case .read(let read) = outcome else { throw CancellationError() }
      return InstalledSettings(read, file: "", credentials: .unseen)
    }
  }
}
