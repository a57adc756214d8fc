import CommandParsing
import Foundation
import HTTPSending
import ServiceSettings

/// Whether the settings of guardd are right, its keys can be read, and its mail server answers.
/// Contacts nothing but the mail server, and sends nothing to anybody.
struct ChannelChecks {
  var settings: ReadSettings?
  var file: String
  /// The folder of credentials of the service manager.
  var credentials: String?

  func checks() async -> [HealthCheck] {
    guard let settings else { return [] }
    let faults = settings.faults.filter { !$0.contains("`--database`") }
    let configuration: [HealthCheck] =
      faults.isEmpty
      ? [sources]
      : faults.map { .fail("settings", $0, "correct it: `guardctl config show` lists them all") }
    guard let path = settings.values.string("channels") else {
      let words = "no file of channels is set: nothing is sent by push or e-mail"
      return configuration + [.warn("channels", words, "set `channels` in \(file)")]
    }
    do {
      let channels = try ChannelSettings(file: path, credentials: credentials)
      return configuration + keys(of: channels) + [await mail(channels)]
    } catch {
      return configuration
        + error.descriptions.map {
          .fail("channels", $0, "correct it, or run this as the user of guardd")
        }
    }
  }

  private var sources: HealthCheck {
    let files = FileManager.default
    if files.isReadableFile(atPath: file) { return .ok("settings", "read from \(file)") }
    return files.fileExists(atPath: file)
      ? .warn("settings", "\(file) cannot be read", "run this as the user of guardd")
      : .ok("settings", "only the environment and defaults: there is no \(file)")
  }

  private func keys(of channels: ChannelSettings) -> [HealthCheck] {
    let names = channels.names.filter { $0 != "email" }
    return names.isEmpty
      ? [.warn("push", "no push service is set up", "see notifications.md, the file of channels")]
      : [.ok("push", "keys of \(names.joined(separator: ", ")) can be read")]
  }

  private func mail(_ channels: ChannelSettings) async -> HealthCheck {
    guard let server = channels.mail?.server else {
      return .warn(
        "e-mail", "no mail server is set up", "see notifications.md, the file of channels")
    }
    let place = "\(server.host):\(server.port)"
    do {
      let reply = try await MailSender(mailsMax: 1).send(
        .greeting(of: server, deadline: .seconds(5)))
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
