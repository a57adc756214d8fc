import CommandParsing
import Postgres
import ShiftDomain
import SystemCalls
import Telemetry

package let defaultBackupAgeMax = TimeSpan.hours(48)

/// The settings of guardd, checked. `guardctl` reads them too, so that both say the same.
package struct Settings: Sendable {
  package var address = ListenAddress.tcp(host: "127.0.0.1", port: 8080)
  /// Address for the machine routes alone; `nil`: they share the main address.
  package var machineAddress: ListenAddress?
  /// The URL at which phones reach the service.
  package var publicURL: String?
  package var migrates: Bool
  /// Folder of the migrations; `nil`: beside or above the program.
  package var migrations: String?
  /// Threads that read and write connections.
  package var workers: Int
  /// Database connections for everything except pings.
  package var connections: Int
  /// Database connections for pings.
  package var pingWriters: Int
  /// Seconds between polls for due work.
  package var watchInterval: Int
  /// Seconds after which another instance may take over a notification that is being sent.
  package var notificationLease: Int
  package var channels = ChannelSettings()
  package var maps = MapSettings()
  package var logFormat: LogFormat
  package var logLevel: Log.Level
  /// How long a request or a round trip to the database may take that is not logged as slow.
  package var slowAfter: Duration
  /// How old the last backup may be; zero: backups are not examined.
  package var backupAgeMax: TimeSpan
  /// URL of the collector of traces; `nil`: none is sent.
  package var traces: String?
  /// How long to serve on, not ready, once asked to stop.
  package var drain: Duration
  private var databaseURL: String
  private var listenURL: String?
  /// Whether `databaseURL` leads to a pooler in transaction mode.
  package let isPooled: Bool
  private var databasePassword: String?

  package static let command = serviceCommand

  /// - Parameters:
  ///   - read: Gets a fault for each value that is wrong; then the settings must not be used.
  ///   - credentials: Those that the service manager gives guardd.
  package init(_ read: inout ReadSettings, credentials: ServiceCredentials) {
    let values = read.values
    migrates = values.flag("migrate")
    migrations = values.string("migrations")
    workers = values.int("workers") ?? 1
    connections = values.int("connections") ?? 1
    pingWriters = values.int("ping-writers") ?? 1
    watchInterval = values.int("watch-interval") ?? 1
    notificationLease = values.int("notification-lease") ?? 30
    drain = .seconds(values.int("drain") ?? 0)
    logFormat = values.string("log-format").flatMap { LogFormat(rawValue: $0) } ?? .logfmt
    logLevel = values.string("log-level").flatMap { Log.Level(rawValue: $0) } ?? .info
    slowAfter = .milliseconds(values.int("slow-after") ?? 500)
    backupAgeMax = values.int("backup-hours").map { .hours(Int64($0)) } ?? defaultBackupAgeMax
    traces = read.value("traces") { url in
      guard ["http://", "https://"].contains(where: url.hasPrefix) else {
        throw SettingsFault("must begin with `http://` or `https://`")
      }
      return url
    }
    databaseURL = values.string("database") ?? ""
    isPooled = values.flag("pooler")
    address = read.value("listen") { try ListenAddress(parsing: $0) } ?? address
    machineAddress = read.value("metrics-listen") { try ListenAddress(parsing: $0) }
    publicURL = read.value("public-url") { url in
      guard isPublicURL(url) else {
        throw SettingsFault("must be a URL such as `https://HOST`, without a query")
      }
      return url
    }
    _ = read.value("database", Self.checkURL)
    listenURL = read.value("listen-database") { url in
      try Self.checkURL(url)
      return url
    }
    databasePassword = read.value("database-password") { path in
      guard let bytes = NamedFiles.read(path) else { throw SettingsFault("cannot be read") }
      return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }
    channels =
      read.value("channels") { try ChannelSettings(file: $0, credentials: credentials) } ?? channels
    channels.namedBy = read.sources["channels"]?.text
    maps = read.value("maps") { try MapSettings(file: $0) } ?? maps
  }

  /// How to connect to the database, shown there under this name.
  package func connection(
    _ applicationName: String
  ) throws(PostgresError) -> ConnectionConfiguration {
    var configuration = try connection(to: databaseURL, applicationName)
    configuration.isPooled = isPooled
    return configuration
  }

  /// How to connect to listen for wake-ups, which a pooler in transaction mode does not deliver;
  /// `nil`: there is no way past it.
  package func listeningConnection(
    _ applicationName: String
  ) throws(PostgresError) -> ConnectionConfiguration? {
    guard let url = listenURL ?? (isPooled ? nil : databaseURL) else { return nil }
    return try connection(to: url, applicationName)
  }

  private func connection(
    to url: String, _ applicationName: String
  ) throws(PostgresError) -> ConnectionConfiguration {
    let configuration = try ConnectionConfiguration(url, applicationName: applicationName)
    return databasePassword.map { configuration.password($0) } ?? configuration
  }

  /// The URL may contain a password, so it is not repeated.
  private static func checkURL(_ url: String) throws {
    do {
      _ = try ConnectionConfiguration(url)
    } catch {
      throw SettingsFault("is not a database URL: write `postgresql://HOST/DATABASE`")
    }
  }
}

extension ReadSettings {
  /// What `read` makes of the value; `nil`, with faults, if it throws.
  fileprivate mutating func value<Value>(
    _ name: String, _ read: (String) throws -> Value
  ) -> Value? {
    guard let text = values.string(name) else { return nil }
    do {
      return try read(text)
    } catch let fault as SettingsFault {
      for description in fault.descriptions { refuse(name, description) }
    } catch {
      refuse(name, "\(error)")
    }
    return nil
  }
}
