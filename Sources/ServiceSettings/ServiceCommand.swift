import CommandParsing
import Telemetry

/// Every setting: its name as an option and in the file, from which its environment variable
/// follows, its values and its default.
package let serviceCommand: Command = {
  var command = Command(
    "guardd", "the shift-tracking service", options: options,
    footer: """
      All but --config, --check-config and --print are also read from $SHIFTGUARD_NAME and \
      from lines `name = value` of that file. Waits for the schema of `guardctl migrate`. \
      Stops on SIGTERM, reloads on SIGHUP.
      """, version: Build.text)
  command.environmentPrefix = "SHIFTGUARD_"
  return command
}()

private let options: [Option] = [
  .path("config", "file of settings", placeholder: "FILE").once,
  .flag("check-config", "print the settings and their sources, then exit").once,
  .choice("print", "print a text", among: printableTexts).once,
  .text(
    "listen", "also [::1]:PORT or unix:/PATH", default: "127.0.0.1:8080"),
  .text("public-url", "URL for phones, shown by guardctl enrol", placeholder: "URL"),
  .text(
    "metrics-listen", "address of /healthz, /readyz, /metrics", placeholder: "ADDR"),
  .text("database", "database URL", required: true, placeholder: "URL"),
  .path("database-password", "file of the database password", placeholder: "FILE"),
  .flag("pooler", "the URL leads to a transaction pooler"),
  .text("listen-database", "URL past the pooler, for wake-ups", placeholder: "URL"),
  .flag("migrate", "migrate the schema first; for trying out"),
  .path("migrations", "migrations folder", placeholder: "DIR"),
  .integer("workers", "server threads", in: 1...64, default: 1),
  .integer("connections", "connections not for pings", in: 1...200, default: 8),
  .integer("ping-writers", "connections for pings", in: 1...16, default: 2),
  .integer("watch-interval", "seconds per due-work poll", in: 1...60, default: 1),
  .integer("notification-lease", "delivery lease in s", in: 1...600, default: 30),
  .integer("drain", "seconds to serve on after SIGTERM", in: 0...15, default: 0),
  .path("channels", "push and e-mail settings", placeholder: "FILE"),
  .path("maps", "map tile settings", placeholder: "FILE"),
  .choice(
    "log-format", "log format", among: LogFormat.allCases.map(\.rawValue),
    default: LogFormat.logfmt.rawValue),
  .choice(
    "log-level", "lowest level to log", among: Log.Level.allCases.map(\.rawValue),
    default: Log.Level.info.rawValue),
  .integer("slow-after", "log as slow, in ms", in: 1...60_000, default: 500),
  .integer("backup-hours", "oldest backup, 0: any", in: 0...8_760, default: 48),
  .text("traces", "OTLP collector of traces", placeholder: "URL"),
]

/// Whether `text` is a URL that can be printed into a shell command as it is.
package func isPublicURL(_ text: String) -> Bool {
  text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.:\[\]_~%\/-]+/) != nil
}
