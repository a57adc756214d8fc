import ShiftDomain

struct ArchiveFile: Hashable, Sendable {
  /// Its path within the archive: ASCII, at most 100 bytes.
  let path: String
  /// Without their line feeds.
  let lines: [String]
  let byteCount: Int

  init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines
    byteCount = lines.reduce(0) { $0 + $1.utf8.count + 1 }
  }
}

/// An archive in the `tar` format of POSIX.1-1988, made piece by piece. Each file is released when
/// it is written.
struct TarArchive: Sequence, IteratorProtocol, Sendable {
  private static let block = 512
  /// A piece ends with the line that reaches this size.
  private static let pieceBytes = 65_536

  /// The next one is last.
  private var files: [ArchiveFile]
  private var line = 0
  private var isFinished = false
  private let instant: Instant

  init(_ files: [ArchiveFile], at instant: Instant) {
    self.files = files.reversed()
    self.instant = instant
  }

  mutating func next() -> [UInt8]? {
    guard !isFinished else { return nil }
    var piece: [UInt8] = []
    while piece.count < Self.pieceBytes {
      guard let file = files.last else {
        isFinished = true
        return piece + Self.zeros(2 * Self.block)
      }
      if line == 0 { piece += head(of: file) }
      if line < file.lines.count {
        piece += file.lines[line].utf8
        piece.append(0x0A)
        line += 1
      }
      if line >= file.lines.count {
        piece += Self.zeros(-file.byteCount & (Self.block - 1))
        files.removeLast()
        line = 0
      }
    }
    return piece
  }

  private func head(of file: ArchiveFile) -> [UInt8] {
    precondition(file.path.utf8.count <= 100, "the path is too long for tar")
    var head = Self.field(file.path, 100)
    head += Self.octal(0o600, 8) + Self.octal(0, 8) + Self.octal(0, 8)
    head += Self.octal(file.byteCount, 12) + Self.octal(Int(instant.milliseconds / 1_000), 12)
    // The checksum is computed with spaces in the checksum's field.
    let rest =
      Self.field("0", 1) + Self.zeros(100) + Array("ustar\u{0}00".utf8) + Self.zeros(247)
    let sum = head.reduce(0) { $0 + Int($1) } + 8 * 0x20 + rest.reduce(0) { $0 + Int($1) }
    return head + Self.octal(sum, 7) + [0x20] + rest
  }

  private static func field(_ text: String, _ width: Int) -> [UInt8] {
    Array(text.utf8) + zeros(width - text.utf8.count)
  }

  /// `width - 1` octal digits and a zero byte.
  private static func octal(_ number: Int, _ width: Int) -> [UInt8] {
    let digits = String(number, radix: 8)
    precondition(digits.utf8.count < width, "the file is too long for tar")
    return Array((String(repeating: "0", count: width - 1 - digits.utf8.count) + digits).utf8) + [0]
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
