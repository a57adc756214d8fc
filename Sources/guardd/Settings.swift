import CommandParsing
import HTTPServing
import Telemetry

/// What the command line asks of the daemon.
struct Settings: Sendable {
  var address: ListenAddress
  /// Where only the machine routes are served; `nil`: beside all others.
  var machineAddress: ListenAddress?
  var databaseURL: String
  /// Whether to bring the schema up to date first.
  var migrates: Bool
  /// Where the migrations are; `nil`: beside or above the program.
  var migrations: String?
  /// Threads that read and write connections.
  var workers: Int
  /// Database connections for everything but pings.
  var connections: Int
  /// Database connections for pings.
  var pingWriters: Int
  /// Seconds from one look at what time makes due to the next.
  var watchInterval: Int
  /// Seconds for which messages being sent are held; then other instances take them.
  var messageLease: Int
  /// How messages leave.
  var channels: ChannelSettings
  /// How tracks are laid on maps.
  var maps: MapSettings
  var logFormat: LogFormat
  var logLevel: Log.Level

  static let command = Command(
    "guardd", "the shift-tracking service",
    options: [
      .text(
        "listen", "where to listen; also [::1]:PORT or unix:/PATH", default: "127.0.0.1:8080",
        environment: "SHIFTGUARD_LISTEN"),
      .text(
        "metrics-listen", "serve /healthz, /readyz and /metrics there alone",
        placeholder: "ADDR"),
      .text(
        "database", "the database's URL", required: true,
        environment: "SHIFTGUARD_DATABASE"),
      .flag("migrate", "bring the schema up to date first; for trying out"),
      .path(
        "migrations", "their folder",
        environment: "SHIFTGUARD_MIGRATIONS"),
      .integer("workers", "threads for serving", in: 1...64, default: 2),
      .integer("connections", "connections for all else", in: 1...200, default: 8),
      .integer("ping-writers", "connections for pings", in: 1...16, default: 2),
      .integer("watch-interval", "seconds between looks", in: 1...60, default: 1),
      .integer(
        "message-lease", "seconds a message is held", in: 1...600,
        default: 30),
      .path(
        "channels", "push and mail", environment: "SHIFTGUARD_CHANNELS"),
      .path("maps", "maps' tiles", environment: "SHIFTGUARD_MAPS"),
      .choice(
        "log-format", "how the log looks", among: LogFormat.allCases.map(\.rawValue),
        default: LogFormat.logfmt.rawValue),
      .choice(
        "log-level", "the least serious events to log",
        among: Log.Level.allCases.map(\.rawValue), default: Log.Level.info.rawValue),
    ],
    footer: """
      Waits for its schema: run `guardctl migrate`. Ends in order on SIGTERM.
      """)

  /// - Throws: `ServingError.badAddress`, `ChannelFault`, `MapFault`
  init(_ command: ParsedCommand) throws {
    address = try ListenAddress(parsing: command.string("listen") ?? "")
    if let text = command.string("metrics-listen") {
      machineAddress = try ListenAddress(parsing: text)
    }
    databaseURL = command.string("database") ?? ""
    migrates = command.flag("migrate")
    migrations = command.string("migrations")
    workers = command.int("workers") ?? 1
    connections = command.int("connections") ?? 1
    pingWriters = command.int("ping-writers") ?? 1
    watchInterval = command.int("watch-interval") ?? 1
    messageLease = command.int("message-lease") ?? 30
    channels = try command.string("channels").map { try ChannelSettings(file: $0) } ?? .init()
    maps = try command.string("maps").map { try MapSettings(file: $0) } ?? MapSettings()
    logFormat = command.string("log-format").flatMap { LogFormat(rawValue: $0) } ?? .logfmt
    logLevel = command.string("log-level").flatMap { Log.Level(rawValue: $0) } ?? .info
  }
}
