/// A record in the queue's file: checksum (4 bytes), size of the content (4), number (8), content.
/// The checksum covers everything after it.
struct QueueFrame {
  /// From 1. An acknowledgement of others has 0.
  let number: UInt64
  let content: ArraySlice<UInt8>

  static let headSize = 16
  /// Enough for any clock action with its report.
  static let contentMax = 65_536
  /// The most numbers that acknowledged records may leave out.
  static let gapMax: UInt64 = 1 << 48

  var size: Int { Self.headSize + content.count }

  init(number: UInt64, content: ArraySlice<UInt8>) {
    self.number = number
    self.content = content
  }

  /// The record at `offset`; `nil` if there is none, or it is incomplete or damaged.
  /// - Parameter nextNumber: Numbers below it, or far above, are not ours.
  init?(in bytes: [UInt8], at offset: Int, after nextNumber: UInt64) {
    var reader = ByteReader(bytes[offset...])
    guard let sum = reader.number(UInt32.self), let size = reader.number(UInt32.self),
      let number = reader.number(UInt64.self), size <= Self.contentMax,
      number == 0 || (number >= nextNumber && number - nextNumber <= Self.gapMax),
      reader.rest.count >= Int(size)
    else { return nil }
    let end = reader.position + Int(size)
    guard checksum(bytes[(offset + 4)..<end]) == sum else { return nil }
    self.number = number
    content = bytes[reader.position..<end]
  }

  var bytes: [UInt8] {
    var summed: [UInt8] = []
    summed.reserveCapacity(size)
    summed.append(number: UInt32(content.count))
    summed.append(number: number)
    summed.append(contentsOf: content)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(number: checksum(summed))
    bytes.append(contentsOf: summed)
    return bytes
  }
}

/// Numbers in a row, such as 7…9; what an acknowledgement contains.
struct NumberRun {
  var first: UInt64
  var count: UInt32

  /// `numbers`, which ascend, as runs.
  static func runs(of numbers: [UInt64]) -> [NumberRun] {
    numbers.reduce(into: []) { runs, number in
      if let last = runs.last, last.first + UInt64(last.count) == number {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(NumberRun(first: number, count: 1))
      }
    }
  }

  static func content(_ runs: [NumberRun]) -> [UInt8] {
    runs.reduce(into: []) { bytes, run in
      bytes.append(number: run.first)
      bytes.append(number: run.count)
    }
  }

  static func runs(in content: ArraySlice<UInt8>) -> [NumberRun] {
    var reader = ByteReader(content)
    var runs: [NumberRun] = []
    while let first = reader.number(UInt64.self), let count = reader.number(UInt32.self) {
      runs.append(NumberRun(first: first, count: count))
    }
    return runs
  }
}
