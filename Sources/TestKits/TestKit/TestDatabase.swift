import Foundation
import Postgres

/// What keeps a test from having its database, in words for those who run the tests.
public struct TestDatabaseError: Error, CustomStringConvertible {
  /// What is missing and how to get it.
  public let description: String

  /// An error with this text.
  public init(_ description: String) { self.description = description }
}

/// A database for one test alone, cloned from the migrated template when there is one. On Citus
/// each node has one of this name; tests connect to the coordinator's.
public struct TestDatabase: Sendable {
  /// Its name, unique among all test runs on the cluster.
  public let name: String
  /// How to connect to it, for tests that open pools of their own.
  public let configuration: ConnectionConfiguration
  /// The same past a pooler, for listening.
  public let listening: ConnectionConfiguration

  /// One for each node, first the coordinator or only server.
  private let maintenance: [Pool]

  /// The time limit for what must not run out of time in a test, however busy the machine is. All
  /// transactions and sessions in tests have it, unless the test asks for less.
  public static let patience: Duration = .seconds(600)

  /// Creates the database on the cluster that `SHIFTGUARD_TEST_POSTGRES` names, and on the Citus
  /// workers that `SHIFTGUARD_TEST_WORKERS` names.
  /// - Throws: `TestDatabaseError` when the variable is missing, `PostgresError` otherwise.
  /// - Parameter template: The database to clone; `nil`: the migrated template when there is one.
  public static func create(template: String? = nil) async throws -> TestDatabase {
    let variables = ProcessInfo.processInfo.environment
    guard let url = variables["SHIFTGUARD_TEST_POSTGRES"] else {
      throw TestDatabaseError(
        """
        SHIFTGUARD_TEST_POSTGRES is not set. It names the maintenance database of a cluster for \
        tests, as in postgresql:///postgres?host=/some/folder. deploy/test starts one and sets it.
        """)
    }
    let workers = (variables["SHIFTGUARD_TEST_WORKERS"] ?? "").split(separator: " ")
    var nodes = try ([url] + workers.map(String.init)).map(maintenanceConfiguration)
    nodes[0].isPooled = variables["SHIFTGUARD_TEST_POOLER"] == "yes"
    let listening = try variables["SHIFTGUARD_TEST_LISTEN"].map(maintenanceConfiguration)
    let name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    let database = TestDatabase(
      name: name, configuration: nodes[0].database(name),
      listening: (listening ?? nodes[0]).database(name),
      maintenance: nodes.map { Pool($0, size: 1, waitersMax: 0) })
    try await database.onEachNode { session throws(PostgresError) in
      let templates = try session.run(
        "SELECT datname FROM pg_database WHERE datname = 'shiftguard_template'")
      let usual = templates.count == 1 ? "shiftguard_template" : "template1"
      try session.script("CREATE DATABASE \(name) TEMPLATE \(template ?? usual) STRATEGY FILE_COPY")
    }
    return database
  }

  /// Drops the database, even with open connections.
  public func drop() async throws {
    let name = self.name
    // First closed on all nodes: otherwise one could connect to another that is being dropped.
    try await onEachNode { session throws(PostgresError) in
      try session.script("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
    }
    try await onEachNode { session throws(PostgresError) in
      for attempt in 1...3 {
        do throws(PostgresError) {
          return try session.script("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        } catch {
          // A worker of Citus that is just starting; the server has waited for it for 5 s.
          guard isOnCitus, attempt < 3 else { throw error }
        }
      }
    }
    for pool in maintenance { await pool.close() }
  }

  /// Closes the connections for maintenance if it fails.
  private func onEachNode(
    _ body: @escaping @Sendable (inout Session) throws(PostgresError) -> Void
  ) async throws {
    do {
      try await withThrowingTaskGroup { group in
        for pool in maintenance {
          group.addTask { try await pool.read(Self.patience, body) }
        }
        try await group.waitForAll()
      }
    } catch {
      for pool in maintenance { await pool.close() }
      throw error
    }
  }

  private static func maintenanceConfiguration(_ url: String) throws -> ConnectionConfiguration {
    var configuration = try ConnectionConfiguration(
      url, applicationName: "shiftguard-test", connectTimeout: .seconds(30),
      statementTimeout: patience)
    configuration.workTimeout = patience
    return configuration
  }
}

/// Lends `body` a pool on a database of its own and drops that afterwards, whatever happens.
/// - Parameters:
///   - size: How many connections at most.
///   - waitersMax: How many callers may wait for one.
///   - body: The test.
@discardableResult
public func withDatabase<Result>(
  size: Int = 4, waitersMax: Int = 1_000,
  _ body: (Pool) async throws -> Result
) async throws -> Result {
  try await withTestDatabase { database in
    try await withPool(database.configuration, size: size, waitersMax: waitersMax, body)
  }
}

/// Lends `body` connections and closes them afterwards, whatever happens.
@discardableResult
public func withPool<Result>(
  _ configuration: ConnectionConfiguration, size: Int = 4, waitersMax: Int = 1_000,
  _ body: (Pool) async throws -> Result
) async throws -> Result {
  let pool = Pool(configuration, size: size, waitersMax: waitersMax)
  do {
    let result = try await body(pool)
    await pool.close()
    return result
  } catch {
    await pool.close()
    throw error
  }
}

/// Lends `body` a database of its own and drops it afterwards, whatever happens.
/// - Parameters:
///   - template: The database to clone; `nil`: the migrated template when there is one.
///   - body: The test. Pools it opens it also closes.
@discardableResult
public func withTestDatabase<Result>(
  template: String? = nil, _ body: (TestDatabase) async throws -> Result
) async throws -> Result {
  let database = try await TestDatabase.create(template: template)
  let result: Result
  do {
    result = try await body(database)
  } catch {
    try await database.drop()
    throw error
  }
  try await database.drop()
  return result
}
