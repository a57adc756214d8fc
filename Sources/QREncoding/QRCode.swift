import CQRencode

/// A text as a square of dark and light modules that a camera reads.
/// - Source: ISO/IEC 18004, by libqrencode.
package struct QRCode: Hashable, Sendable {
  /// How many modules have to stay light on every side of the square.
  package static let quietZone = 4

  /// Modules on a side, 21…177.
  package let size: Int
  /// Row by row from the top, each from the left.
  private let modules: [Bool]

  /// The smallest code that holds `text` in UTF-8 and can still be read when some 15 % of it cannot
  /// be seen. `nil` for a text that is empty or too long for any: 2,331 bytes fit.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Longer ones the library refuses by itself; this one only keeps the count within its type.
    guard !bytes.isEmpty, bytes.count <= 4_096 else { return nil }
    let made = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
    guard let code = unsafe made else { return nil }
    defer { unsafe QRcode_free(code) }
    let size = unsafe Int(code.pointee.width)
    guard let data = unsafe code.pointee.data else { return nil }
    // Of the bits that tell what a module is for, the lowest says whether it is dark.
    modules = (0..<size * size).map { unsafe data[$0] & 1 == 1 }
    self.size = size
  }

  /// Whether a module is dark; what lies around the square is light.
  package subscript(row: Int, column: Int) -> Bool {
    let side = 0..<size
    return side.contains(row) && side.contains(column) && modules[row * size + column]
  }

  package func darkRuns(inRow row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<size where self[row, column] {
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }
}
