internal import CLibpq

/// Where the database is and how a connection to it is set up. A password in it is never printed.
public struct ConnectionConfiguration: Sendable {
  /// Shown in `pg_stat_activity`.
  public var applicationName: String
  public var connectTimeout: Duration
  public var statementTimeout: Duration
  /// For a transaction or a read, from the call on, unless its caller names another limit.
  public var workTimeout = Duration.seconds(5)
  /// Whether the server is a pooler such as PgBouncer in transaction mode, which may run each
  /// transaction in another session: then statements are not kept prepared, and the settings of
  /// sessions must be those of the role.
  public var isPooled = false
  /// A round trip that takes at least `slowAfter` is passed to `noteSlow`, on the connection's
  /// thread.
  public var slowAfter = Duration.seconds(3_600)
  public var noteSlow: @Sendable (SlowRoundTrip) -> Void = { _ in }

  private let parameters: [String: String]

  /// `url` is a libpq connection string: `postgresql:///shiftguard?host=/run/x` or `key=value …`.
  /// Omitted parts come from libpq's own environment (`PGHOST`, `PGPASSWORD`, …).
  /// `statementTimeout` is a safety net below the caller's own deadline.
  /// - Throws: `.broken` when libpq cannot read `url`.
  public init(
    _ url: String, applicationName: String = "shiftguard",
    connectTimeout: Duration = .seconds(3), statementTimeout: Duration = .seconds(30)
  ) throws(PostgresError) {
    self.applicationName = applicationName
    self.connectTimeout = connectTimeout
    self.statementTimeout = statementTimeout
    parameters = try Self.parse(url)
  }

  public func database(_ name: String) -> ConnectionConfiguration {
    ConnectionConfiguration(self, parameters.merging(["dbname": name]) { $1 })
  }

  public func password(_ password: String) -> ConnectionConfiguration {
    ConnectionConfiguration(self, parameters.merging(["password": password]) { $1 })
  }

  private init(_ original: ConnectionConfiguration, _ parameters: [String: String]) {
    applicationName = original.applicationName
    connectTimeout = original.connectTimeout
    statementTimeout = original.statementTimeout
    workTimeout = original.workTimeout
    isPooled = original.isPooled
    slowAfter = original.slowAfter
    noteSlow = original.noteSlow
    self.parameters = parameters
  }

  /// The parameters for libpq: the server, and the settings of every session of ours. The server
  /// checks the client's socket while a statement runs, so closing the socket ends the statement:
  /// libpq's own cancel request would block on a server that hangs. One element for each server of
  /// the URL: libpq tries them in turn, but without a time limit of its own for each.
  var servers: [[(key: String, value: String)]] {
    var all = parameters
    if !isPooled {
      // To compile a query takes longer than any of ours runs. And tables are in memory or on SSDs:
      // with the server's 4, a table of hundreds would be read as a whole for a few employees.
      let advice = ["jit=off", "seq_page_cost=1", "random_page_cost=1.1"]
      let settings = [
        "statement_timeout=\(statementTimeout.wholeMilliseconds)",
        "idle_in_transaction_session_timeout=\(statementTimeout.wholeMilliseconds)",
        "client_connection_check_interval=500", "TimeZone=UTC",
        // For Citus, where a change of a replicated table must use the transaction's connections.
        "citus.multi_shard_modify_mode=sequential",
      ]
      // Of two values for a setting the server takes the later one.
      all["options"] =
        (advice.map { "-c \($0)" } + [parameters["options"] ?? ""] + settings.map { "-c \($0)" })
        .joined(separator: " ")
    }
    all["application_name"] = applicationName
    all["client_encoding"] = "UTF8"
    return Self.split(all).map { server in
      server.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }
  }

  /// The same parameters for each server alone. Lists of different lengths stay as they are, for
  /// libpq to refuse.
  private static func split(_ parameters: [String: String]) -> [[String: String]] {
    func list(_ key: String) -> [Substring] {
      parameters[key].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
    }
    let lists = ["host", "hostaddr", "port"].map { (key: $0, values: list($0)) }
    let count = max(lists[0].values.count, lists[1].values.count)
    // With this value, libpq tries all servers a second time.
    guard count > 1, parameters["target_session_attrs"] != "prefer-standby",
      lists[0].values.isEmpty || lists[1].values.isEmpty
        || lists[0].values.count == lists[1].values.count,
      [0, 1, count].contains(lists[2].values.count)
    else { return [parameters] }
    return (0..<count).map { number in
      var server = parameters
      for (key, values) in lists where values.count > 1 { server[key] = String(values[number]) }
      return server
    }
  }

  private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
    var complaint: UnsafeMutablePointer<CChar>?
    defer { unsafe PQfreemem(complaint) }
    guard let options = unsafe PQconninfoParse(url, &complaint) else {
      // libpq's message quotes the text, possibly with a password.
      throw .broken(nil, detail: "the database URL is not one that libpq can read")
    }
    defer { unsafe PQconninfoFree(options) }
    var found: [String: String] = [:]
    var option = unsafe options
    while let key = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe found[String(cString: key)] = String(cString: value)
      }
      unsafe option += 1
    }
    return found
  }
}

/// A round trip to the database that took long, successful or not.
public struct SlowRoundTrip: Sendable {
  /// Of the connection, as in `pg_stat_activity`.
  public var applicationName: String
  /// The texts, without any values: these are bound.
  public var statements: [String]
  public var span: Duration
}

extension ConnectionConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Host, port, database and user; nothing else.
  public var description: String {
    ["host", "port", "dbname", "user"]
      .compactMap { key in parameters[key].map { "\(key)=\($0)" } }
      .joined(separator: " ")
  }

  public var debugDescription: String { description }

  /// Empty, so that `dump` shows no password either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Duration {
  /// Milliseconds, rounded up, at least 1; at most 20 days, which fit in 32 bits.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_728_000)).components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(1, seconds * 1_000 + rest))
  }
}
