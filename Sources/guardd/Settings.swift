import CommandParsing
import HTTPServing
import Telemetry

struct Settings: Sendable {
  var address: ListenAddress
  /// Address for the machine routes alone; `nil`: they share the main address.
  var machineAddress: ListenAddress?
  var databaseURL: String
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
  var channels: ChannelSettings
  var maps: MapSettings
  var logFormat: LogFormat
  var logLevel: Log.Level
  /// How long a request or a round trip to the database may take that is not logged as slow.
  var slowAfter: Duration
  /// URL of the collector of traces; `nil`: none is sent.
  var traces: String?

  static let command = Command(
    "guardd", "the shift-tracking service",
    options: [
      .text(
        "listen", "address to listen on; also [::1]:PORT or unix:/PATH", default: "127.0.0.1:8080",
        environment: "SHIFTGUARD_LISTEN"),
      .text(
        "metrics-listen", "separate address of /healthz, /readyz and /metrics",
        placeholder: "ADDR"),
      .text(
        "database", "database URL", required: true,
        environment: "SHIFTGUARD_DATABASE"),
      .flag("migrate", "migrate the schema first; for trying out"),
      .path(
        "migrations", "migrations folder",
        environment: "SHIFTGUARD_MIGRATIONS"),
      .integer("workers", "server threads", in: 1...64, default: 2),
      .integer("connections", "connections not for pings", in: 1...200, default: 8),
      .integer("ping-writers", "connections for pings", in: 1...16, default: 2),
      .integer("watch-interval", "seconds per due-work poll", in: 1...60, default: 1),
      .integer(
        "notification-lease", "delivery lease in seconds", in: 1...600,
        default: 30),
      .path(
        "channels", "push and e-mail settings", environment: "SHIFTGUARD_CHANNELS"),
      .path("maps", "map tile settings", environment: "SHIFTGUARD_MAPS"),
      .choice(
        "log-format", "log format", among: LogFormat.allCases.map(\.rawValue),
        default: LogFormat.logfmt.rawValue),
      .choice(
        "log-level", "lowest",
        among: Log.Level.allCases.map(\.rawValue), default: Log.Level.info.rawValue),
      .integer(
        "slow-after", "log as slow, in ms", in: 1...60_000, default: 500),
      .text(
        "traces", "OTLP collector of traces", environment: "SHIFTGUARD_TRACES",
        placeholder: "URL"),
    ],
    footer: """
      Waits until the schema is migrated: run `guardctl migrate`. Stops on SIGTERM.
      """)

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
    notificationLease = command.int("notification-lease") ?? 30
    channels = try command.string("channels").map { try ChannelSettings(file: $0) } ?? .init()
    maps = try command.string("maps").map { try MapSettings(file: $0) } ?? MapSettings()
    logFormat = command.string("log-format").flatMap { LogFormat(rawValue: $0) } ?? .logfmt
    logLevel = command.string("log-level").flatMap { Log.Level(rawValue: $0) } ?? .info
    traces = command.string("traces")
    slowAfter = .milliseconds(command.int("slow-after") ?? 500)
  }
}
