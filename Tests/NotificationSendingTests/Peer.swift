import Foundation
import JSONText
import Lifecycle
import TestKit
import TestPrograms
import Testing

/// The process that simulates every provider; all tests share it.
final class Peer: Sendable {
  /// Starts with the first test that needs it, and ends with this process, which closes its input.
  private static let started = Task { try await Peer() }

  static var shared: Peer { get async throws { try await started.value } }

  /// The port of each peer, by its name.
  let ports: [String: Int]
  /// Where the peers write the certificates and keys that tests need.
  private let folder: URL
  private let program: RunningProgram
  private let journal: Journal

  /// Where `deploy/checks/peers` installs Python with its libraries.
  private static let python = projectFolder.appending(path: ".build/peers/bin/python")

  private init() async throws {
    try #require(
      FileManager.default.fileExists(atPath: Self.python.path),
      "there is no .build/peers; run deploy/checks/peers first")
    let script = try #require(
      Bundle.module.url(forResource: "peer", withExtension: "py", subdirectory: "Peers"))
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "shiftguard-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let program = try RunningProgram([Self.python.path, "-B", script.path, folder.path])
    let journal = Journal()
    Task { for await line in program.lines { journal.take(line) } }
    self.folder = folder
    self.program = program
    self.journal = journal
    let start = try await journal.next("")
    let ports = try #require(try start.object("ports"))
    self.ports = try Dictionary(
      uniqueKeysWithValues: ports.names.map {
        ($0, Int(try ports.integer($0, in: 0...65_535) ?? 0))
      })
  }

  /// The next arrival for `id`, in order.
  func next(_ id: String) async throws -> JSONFields { try await journal.next(id) }

  /// The file with the certificate of the peers.
  var authorities: String { folder.appending(path: "peer.crt").path }

  /// The text of a file that a peer wrote.
  func text(of file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  /// The plain HTTP address of `path`.
  func url(_ path: String) -> String { "http://127.0.0.1:\(ports["web"] ?? 0)/\(path)" }
}

/// What the peers printed, line by line, grouped by the id in each line.
private final class Journal: Sendable {
  private typealias Stream = (AsyncStream<JSONFields>, AsyncStream<JSONFields>.Continuation)

  private let streams = Lock<[String: Stream]>([:])

  /// A line that is not JSON is an error of the peers.
  func take(_ line: String) {
    guard let fields = try? JSONFields(JSONValue(parsing: Array(line.utf8))) else {
      return print("peer: \(line)")
    }
    let id = (try? fields.text("id", max: 1_000)) ?? ""
    _ = streams.withLock { stream(id, &$0).1.yield(fields) }
  }

  func next(_ id: String) async throws -> JSONFields {
    let stream = streams.withLock { self.stream(id, &$0).0 }
    return try await withThrowingTaskGroup(of: JSONFields?.self) { group in
      group.addTask { await stream.first { _ in true } }
      group.addTask {
        try await Task.sleep(for: TestDatabase.patience)
        return nil
      }
      defer { group.cancelAll() }
      return try #require(try await group.next() ?? nil, "nothing arrived for `\(id)`")
    }
  }

  private func stream(_ id: String, _ streams: inout [String: Stream]) -> Stream {
    let stream = streams[id] ?? AsyncStream.makeStream()
    streams[id] = stream
    return stream
  }
}
