public import SystemCalls

/// Why the queue did not do what was asked. After any of these it is as it was before.
public enum DiskQueueError: Error, Hashable, Sendable {
  /// The file has reached its limit. Nothing was dropped for the new record.
  case full
  /// A record may have at most 64 KiB.
  case recordTooLarge
  /// The file is open already, in this process or another one.
  case inUse
  /// The file is not one of ours.
  case foreignFile
  /// The disk refused, perhaps because it is full.
  case disk(FileError)
}

/// Records on disk, in the order of their arrival, each kept until it is acknowledged.
///
/// The file is only ever appended to: records and, later, acknowledgements of them. A process may
/// be killed at any byte: whatever `append` returned a number for is there when the file is opened
/// again, and an incomplete record at the end is cut off. A record that the disk has damaged costs
/// no other one. When most of the file is acknowledged, the rest is copied to a new file, which
/// replaces the old one in one step.
///
/// *Loss of power.* `essential` records are on the disk before `append` returns. `routine` ones are
/// passed to the system: they survive the end of the app, and a loss of power only after the next
/// `sync` or `essential` record. A lost acknowledgement means that a record is sent twice, which
/// the server recognises.
///
/// Calls wait for the disk: milliseconds on a phone.
public struct DiskQueue: ~Copyable, Sendable {
  public struct Record: Hashable, Sendable {
    /// Ascends in the order of arrival; never used twice while the queue is open.
    public let number: UInt64
    public let content: [UInt8]
  }

  public enum Importance: Hashable, Sendable {
    /// May fill half of the file, and may be removed for what is essential.
    case optional
    /// May fill seven eighths of the file.
    case routine
    /// May fill all of it, and is on the disk before `append` returns.
    case essential
  }

  /// The most that the file may have, in bytes. Acknowledgements are written even if it is full.
  public let bytesMax: Int
  /// The bytes at the end of the file that were no complete record when it was opened: the process
  /// was killed while it wrote them.
  public let bytesCutOff: Int
  /// The bytes between records that could not be read when it was opened: something is lost.
  public let bytesDamaged: Int
  private let path: String
  private let lockFile: File
  private var file: File
  /// The end of the last complete record.
  private var end: Int
  /// Whether the file ends there too: a failed write may have left a part of a record.
  private var isTailClean = true
  /// Whether a loss of power would leave this file under its name, and not one before it.
  private var isNameOnDisk = false
  private var index: QueueIndex

  /// Below this a file is not worth copying.
  private static let compactionMin = 65_536

  /// Opens the file at `path`, or creates it. `path.lock` and `path.new` are used beside it.
  /// - Parameter bytesMax: At least 1 KiB.
  public init(_ path: String, bytesMax: Int = 8_388_608) throws(DiskQueueError) {
    precondition(bytesMax >= 1_024)
    let lockFile = try disk { () throws(FileError) in try File(path + ".lock") }
    guard lockFile.lock() else { throw .inUse }
    try disk { () throws(FileError) in try File.remove(path + ".new") }
    let file = try disk { () throws(FileError) in try File(path) }
    let bytes = try disk { () throws(FileError) in
      try file.read(at: 0, count: file.size())
    }
    let content = QueueContent(reading: bytes)
    guard content.isOurs else { throw .foreignFile }
    try disk { () throws(FileError) in
      if bytes.count > content.end { try file.truncate(to: content.end) }
      if !content.hasSignature { try file.write(QueueContent.signature, at: 0) }
    }
    self.lockFile = lockFile
    self.file = file
    self.path = path
    self.bytesMax = bytesMax
    index = content.index
    end = content.end
    bytesCutOff = max(bytes.count - content.end, 0)
    bytesDamaged = content.bytesDamaged
  }

  /// The records that were not acknowledged.
  public var count: Int { index.liveCount }

  /// The size of the file, in bytes.
  public var bytes: Int { end }

