/// What the bytes of a queue's file contain.
struct QueueContent {
  /// The first bytes of every file.
  static let signature = Array("SGqueue1".utf8)

  private(set) var index = QueueIndex()
  /// The end of the last complete record.
  private(set) var end = signature.count
  /// The bytes before `end` that are no record: the disk has damaged them.
  private(set) var bytesDamaged = 0
  /// Whether it begins with the signature.
  let hasSignature: Bool
  /// Whether it is one of ours: perhaps new, perhaps damaged.
  let isOurs: Bool

  /// Reads all records. After a damaged one, reading continues at the next that its checksum
  /// confirms, because an employee's clock-in may be among those that follow.
  init(reading bytes: [UInt8]) {
    let beginning = bytes.prefix(Self.signature.count)
    var place = Self.signature.count
    var records = 0
    while place < bytes.count {
      guard let frame = QueueFrame(in: bytes, at: place, after: index.nextNumber) else {
        place += 1
        continue
      }
      index.take(frame, at: place)
      bytesDamaged += place - end
      place += frame.size
      end = place
      records += 1
    }
    hasSignature = beginning.elementsEqual(Self.signature)
    // A loss of power may leave a new file short, or with zeros instead of its first bytes.
    let isNew = Self.signature.starts(with: beginning) || beginning.allSatisfy { $0 == 0 }
    isOurs = isNew || records > 0
  }
}

extension QueueIndex {
  fileprivate mutating func take(_ frame: QueueFrame, at offset: Int) {
    if frame.number == 0 {
      for run in NumberRun.runs(in: frame.content) { remove(run) }
    } else {
      add(frame.number, at: offset, contentSize: frame.content.count)
    }
  }
}
