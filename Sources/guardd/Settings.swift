import CommandParsing
import HTTPServing
import Postgres
import ShiftDomain
import Telemetry

struct Settings: Sendable {
  var address = ListenAddress.tcp(host: "127.0.0.1", port: 8080)
  /// Address for the machine routes alone; `nil`: they share the main address.
  var machineAddress: ListenAddress?
  var migrates: Bool
  /// Folder of the migrations; `nil`: beside or above the program.
  var migrations: String?
  /// Threads that read and write connections.
  var workers: Int
  /// Database connections for everything except pings.
  var connections: Int
  /// Database connections for pings.
  var pingWriters: Int
  /// Seconds between polls for due work.
  var watchInterval: Int
  /// Seconds after which another instance may take over a notification that is being sent.
  var notificationLease: Int
  var channels = ChannelSettings()
  var maps = MapSettings()
  var logFormat: LogFormat
  var logLevel: Log.Level
  /// How long a request or a round trip to the database may take that is not logged as slow.
  var slowAfter: Duration
  /// URL of the collector of traces; `nil`: none is sent.
  var traces: String?
  private var databaseURL: String
  private var databasePassword: String?

  /// Every setting: its name as an option and in the file, from which its environment variable
  /// follows, its values and its default.
  static let command: Command = {
    var command = Command(
      "guardd", "the shift-tracking service", options: options,
      footer: """
        All but --config, --check-config and --print are also read from $SHIFTGUARD_NAME and \
        from lines `name = value` of that file. Waits for the schema of `guardctl migrate`. \
        Stops on SIGTERM, reloads on SIGHUP.
        """, version: productVersion)
    command.environmentPrefix = "SHIFTGUARD_"
    return command
  }()

  private static let options: [Option] = [
    .path("config", "file of settings", placeholder: "FILE").once,
    .flag("check-config", "print the settings and their sources, then exit").once,
    .choice("print", "print a text", among: printableTexts).once,
    .text(
      "listen", "also [::1]:PORT or unix:/PATH", default: "127.0.0.1:8080"),
    .text(
      "metrics-listen", "address of /healthz, /readyz, /metrics", placeholder: "ADDR"),
    .text("database", "database URL", required: true, placeholder: "URL"),
    .path("database-password", "file of the database password", placeholder: "FILE"),
    .flag("migrate", "migrate the schema first; for trying out"),
    .path("migrations", "migrations folder", placeholder: "DIR"),
    .integer("workers", "server threads", in: 1...64, default: 2),
    .integer("connections", "connections not for pings", in: 1...200, default: 8),
    .integer("ping-writers", "connections for pings", in: 1...16, default: 2),
    .integer("watch-interval", "seconds per due-work poll", in: 1...60, default: 1),
    .integer("notification-lease", "delivery lease in seconds", in: 1...600, default: 30),
    .path("channels", "push and e-mail settings", placeholder: "FILE"),
    .path("maps", "map tile settings", placeholder: "FILE"),
    .choice(
      "log-format", "log format", among: LogFormat.allCases.map(\.rawValue),
      default: LogFormat.logfmt.rawValue),
    .choice(
      "log-level", "lowest level to log", among: Log.Level.allCases.map(\.rawValue),
      default: Log.Level.info.rawValue),
    .integer("slow-after", "log as slow, in ms", in: 1...60_000, default: 500),
    .text("traces", "OTLP collector of traces", placeholder: "URL"),
  ]

  /// - Parameters:
  /// - read: Gets a fault for each value that is wrong; then the settings must not be used.
  /// - credentials: The folder of credentials of the service manager.
  init(_ read: inout ReadSettings, credentials: String?) {
    let values = read.values
    migrates = values.flag("migrate")
    migrations = values.string("migrations")
    workers = values.int("workers") ?? 1
    connections = values.int("connections") ?? 1
    pingWriters = values.int("ping-writers") ?? 1
    watchInterval = values.int("watch-interval") ?? 1
    notificationLease = values.int("notification-lease") ?? 30
    logFormat = values.string("log-format").flatMap { LogFormat(rawValue: $0) } ?? .logfmt
    logLevel = values.string("log-level").flatMap { Log.Level(rawValue: $0) } ?? .info
    slowAfter = .milliseconds(values.int("slow-after") ?? 500)
    traces = read.value("traces") { url in
      guard ["http://", "https://"].contains(where: url.hasPrefix) else {
        throw SettingsFault("must begin with `http://` or `https://`")
      }
      return url
    }
    databaseURL = values.string("database") ?? ""
    address = read.value("listen") { try ListenAddress(parsing: $0) } ?? address
    machineAddress = read.value("metrics-listen") { try ListenAddress(parsing: $0) }
    _ = read.value("database") { _ in
      do {
        _ = try connection("")
      } catch {
        // The URL may contain a password, so it is not repeated.
        throw SettingsFault("is not a database URL: write `postgresql://HOST/DATABASE`")
      }
    }
    databasePassword = read.value("database-password") { path in
      guard let bytes = NamedFiles.read(path) else { throw SettingsFault("cannot be read") }
      return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }
    channels =
      read.value("channels") { try ChannelSettings(file: $0, credentials: credentials) } ?? channels
    maps = read.value("maps") { try MapSettings(file: $0) } ?? maps
  }

  /// How to connect to the database, shown there under this name.
  func connection(_ applicationName: String) throws(PostgresError) -> ConnectionConfiguration {
    let configuration = try ConnectionConfiguration(databaseURL, applicationName: applicationName)
    return databasePassword.map { configuration.password($0) } ?? configuration
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
