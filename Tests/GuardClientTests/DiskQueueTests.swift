import Foundation
import ShiftDomain
import SystemCalls
import Testing

@testable import GuardClient

@Suite("The queue on disk") struct DiskQueueTests {
  private let folder: TestFolder
  private var path: String { folder.file("queue") }

  init() throws { folder = try TestFolder() }

  private func contents(_ path: String) throws -> [[UInt8]] {
    try DiskQueue(path).first(.max).map(\.content)
  }

  @Test func `keeps records in order until they are acknowledged, also when opened again`() throws {
    do {
      var queue = try DiskQueue(path)
      for byte in 1...5 { _ = try queue.append([UInt8(byte)]) }
      let records = try queue.first(.max)
      try queue.acknowledge([records[1].number, records[3].number, 99])
      #expect(try queue.first(2).map(\.content) == [[1], [3]])
      #expect(try queue.first(9, skipping: [records[0].number]).map(\.content) == [[3], [5]])
      #expect(queue.count == 3)
    }
    var queue = try DiskQueue(path)
    #expect(try queue.first(.max).map(\.content) == [[1], [3], [5]])
    #expect(queue.bytesCutOff == 0)
    let number = try queue.append([])
    #expect(number > 5)
    #expect(try queue.first(.max).map(\.content) == [[1], [3], [5], []])
  }

  /// What the queue has when its file has this size.
  private struct Snapshot {
    let size: Int
    let contents: [[UInt8]]
  }

  /// A file of random appends and acknowledgements, and what it contains after each.
  private func history(_ seed: Int) throws -> [Snapshot] {
    var random = SeededNumbers(seed)
    var queue = try DiskQueue(path)
    var snapshots = [Snapshot(size: 0, contents: []), Snapshot(size: queue.bytes, contents: [])]
    for step in 0..<40 {
      let records = try queue.first(.max)
      if random.below(4) == 0, !records.isEmpty {
        try queue.acknowledge(records.filter { _ in random.below(2) == 0 }.map(\.number))
      } else {
        let content = (0..<random.below(40)).map { UInt8(truncatingIfNeeded: $0 * step) }
        _ = try queue.append(content, random.below(5) == 0 ? .essential : .routine)
      }
      snapshots.append(Snapshot(size: queue.bytes, contents: try queue.first(.max).map(\.content)))
    }
    return snapshots
  }

  @Test(arguments: 1...3) func `cut at any byte, has what was stored up to there`(
    _ seed: Int
  ) throws {
    let snapshots = try history(seed)
    let whole = try folder.bytes("queue")
    #expect(snapshots.last?.size == whole.count)
    for cut in 0...whole.count {
      try folder.write(whole[..<cut], "cut")
      let expected = snapshots.last { $0.size <= cut }
      var queue = try DiskQueue(folder.file("cut"))
      #expect(try queue.first(.max).map(\.content) == expected?.contents, "cut at \(cut)")
      guard cut % 5 == 0 else { continue }
      _ = try queue.append([77])
      queue = try reopened(consume queue, "cut")
      #expect(try queue.first(.max).map(\.content) == (expected?.contents ?? []) + [[77]])
      #expect(queue.bytesCutOff == 0)
    }
  }

  /// The same file, opened again after it was closed.
  private func reopened(_ queue: consuming DiskQueue, _ name: String) throws -> DiskQueue {
    _ = consume queue
    return try DiskQueue(folder.file(name))
  }

  @Test func `loses only the record that has a damaged byte`() throws {
    var contents: [[UInt8]] = []
    var ends: [Int] = []
    do {
      var random = SeededNumbers(4)
      var queue = try DiskQueue(path)
      for step in 0..<40 {
        contents.append((0..<random.below(40)).map { UInt8(truncatingIfNeeded: $0 * step) })
        _ = try queue.append(contents[step])
        ends.append(queue.bytes)
      }
    }
    let whole = try folder.bytes("queue")
    for place in 0..<whole.count {
      var damaged = whole
      damaged[place] ^= 0x10
      try folder.write(damaged, "damaged")
      var expected = contents
      let hit = ends.firstIndex { $0 > place }
      if place >= 8, let hit { expected.remove(at: hit) }
      var queue = try DiskQueue(folder.file("damaged"))
      #expect(try queue.first(.max).map(\.content) == expected, "damaged at \(place)")
      #expect((queue.bytesDamaged > 0) == (place >= 8 && place < ends[38]))
      #expect((queue.bytesCutOff > 0) == (place >= ends[38]))
      guard place % 5 == 0 else { continue }
      _ = try queue.append([77])
      queue = try reopened(consume queue, "damaged")
      #expect(try queue.first(.max).map(\.content) == expected + [[77]])
    }
  }

