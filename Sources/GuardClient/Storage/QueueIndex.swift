/// Where in the file the records are that were not acknowledged yet.
struct QueueIndex: Sendable {
  struct Entry: Sendable {
    let number: UInt64
    var offset: Int
    let contentSize: Int
    fileprivate(set) var isLive = true

    var size: Int { QueueFrame.headSize + contentSize }
  }

  /// In ascending order; those before `head` and some others are acknowledged.
  private var entries: [Entry] = []
  private var head = 0
  private(set) var liveCount = 0
  /// The bytes of the records that were not acknowledged.
  private(set) var liveBytes = 0
  private(set) var nextNumber: UInt64 = 1

  /// Adds a record after all others.
  mutating func add(_ number: UInt64, at offset: Int, contentSize: Int) {
    let entry = Entry(number: number, offset: offset, contentSize: contentSize)
    entries.append(entry)
    nextNumber = number + 1
    liveCount += 1
    liveBytes += entry.size
  }

  /// - Returns: Those of the `numbers` that were not acknowledged before, in ascending order.
  mutating func remove(_ numbers: [UInt64]) -> [UInt64] {
    var removed: [UInt64] = []
    for number in numbers.sorted() {
      guard let place = place(of: number), entries[place].isLive else { continue }
      entries[place].isLive = false
      liveCount -= 1
      liveBytes -= entries[place].size
      removed.append(number)
    }
    while head < entries.count, !entries[head].isLive { head += 1 }
    if head > 1_024, head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    return removed
  }

  /// Removes the numbers of `run` that exist, whatever else it names.
  mutating func remove(_ run: NumberRun) {
    let (end, overflows) = run.first.addingReportingOverflow(UInt64(run.count))
    let last = overflows ? .max : end
    let numbers = entries[lowerBound(of: run.first)...].lazy.map(\.number).prefix { $0 < last }
    _ = remove(Array(numbers))
  }

  /// The first records that were not acknowledged, except those that are skipped.
  func first(_ count: Int, skipping skipped: Set<UInt64> = []) -> [Entry] {
    var found: [Entry] = []
    for entry in entries[head...] where entry.isLive && !skipped.contains(entry.number) {
      guard found.count < count else { break }
      found.append(entry)
    }
    return found
  }

  /// The same records at the offsets that they have in a file which contains nothing else.
  func compacted(from start: Int) -> QueueIndex {
    var index = self
    index.entries = first(.max)
    index.head = 0
    var offset = start
    for place in index.entries.indices {
      index.entries[place].offset = offset
      offset += index.entries[place].size
    }
    return index
  }

  private func place(of number: UInt64) -> Int? {
    let place = lowerBound(of: number)
    return place < entries.count && entries[place].number == number ? place : nil
  }

  /// The place of the first entry from `head` on whose number is not below `number`.
  private func lowerBound(of number: UInt64) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
