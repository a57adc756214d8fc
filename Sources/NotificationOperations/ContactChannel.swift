import ManagerCore
import ReadModels
import ShiftDomain

/// A channel to a team's contacts: what commands and errors call it, and which addresses it takes.
package struct ContactChannel: Sendable {
  package let channel: Channel
  /// As in `guardctl team add-webhook`.
  package let noun: String
  /// `noun` in full, for help.
  package let title: String
  /// The address in commands and JSON.
  package let field: String
  /// What an address must be.
  package let form: String
  /// What the field of an address is called.
  package let label: String
  /// What its receiver is and gets, in full sentences; empty where everybody knows.
  package let about: String
  /// Whether a contact gets a secret that signs what is sent to it.
  package let hasSecret: Bool
  /// Whether the path of an address is often its credential, so that only administrators see it.
  let hasSecretPath: Bool
  let accepts: @Sendable (String) -> Bool
  /// The actions of audit entries, which do not name the address.
  let added: AuditAction
  let removed: AuditAction

  package static let all = Channel.allCases.compactMap { ContactChannel($0) }

  package static let email = ContactChannel(
    channel: .email, noun: "contact", title: "notification contact", field: "email",
    form: "an e-mail address", label: "E-mail address", about: "", hasSecret: false,
    hasSecretPath: false,
    accepts: isAddress, added: .contactAdded, removed: .contactRemoved)

  package static let webhook = ContactChannel(
    channel: .webhook, noun: "webhook", title: "webhook", field: "url", form: "an https URL",
    label: "URL",
    about: "A program that receives the notifications as JSON. Its secret is shown once.",
    hasSecret: true, hasSecretPath: true, accepts: isWebhookURL,
    added: .webhookAdded, removed: .webhookRemoved)

  package static let chat = ContactChannel(
    channel: .chat, noun: "chat-webhook", title: "chat webhook", field: "url",
    form: "an https URL", label: "URL",
    about: """
      A channel of Slack, Mattermost or another chat that has an incoming webhook. It gets the \
      text and a link, and no place.
      """, hasSecret: false, hasSecretPath: true,
    accepts: isWebhookURL, added: .webhookAdded, removed: .webhookRemoved)
}

extension ContactChannel {
  /// `nil` for a channel to phones, which register their addresses themselves.
  package init?(_ channel: Channel) {
    switch channel {
    case .apns, .fcm, .webPush: return nil
    case .email: self = .email
    case .webhook: self = .webhook
    case .chat: self = .chat
    }
  }
}

/// `https://…` in ASCII, up to 2,048 characters.
private func isWebhookURL(_ url: String) -> Bool {
  url.hasPrefix("https://") && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    && (9...2_048).contains(url.utf8.count)
}
