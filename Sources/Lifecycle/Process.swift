// What every program needs from the operating system and Swift's library does not offer without
// pointers. Kept here so that other modules need not import Glibc or Foundation for it.
internal import Glibc

/// The process's error stream, unbuffered.
public enum StandardError {
  /// Writes all `bytes`; blocks while the reader is slow, so call it on a thread of your own.
  /// - Returns: `false` when the stream is closed or broken; nothing more can be done then.
  @discardableResult public static func write(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        let written = unsafe Glibc.write(
          STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return false }
        unsafe rest = unsafe rest.dropFirst(written)
      }
      return true
    }
  }
}
