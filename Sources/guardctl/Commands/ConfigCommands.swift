import CommandParsing
import Foundation
import JSONText
import Postgres
import ServiceSettings

let configCommands = Group(
  "config", "the settings of guardd, and where each comes from", brief: "settings, sources",
  Leaf(
    Command(
      "show", "show the settings with their sources, without secrets",
      footer: """
        As a guardd with this environment and the file of this machine would read them: \
        /etc/shiftguard/guardd.conf, or $SHIFTGUARD_CONFIG. Exit 64: a setting is wrong.
        """),
    .local(showConfig)
  ).listed(aliases: ["list", "ls"]))

private func showConfig(_ call: Invocation) async throws -> any Answer {
  guard let settings = call.serviceSettings else { throw Complaint.usage("no settings") }
  return SettingsListing(installed: settings)
}

private struct SettingsListing: Answer {
  var installed: InstalledSettings

  private var settings: ReadSettings { installed.read }

  private var shownOptions: [Option] { serviceCommand.options.filter(\.isSetting) }

  func lines(on surface: Surface) -> [String] {
    shownOptions.map { option in
      [
        Field("setting", .text(option.name)),
        Field("value", FieldValue(value(option))),
        Field("from", FieldValue(settings.sources[option.name]?.text)),
      ]
    }.lines(on: surface)
  }

  func notes(on surface: Surface) -> [String] {
    let isRead = FileManager.default.isReadableFile(atPath: installed.file)
    let unread = "\(installed.file) cannot be read: only the environment and defaults are shown."
    let unseen = installed.checked.channels.unseen.values.sorted()
    return (isRead ? [] : [unread]) + settings.faults
      + unseen.map { "channels: \($0): it may be a credential of the service" }
  }

  var json: JSONValue {
    JSONValue(shownOptions) { option in
      [
        "setting": .string(option.name),
        "value": value(option).map { .string($0) },
        "source": (settings.sources[option.name]?.text).map { .string($0) },
      ]
    }
  }

  var exitStatus: ExitStatus { settings.faults.isEmpty ? .done : .usage }

  private func value(_ option: Option) -> String? {
    if option.kind == nil { return settings.values.flag(option.name) ? "yes" : "no" }
    guard let text = settings.values.string(option.name) else { return nil }
    switch option.name {
    // A URL may hold a password, or a key in its path.
    case "database", "listen-database":
      return (try? ConnectionConfiguration(text, applicationName: "guardctl"))?.description
        ?? "(set)"
    case "traces": return "(set)"
    default: return text
    }
  }
}
