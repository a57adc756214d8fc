import CommandParsing
import Foundation
import HTTPSending
import JSONText
import ServiceSettings

/// Whether the settings of guardd are right, its keys can be read, and its mail server answers.
/// Contacts nothing but the mail server, and sends nothing to anybody.
struct ChannelChecks {
  var settings: InstalledSettings
  /// Whether this user may read a file.
  var canRead: (String) -> Bool = { FileManager.default.isReadableFile(atPath: $0) }
  /// How long the mail server may take to answer.
  var patience = Duration.seconds(5)

  func checks() async -> [HealthCheck] {
    // That no database is set is said where the database is examined.
    let faults = settings.read.faults.filter { !$0.hasPrefix("`--database` is missing") }
    let configuration: [HealthCheck] =
      faults.isEmpty
      ? [sources]
      : faults.map { fault in
        .fail(
          "settings", fault,
          "correct it, or run this as the user of guardd; `guardctl config show` lists all")
      }
    guard settings.read.values.string("channels") != nil else {
      return configuration + [noChannels]
    }
    // What is wrong with the file is among the faults.
    guard settings.read.fault(of: "channels") == nil else { return configuration }
    let channels = settings.checked.channels
    return configuration + keys(of: channels) + [await mail(channels)]
  }

  private var noChannels: HealthCheck {
    let place = "set `channels` in \(settings.file)"
    return settings.credentials == .unseen
      ? .warn(
        "channels", "no file of channels is visible here",
        "\(place), unless a credential of the service sets it: see Settings › Channels")
      : .warn(
        "channels", "no file of channels is set: nothing is sent by push or e-mail", place)
  }

  private var sources: HealthCheck {
    let file = settings.file
    if canRead(file) { return .ok("settings", "read from \(file)") }
    return FileManager.default.fileExists(atPath: file)
      ? .warn("settings", "\(file) cannot be read", "run this as the user of guardd")
      : .ok("settings", "only the environment and defaults: there is no \(file)")
  }

  private func keys(of channels: ChannelSettings) -> [HealthCheck] {
    let names = channels.names.filter { $0 != "email" }
    let unseen = channels.unseen.keys.filter { $0 != "email" }.sorted()
    guard !names.isEmpty || !unseen.isEmpty else {
      return [
        .warn("push", "no push service is set up", "see notifications.md, the file of channels")
      ]
    }
    let read = names.isEmpty ? [] : ["keys of \(names.joined(separator: ", ")) can be read"]
    let hidden =
      unseen.isEmpty
      ? []
      : ["keys of \(unseen.joined(separator: ", ")) are not visible here: guardd checks them"]
    return (read + hidden).map { .ok("push", $0) }
  }

  private func mail(_ channels: ChannelSettings) async -> HealthCheck {
    if channels.unseen["email"] != nil {
      return .ok("e-mail", "the password is not visible here: guardd checks that it is there")
    }
    guard let server = channels.mail?.server else {
      return .warn(
        "e-mail", "no mail server is set up", "see notifications.md, the file of channels")
    }
    let place = "\(server.host):\(server.port)"
    do {
      let reply = try await MailSender(mailsMax: 1).send(
        .greeting(of: server, deadline: patience))
      guard reply.status >= 400 else {
        return .ok("e-mail", "\(place) answers with \(reply.status)")
      }
      return .fail(
        "e-mail", "\(place) refuses with \(reply.status)", "check `user` and `passwordFile`")
    } catch {
      return .fail("e-mail", "\(place): \(error)", "check host, port and protection, or a firewall")
    }
  }
}