  /// Adds a record and returns its number: from then on it survives the end of the process.
  public mutating func append(
    _ content: [UInt8], _ importance: Importance = .routine
  ) throws(DiskQueueError) -> UInt64 {
    guard content.count <= QueueFrame.contentMax else { throw .recordTooLarge }
    let frame = QueueFrame(number: index.nextNumber, content: content[...])
    let limit =
      switch importance {
      case .optional: bytesMax / 2
      case .routine: bytesMax / 8 * 7
      case .essential: bytesMax
      }
    // Copying is worth it only if it makes room for more than this record, or if nobody could do
    // without this one.
    let spareMin = importance == .essential ? frame.size : bytesMax / 16
    if end + frame.size > limit, bytesToSpare > spareMin { try compact() }
    guard end + frame.size <= limit else { throw .full }
    let start = end
    try write(frame)
    if importance == .essential {
      do throws(DiskQueueError) { try sync() } catch {
        // The caller is told that it was not added, so it must not appear later.
        end = start
        isTailClean = (try? file.truncate(to: start)) != nil
        throw error
      }
    }
    index.add(frame.number, at: start, contentSize: content.count)
    return frame.number
  }

  /// The first records that were not acknowledged, at most `count`, without those in `skipped`.
  public func first(
    _ count: Int, skipping skipped: Set<UInt64> = []
  ) throws(DiskQueueError) -> [Record] {
    var records: [Record] = []
    for entry in index.first(count, skipping: skipped) {
      let content = try disk { () throws(FileError) in
        try file.read(at: entry.offset + QueueFrame.headSize, count: entry.contentSize)
      }
      records.append(Record(number: entry.number, content: content))
    }
    return records
  }

  /// Removes records; numbers that are not in the queue are ignored. If the disk refuses, they are
  /// gone from `first` nevertheless, and appear again when the file is opened the next time.
  public mutating func acknowledge(_ numbers: [UInt64]) throws(DiskQueueError) {
    let removed = index.remove(numbers)
    guard !removed.isEmpty else { return }
    do throws(DiskQueueError) { try write(acknowledging: removed) } catch {
      // A disk that is full still lets an empty queue get rid of everything.
      guard index.liveCount == 0, (try? file.truncate(to: QueueContent.signature.count)) != nil
      else { throw error }
      end = QueueContent.signature.count
      isTailClean = true
    }
    // Without room for the copy, the queue goes on with the file it has.
    if end > Self.compactionMin, bytesToSpare > index.liveBytes { try? compact() }
  }

  /// What a copy would be smaller by.
  private var bytesToSpare: Int { end - QueueContent.signature.count - index.liveBytes }

  private mutating func write(acknowledging removed: [UInt64]) throws(DiskQueueError) {
    let runs = NumberRun.runs(of: removed)
    // So many that their record would be too large come in pieces.
    for start in stride(from: 0, to: runs.count, by: 4_096) {
      let piece = NumberRun.content(Array(runs[start..<min(start + 4_096, runs.count)]))
      try write(QueueFrame(number: 0, content: piece[...]))
    }
  }

  /// Returns once everything appended so far would survive a loss of power. To be called when the
  /// app goes into the background.
  public mutating func sync() throws(DiskQueueError) {
    do throws(FileError) {
      try file.sync()
      if !isNameOnDisk { try File.syncFolder(of: path) }
      isNameOnDisk = true
    } catch { throw .disk(error) }
  }

  private mutating func write(_ frame: QueueFrame) throws(DiskQueueError) {
    do throws(FileError) {
      if !isTailClean { try file.truncate(to: end) }
      isTailClean = false
      try file.write(frame.bytes, at: end)
      isTailClean = true
      end += frame.size
    } catch {
      // If this fails too, it is tried again before the next record.
      if (try? file.truncate(to: end)) != nil { isTailClean = true }
      throw .disk(error)
    }
  }

  /// Replaces the file by one with the records that were not acknowledged.
  private mutating func compact() throws(DiskQueueError) {
    var bytes = QueueContent.signature
    bytes.reserveCapacity(bytes.count + index.liveBytes)
    for record in try first(.max) {
      bytes += QueueFrame(number: record.number, content: record.content[...]).bytes
    }
    let new = path + ".new"
    do throws(FileError) {
      let copy = try File(new, emptied: true)
      try copy.write(bytes, at: 0)
      try copy.sync()
      try File.rename(new, to: path)
      file = copy
    } catch {
      try? File.remove(new)
      throw .disk(error)
    }
    index = index.compacted(from: QueueContent.signature.count)
    end = bytes.count
    isTailClean = true
    isNameOnDisk = (try? File.syncFolder(of: path)) != nil
  }
}

/// Runs `call`, whose errors become the queue's.
private func disk<Result: ~Copyable>(
  _ call: () throws(FileError) -> Result
) throws(DiskQueueError) -> Result {
  do throws(FileError) { return try call() } catch { throw .disk(error) }
}
