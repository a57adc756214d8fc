import ShiftDomain

struct ArchiveFile: Hashable {
  /// Its path within the archive: ASCII, at most 100 bytes.
  var path: String
  var bytes: [UInt8]
}

/// An archive in the `tar` format of POSIX.1-1988.
struct TarArchive {
  private static let block = 512
  private(set) var bytes: [UInt8] = []

  init(_ files: [ArchiveFile], at instant: Instant) {
    for file in files {
      bytes += Self.head(of: file, at: instant)
      bytes += file.bytes
      bytes += Self.zeros(-file.bytes.count & (Self.block - 1))
    }
    bytes += Self.zeros(2 * Self.block)
  }

  private static func head(of file: ArchiveFile, at instant: Instant) -> [UInt8] {
    precondition(file.path.utf8.count <= 100, "the path is too long for tar")
    var head = field(file.path, 100) + octal(0o600, 8) + octal(0, 8) + octal(0, 8)
    head += octal(file.bytes.count, 12) + octal(Int(instant.milliseconds / 1_000), 12)
    // The checksum is computed with spaces in the checksum's field.
    let rest = field("0", 1) + zeros(100) + Array("ustar\u{0}00".utf8) + zeros(247)
    let sum = head.reduce(0) { $0 + Int($1) } + 8 * 0x20 + rest.reduce(0) { $0 + Int($1) }
    return head + octal(sum, 7) + [0x20] + rest
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
