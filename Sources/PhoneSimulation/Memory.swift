internal import Foundation

/// What one phone remembers from one run to the next.
struct PhoneMemory: Codable, Sendable, Equatable {
  /// Its bearer token.
  var token: String
  /// Its employee's number, and its own among that employee's devices.
  var employee: Int, device: Int
  /// The next report's running number.
  var sequence = 0
  /// Its permission; `nil` before the script names one.
  var permission: Permission?
  /// Where it was last.
  var position: Position?
}

/// Why the memory of earlier runs cannot be used.
public struct MemoryFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var message: String
  /// Safe to log.
  public var description: String { message }
}

/// The phones' memory, kept in a file that only its owner can read: it holds their tokens.
public actor Memory {
  private let path: String?
  private var phones: [String: PhoneMemory]

  /// - Parameter path: The file; read now if it is there, and written, so that no one-time code is
  ///   spent on a token that cannot be kept. `nil`: nothing outlives the run.
  public init(path: String?) throws(MemoryFault) {
    self.path = path
    guard let path else {
      phones = [:]
      return
    }
    phones = FileManager.default.fileExists(atPath: path) ? try read(path) : [:]
    try write(phones, to: path)
  }

  /// What the phone of this name remembers; `nil` for one that never enrolled.
  func recall(_ name: String) -> PhoneMemory? { phones[name] }

  /// Remembers, at once, so that a token or a running number outlives a run that is cut short. The
  /// file has a few hundred bytes a phone: too little for a thread of its own.
  func keep(_ memory: PhoneMemory, of name: String) throws(MemoryFault) {
    guard phones[name] != memory else { return }
    phones[name] = memory
    if let path { try write(phones, to: path) }
  }
}

/// Larger than thousands of phones need.
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

/// Replaces the file in one step. The mode is set a moment after the file is there, so the program
/// also runs under a umask that shuts others out from the first byte on.
private func write(_ phones: [String: PhoneMemory], to path: String) throws(MemoryFault) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let bytes = try? encoder.encode(phones),
    FileManager.default.createFile(
      atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
  else { throw MemoryFault(message: "the state file `\(path)` cannot be written") }
}
