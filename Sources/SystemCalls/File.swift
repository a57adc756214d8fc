#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the system answered to a call that concerns a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, such as `open`.
  public let call: String
  /// The system's `errno`.
  public let code: Int32

  init(_ call: String) {
    self.call = call
    code = errno
  }

  /// Whether the disk, or the user's share of it, is full.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  public var description: String { "\(call) failed with error \(code)" }
}

/// An open file, closed exactly once. Calls wait for the disk, and are repeated when a signal
/// interrupts them.
public struct File: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Opens a file for reading and writing. One that does not exist is created, for its owner only.
  /// - Parameter emptied: Whether what it contains is removed.
  public init(_ path: String, emptied: Bool = false) throws(FileError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | (emptied ? O_TRUNC : 0)
    let opened = unsafe open(path, flags, 0o600)
    guard opened >= 0 else { throw FileError("open") }
    descriptor = opened
  }

  /// Unlocks it first: a process that another thread is just starting has the descriptor, too, and
  /// with it the lock, for a moment.
  deinit {
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
  }

  /// Its size in bytes.
  public func size() throws(FileError) -> Int {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw FileError("lseek") }
    return Int(size)
  }

  /// The bytes from `offset`: `count`, or fewer where the file ends.
  public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    let descriptor = descriptor
    while done < count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw FileError("pread") }
      if got == 0 { break }
      done += got
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Writes all `bytes` from `offset` on. After an error, any number of them may be written.
  public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    var done = 0
    let descriptor = descriptor
    while done < bytes.count {
      let put = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if put < 0 && errno == EINTR { continue }
      guard put > 0 else { throw FileError("pwrite") }
      done += put
    }
  }

  /// Shortens the file to `size` bytes.
  public func truncate(to size: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError("ftruncate") }
  }

  /// Returns once the system has passed everything written so far to the disk.
  public func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("fsync") }
  }

  /// Locks the file until it is closed.
  /// - Returns: `false` if it is locked already: by another process, or opened twice in this one.
  public func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Gives the file at `path` the name `other`, in one step; a file of that name is replaced.
  public static func rename(_ path: String, to other: String) throws(FileError) {
    #if canImport(Darwin)
      let result = unsafe Darwin.rename(path, other)
    #else
      let result = unsafe Glibc.rename(path, other)
    #endif
    guard result == 0 else { throw FileError("rename") }
  }

  /// Removes a file; one that does not exist is not an error.
  public static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileError("unlink") }
  }

  /// Returns once the names in the folder of `path` are on the disk, after a rename for example.
  public static func syncFolder(of path: String) throws(FileError) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let opened = unsafe open(String(folder), O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw FileError("open") }
    defer { _ = close(opened) }
    guard fsync(opened) == 0 else { throw FileError("fsync") }
  }
}
