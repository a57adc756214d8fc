import CommandParsing
import Foundation
import ServiceSettings

/// What the command line asks for.
enum Order {
  case serve(Settings, ReadSettings)
  /// Print these lines and end.
  case print([String])
  /// The settings cannot be used: everything that is wrong, a line each.
  case refuse([String])

  init(_ arguments: [String], environment: [String: String]) {
    let outcome = Settings.command.readSettings(arguments, environment: environment) { path in
      NamedFiles.read(path).map { String(decoding: $0, as: UTF8.self) }
    }
    switch outcome {
    case .help(let text): self = .print([text])
    case .read(var read):
      if let name = read.values.string("print") {
        self = .print(printedText(name, of: Settings.command, sections: manualSections))
        return
      }
      // A check of the settings by hand does not see what the service manager gives guardd.
      let folder = environment["CREDENTIALS_DIRECTORY"]
      let isByHand = folder == nil && read.values.flag("check-config")
      let settings = Settings(&read, credentials: isByHand ? .unseen : .folder(folder))
      if !read.faults.isEmpty {
        self = .refuse(read.faults)
      } else if read.values.flag("check-config") {
        self = .print(effective(settings, read))
      } else {
        self = .serve(settings, read)
      }
    }
  }
}

/// The settings in use with their sources, without secrets.
private func effective(_ settings: Settings, _ read: ReadSettings) -> [String] {
  var table = TextTable(columns: ["setting", "value", "from"])
  for option in Settings.command.options where option.isSetting {
    let value: String
    switch option.name {
    case "database": value = (try? settings.connection("").description) ?? ""
    case "listen-database" where read.values.string(option.name) != nil:
      value = (try? settings.listeningConnection("")?.description) ?? ""
    case "channels":
      let hidden = settings.channels.unseen.keys.sorted().map { "\($0) (key not visible here)" }
      value = ([read.values.string("channels") ?? "-"] + settings.channels.names + hidden)
        .joined(separator: " ")
    default:
      value =
        option.kind == nil
        ? (read.values.flag(option.name) ? "yes" : "no") : read.values.string(option.name) ?? "-"
    }
    table.append([option.name, value, read.sources[option.name]?.text ?? "-"])
  }
  return table.lines
}

private let manualSections = [
  ManualSection(
    "FILES",
    "/etc/shiftguard/guardd.conf: the settings of the Debian package, lines of the form "
      + "name = value. Empty lines and lines that begin with # are skipped."),
  ManualSection(
    "CREDENTIALS",
    "A file in $CREDENTIALS_DIRECTORY with the name of a setting gives its value. For a setting "
      + "that is a path it is the file itself. Relative paths in the file of --channels are looked "
      + "for there, then beside that file."),
  ManualSection(
    "PRECEDENCE", "Command line, environment, credentials, file, default."),
  ManualSection(
    "SIGNALS",
    "SIGTERM, SIGINT: serve for the seconds of --drain, during which /readyz answers 503, then "
      + "finish running requests and exit; a second one exits at once.",
    "SIGHUP: read the settings again. Channels with their keys and passwords, and the log level, "
      + "change at once; the log names each other changed setting, which needs a restart."),
  ManualSection(
    "EXIT STATUS",
    "0 stopped; 64 settings refused; 69 cannot start; 70 did not stop in time; "
      + "78 cannot migrate."),
]
