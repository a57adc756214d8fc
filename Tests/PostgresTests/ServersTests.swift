import Glibc
import Postgres
import TestKit
import Testing

@Suite("Several servers, and poolers", .timeLimit(.minutes(5))) struct ServersTests {
  @Test(
    "a server that accepts and never answers leaves time for the next, which is tried first then")
  func silentServer() async throws {
    try await withTestDatabase { database in
      let silent = try SilentServer()
      defer { silent.close() }
      var configuration = try database.configuration.after(silent)
      configuration.connectTimeout = .seconds(20)
      let pool = Pool(configuration, size: 1, waitersMax: 0)
      let start = ContinuousClock.now
      #expect(try await pool.number("SELECT 7::bigint") == 7)
      #expect(start.duration(to: .now) >= .milliseconds(9_900))
      // A new connection of the same pool begins with the server that answered.
      _ = await failure { () throws(PostgresError) in
        try await pool.number("SELECT pg_terminate_backend(pg_backend_pid())::int::bigint")
      }
      #expect(try await pool.number("SELECT 7::bigint") == 7)
      await pool.close()
      #expect(silent.connectionCount == 1)
    }
  }

  @Test("a connection whose server refuses to write is replaced")
  func becameStandby() async throws {
    try await withDatabase(size: 1) { pool in
      try await pool.prepare("CREATE TABLE t (a int)")
      try await pool.prepare("SET default_transaction_read_only = on")
      func insert() async -> PostgresError? {
        await failure { () throws(PostgresError) in
          try await pool.transaction { session throws(PostgresError) in
            try session.execute("INSERT INTO t VALUES (1)")
          }
        }.error
      }
      let first = await insert()
      #expect(first?.isUnavailable == true)
      let second = await insert()
      #expect(second == nil)
    }
  }

  @Test("through a pooler nothing is kept in the session: neither statements nor settings")
  func pooled() async throws {
    try await withTestDatabase { database in
      var configuration = database.configuration
      configuration.isPooled = true
      let pool = Pool(configuration, size: 1, waitersMax: 0)
      let left = try await pool.transaction { session throws(PostgresError) -> [Int64] in
        var left: [Int64] = []
        // Null, empty and ordinary values, several times.
        for _ in 0..<2 {
          try session.pipeline([
            "SELECT \(Int64(7)) + 1, \("Zoë") || '', \(String?.none) IS NULL", "SELECT \("")",
          ]) { (position, rows) throws(PostgresError) in
            if position == 0 { left.append(try rows.value(0, 0)) }
          }
        }
        left.append(try session.run("SELECT count(*) FROM pg_prepared_statements").value(0, 0))
        left.append(
          try session.run(
            """
            SELECT count(*) FROM pg_settings
            WHERE name = 'statement_timeout' AND setting <> reset_val OR source = 'client'
              AND name NOT IN ('application_name', 'client_encoding')
            """
          ).value(0, 0))
        return left
      }
      await pool.close()
      #expect(left == [8, 8, 0, 0])
    }
  }
}

/// Listens on a port of the loopback address and never accepts: clients connect and get no answer.
private struct SilentServer {
  let port: Int
  private let descriptor: Int32

  init() throws {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
    let listening = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listening, place, length) == 0 && listen(listening, 16) == 0
          && getsockname(listening, place, &length) == 0
      }
    }
    guard isBound else { throw TestDatabaseError("no port to listen on") }
    descriptor = listening
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// How many clients have connected since the last time.
  var connectionCount: Int {
    var count = 0
    while case let client = accept(descriptor, nil, nil), client >= 0 {
      _ = Glibc.close(client)
      count += 1
    }
    return count
  }

  func close() { _ = Glibc.close(descriptor) }
}

extension ConnectionConfiguration {
  /// The same database, as the second server after a silent one.
  fileprivate func after(_ silent: SilentServer) throws -> ConnectionConfiguration {
    var parts: [String: String] = ["port": "5432"]
    for part in description.split(separator: " ") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
    }
    parts["host"] = "127.0.0.1," + (parts["host"] ?? "/var/run/postgresql")
    parts["port"] = "\(silent.port)," + (parts["port"] ?? "")
    return try ConnectionConfiguration(parts.map { "\($0)=\($1)" }.joined(separator: " "))
  }
}
