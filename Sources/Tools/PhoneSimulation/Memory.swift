import Foundation

/// The state that a phone keeps between runs.
struct PhoneMemory: Codable, Sendable, Equatable {
  var token: String
  /// The sequence number of the next report.
  var sequence = 0
  /// The permission; `nil` before the script sets one.
  var permission: Permission?
  /// The last position.
  var position: Position?
}

/// Why the state file cannot be used.
package struct MemoryFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var message: String
  /// The message; safe to log.
  package var description: String { message }
}

/// The state of all phones, in a file that only its owner can read because it contains tokens.
package actor Memory {
  private let path: String?
  private var phones: [String: PhoneMemory]

  /// - Parameter path: The file. It is read now if it exists, and written, so that no one-time code
  ///   is used for a token that cannot be stored. `nil`: the state is not stored.
  package init(path: String?) throws(MemoryFault) {
    self.path = path
    guard let path else {
      phones = [:]
      return
    }
    phones = FileManager.default.fileExists(atPath: path) ? try read(path) : [:]
    try write(phones, to: path)
  }

  /// The state of the phone with this name; `nil` before it is enrolled.
  func recall(_ name: String) -> PhoneMemory? { phones[name] }

  /// Stores the state at once, so that tokens and sequence numbers survive an interrupted run. The
  /// file has only a few hundred bytes per phone, so writing needs no extra thread.
  func keep(_ memory: PhoneMemory, of name: String) throws(MemoryFault) {
    guard phones[name] != memory else { return }
    phones[name] = memory
    if let path { try write(phones, to: path) }
  }
}

/// More than thousands of phones need.
private let bytesMax = 10_000_000

private func read(_ path: String) throws(MemoryFault) -> [String: PhoneMemory] {
  do {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let bytes = try file.read(upToCount: bytesMax) ?? Data()
    return try JSONDecoder().decode([String: PhoneMemory].self, from: bytes)
  } catch {
    throw MemoryFault(message: "the state file `\(path)` cannot be read")
  }
}

/// Replaces the file in one step. The mode is set just after the file is created, so the program
/// also sets a umask that excludes others from the first byte.
private func write(_ phones: [String: PhoneMemory], to path: String) throws(MemoryFault) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let bytes = try? encoder.encode(phones),
    FileManager.default.createFile(
      atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
  else { throw MemoryFault(message: "the state file `\(path)` cannot be written") }
}
