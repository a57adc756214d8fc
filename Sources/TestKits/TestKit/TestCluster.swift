import Foundation
import Lifecycle
import Postgres
import TestPrograms

/// A Postgres server for one test alone, for tests that stop, freeze or kill it. Reached by a Unix
/// socket; keeps nothing (`fsync` is off) and leaves nothing.
public final class TestCluster: Sendable {
  /// How to connect to its maintenance database, as a superuser.
  public let configuration: ConnectionConfiguration

  private let folder: String
  private let programs: String
  /// Whether `folder` is a file system by itself.
  private let hasDisk: Bool
  private let server: Lock<ChildProgram?> = Lock(nil)

  private init(folder: String, programs: String, hasDisk: Bool) throws {
    self.folder = folder
    self.programs = programs
    self.hasDisk = hasDisk
    configuration = try ConnectionConfiguration(
      "host=\(folder) user=postgres dbname=postgres", connectTimeout: .seconds(30))
  }

  /// Starts a server and waits until it takes connections.
  /// - Parameter disk: Megabytes of a disk of its own, which a test can fill; `nil`: none. Only
  ///   whoever may mount can have one.
  /// - Throws: `ProgramError` with what the failing program said.
  public static func start(disk: Int? = nil) async throws -> TestCluster {
    let programs = try await ChildProgram(["pg_config", "--bindir"]).output()
    let folder = try await ChildProgram(asOwner + ["mktemp", "-d"]).output()
    if let disk { try await mount(disk, at: folder) }
    let cluster = try TestCluster(folder: folder, programs: programs, hasDisk: disk != nil)
    do {
      _ = try await ChildProgram(
        asOwner + [
          "\(programs)/initdb", "-D", "\(folder)/data", "-U", "postgres", "-A", "trust", "-N",
          "-E", "UTF8", "--locale=C.UTF-8",
        ]
      ).output()
      try await cluster.start()
    } catch {
      try await cluster.remove()
      throw error
    }
    return cluster
  }

  /// Starts the server again after `stop`.
  public func start() async throws {
    let program = try ChildProgram(
      Self.asOwner + [
        "\(programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=",
        "-c", "fsync=off", "-c", "max_connections=30",
      ])
    server.withLock { $0 = program }
    while try await !takesConnections() {
      guard program.isRunning else { throw TestDatabaseError(try await program.output()) }
    }
  }

  /// Ends the server as a power cut would: every connection breaks.
  public func stop() async throws {
    guard let program = server.withLock({ $0.take() }) else { return }
    kill(program.process, SIGCONT)
    kill(program.process, SIGQUIT)
    _ = try await program.outcome()
  }

  /// Takes the last byte of the server's own disk.
  public func fillDisk() async {
    // It ends when nothing more can be written, and says so.
    _ = try? await ChildProgram(["dd", "if=/dev/zero", "of=\(folder)/filler", "bs=4k"]).output()
  }

  /// Ends `fillDisk`.
  public func freeDisk() throws { try FileManager.default.removeItem(atPath: "\(folder)/filler") }

  /// Whether this process may give a server a disk of its own.
  public static func canMount() async throws -> Bool {
    let folder = try await ChildProgram(["mktemp", "-d"]).output()
    let isMounted = (try? await mount(1, at: folder)) != nil
    if isMounted { _ = try await ChildProgram(["umount", folder]).output() }
    try FileManager.default.removeItem(atPath: folder)
    return isMounted
  }

  private static func mount(_ megabytes: Int, at folder: String) async throws {
    let owner = geteuid() == 0 ? ",uid=postgres,gid=postgres" : ""
    _ = try await ChildProgram(
      ["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700\(owner)", "tmpfs", folder]
    ).output()
  }

  /// Freezes the process that takes new connections; those that exist go on.
  public func freeze() { signal(SIGSTOP) }

  /// Ends `freeze`.
  public func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    if let program = server.withLock({ $0 }) { kill(program.process, number) }
  }

  private func takesConnections() async throws -> Bool {
    let pool = Pool(configuration, size: 1, waitersMax: 0)
    let isThere: Bool
    do {
      try await pool.read { session throws(PostgresError) in try session.execute("SELECT 1") }
      isThere = true
    } catch {
      isThere = false
    }
    await pool.close()
    // The server has no way to tell us, so we ask again in a while, as its own tools do.
    if !isThere { try await Task.sleep(for: .milliseconds(20)) }
    return isThere
  }

  fileprivate func remove() async throws {
    try await stop()
    if hasDisk { _ = try await ChildProgram(["umount", folder]).output() }
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Postgres refuses to run as root, so root borrows the user that Debian made for it.
  private static var asOwner: [String] {
    guard geteuid() == 0 else { return [] }
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
  }
}

/// Lends `body` a server of its own and removes it afterwards, whatever happens.
/// - Parameters:
///   - disk: Megabytes of a disk of its own, which the test can fill; `nil`: none.
///   - body: The test. Pools it opens it also closes.
@discardableResult
public func withCluster<Result>(
  disk: Int? = nil, _ body: (TestCluster) async throws -> Result
) async throws -> Result {
  let cluster = try await TestCluster.start(disk: disk)
  let result: Result
  do {
    result = try await body(cluster)
  } catch {
    try await cluster.remove()
    throw error
  }
  try await cluster.remove()
  return result
}
