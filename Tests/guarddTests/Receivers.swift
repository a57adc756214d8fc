import Foundation
import TestKit
import TestPrograms
import Testing

/// `deploy/demo/receivers.py`: push service, mailbox and webhook on this machine, as `deploy/try`
/// has them, and apps that are open.
struct Receivers: Sendable {
  private static let script = projectFolder.appending(path: "deploy/demo/receivers.py").path

  private let folder: URL
  private let program: RunningProgram

  /// Lends `body` receivers, and answers what arrived that `body` did not ask for.
  static func run(_ body: (Receivers) async throws -> Void) async throws -> [Arrival] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-receivers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let receivers = Receivers(folder: folder, program: try start(["serve", folder.path]))
    do {
      try #require(await receivers.next().channel == "ready")
      try await body(receivers)
    } catch {
      receivers.program.kill()
      throw error
    }
    receivers.program.terminate()
    return await receivers.program.rest().lines.map { Arrival(line: $0) }
  }

  private static func start(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(["python3", "-B", script] + arguments)
  }

  /// The file of channels that lead here.
  var channels: String { folder.appending(path: "channels.json").path }

  /// Where the webhook listens.
  func webhook() throws -> String {
    try String(contentsOf: folder.appending(path: "webhook"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  /// Tells the webhook whom to believe.
  func trust(_ secret: String) throws {
    try secret.write(to: folder.appending(path: "secret"), atomically: true, encoding: .utf8)
  }

  /// What arrives next.
  func next() async throws -> Arrival { try await Arrival.next(from: program) }

  /// Lends `body` the app of `phone`, open, and closes it afterwards.
  func withApp(of phone: SentPhone, _ body: (OpenApp) async throws -> Void) async throws {
    let state = folder.appending(path: "state.json")
    try #"{"phone":{"token":"\#(phone.token)"}}"#
      .write(to: state, atomically: true, encoding: .utf8)
    let program = try Self.start(["app", "http://\(phone.address)", state.path, "phone"])
    let app = OpenApp(program: program)
    do {
      #expect(try await app.next() == Arrival("app", "open"))
      try await body(app)
    } catch {
      program.kill()
      throw error
    }
    program.terminate()
    #expect(await program.rest().lines.isEmpty)
  }
}

/// An app that is open, and shows what comes by its stream.
struct OpenApp: Sendable {
  fileprivate let program: RunningProgram

  /// What it shows next.
  func next() async throws -> Arrival { try await Arrival.next(from: program) }
}

/// A message that somebody got.
struct Arrival: Hashable, Sendable {
  let channel: String
  let title: String

  init(_ channel: String, _ title: String) { (self.channel, self.title) = (channel, title) }

  /// From `17:04:05.678  channel  title`.
  fileprivate init(line: String) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    channel = words.count > 1 ? String(words[1]) : line
    title = words.count > 2 ? words[2].trimmingCharacters(in: .whitespaces) : ""
  }

  fileprivate static func next(from program: RunningProgram) async throws -> Arrival {
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await program.line(with: ":") }
      group.addTask {
        try await Task.sleep(for: TestDatabase.patience)
        return nil
      }
      defer { group.cancelAll() }
      return Arrival(line: try #require(try await group.next() ?? nil, "nothing arrived"))
    }
  }
}