  @Test func `a damaged acknowledgement only brings records back`() throws {
    let snapshots = try history(4)
    let whole = try folder.bytes("queue")
    let last = try #require(snapshots.last).contents
    for place in stride(from: 8, to: whole.count, by: 3) {
      var damaged = whole
      damaged[place] ^= 0x10
      try folder.write(damaged, "damaged")
      let contents = try contents(folder.file("damaged"))
      #expect(last.filter { !contents.contains($0) }.count <= 1, "damaged at \(place)")
    }
  }

  @Test(arguments: [0, 3, 8, 200])
  func `is new when a loss of power left only zeros`(_ count: Int) throws {
    try folder.write([UInt8](repeating: 0, count: count), "queue")
    for length in 1...2 {
      var queue = try DiskQueue(path)
      _ = try queue.append([9])
      #expect(queue.count == length)
    }
    #expect(try folder.bytes("queue").starts(with: "SGqueue1".utf8))
  }

  @Test func `is copied when most of it is acknowledged, and keeps its numbers`() throws {
    do {
      var queue = try DiskQueue(path)
      var numbers: [UInt64] = []
      for _ in 0..<2_000 { numbers.append(try queue.append(Array(repeating: 7, count: 60))) }
      let before = queue.bytes
      try queue.acknowledge(Array(numbers[..<1_900]))
      #expect(queue.bytes < before / 10)
      #expect(try queue.first(1).map(\.number) == [numbers[1_900]])
      try queue.acknowledge([numbers[1_900]])
      let number = try queue.append([1])
      #expect(number == numbers[1_999] + 1)
    }
    // A copy that was not finished when the process was killed.
    try folder.write([1, 2, 3], "queue.new")
    #expect(try contents(path).count == 100)
    #expect(try contents(path).last == [1])
  }

  @Test func `says when it is full, and has room for what is essential`() throws {
    var queue = try DiskQueue(path, bytesMax: 4_096)
    var count = 0
    #expect(throws: DiskQueueError.full) {
      while true {
        _ = try queue.append(Array(repeating: 1, count: 84))
        count += 1
      }
    }
    #expect(count == 35, "seven eighths of 4,096 bytes, at 100 bytes a record")
    #expect(queue.count == count)
    for _ in 0..<5 { _ = try queue.append(Array(repeating: 2, count: 84), .essential) }
    #expect(throws: DiskQueueError.full) {
      _ = try queue.append(Array(repeating: 2, count: 84), .essential)
    }
    #expect(throws: DiskQueueError.recordTooLarge) {
      _ = try queue.append(Array(repeating: 2, count: 65_537))
    }
    let numbers = try queue.first(20).map(\.number)
    try queue.acknowledge(numbers)
    _ = try queue.append(Array(repeating: 3, count: 84))
    #expect(queue.count == 21)
    #expect(queue.bytes < 4_096)
  }

  @Test func `says that the disk is full`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full"), withDestinationPath: "/dev/full")
    let error = #expect(throws: DiskQueueError.self) { _ = try DiskQueue(folder.file("full")) }
    guard case .disk(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.isOutOfSpace)
  }

  @Test func `is open once`() throws {
    let queue = try DiskQueue(path)
    #expect(throws: DiskQueueError.inUse) { _ = try DiskQueue(path) }
    #expect(queue.count == 0)
  }

  @Test func `does not touch a file of another program`() throws {
    try folder.write("a letter to somebody".utf8, "queue")
    #expect(throws: DiskQueueError.foreignFile) { _ = try DiskQueue(path) }
    #expect(try folder.bytes("queue").count == 20)
    #expect(throws: DiskQueueError.self) { _ = try DiskQueue("/no-such-folder/queue") }
  }

  @Test func `needs at most 120 bytes for a queued ping with everything in it`() throws {
    var queue = try DiskQueue(path)
    let empty = queue.bytes
    for index in 0..<1_000 {
      _ = try queue.append(QueuedItem.ping(.full(index)).bytes)
    }
    let each = (queue.bytes - empty) / 1_000
    #expect(each <= 120)
    #expect(each == 84, "the docs name this number")
    for batch in 0..<10 {
      try queue.acknowledge((1...100).map { UInt64(batch * 100 + $0) })
    }
    #expect(queue.count == 0)
    #expect(try folder.bytes("queue").count == queue.bytes)
  }

  @Test func `the checksum is that of zip files`() {
    #expect(checksum("123456789".utf8) == 0xCBF4_3926)
  }
}

extension RecordedPing {
  /// A ping with every value that there is.
  static func full(_ index: Int) -> RecordedPing {
    let coordinate = Coordinate(latitude: 45.8 + Double(index) / 1e5, longitude: 15.97)
    return RecordedPing(
      recordedAt: Instant(milliseconds: 1_780_000_000_000 + Int64(index) * 60_000),
      fix: coordinate.map {
        Fix(
          coordinate: $0, accuracyMeters: 8.5, speedMetersPerSecond: 1.25, headingDegrees: 271.5,
          altitudeMeters: 37.125)
      }, isStationary: true, isMock: true, rest: .until(Instant(milliseconds: 1_790_000_000_000)),
      batteryPercent: 64)
  }
}
