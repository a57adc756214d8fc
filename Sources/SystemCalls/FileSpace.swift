#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The space of a file system in bytes: what is left for ordinary users, and all of it.
public struct FileSpace: Hashable, Sendable {
  public let free: Int
  public let total: Int

  public init(free: Int, total: Int) { (self.free, self.total) = (free, total) }

  /// The file system that holds `path`; `nil` if it cannot be looked at.
  public init?(at path: String) {
    var facts = statvfs()
    guard unsafe statvfs(path, &facts) == 0 else { return nil }
    free = Int(facts.f_bavail) * Int(facts.f_frsize)
    total = Int(facts.f_blocks) * Int(facts.f_frsize)
  }
}
