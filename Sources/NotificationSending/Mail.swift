import HTTPSending
import ShiftDomain

package struct MailSettings: Sendable {
  package var server: MailServer
  package var sender: String
  package var senderName: String
  /// The address of the pages for managers, for links; `nil`: mails have none.
  package var pages: String?
  /// From connecting to the last reply. Longer waits would delay other notifications.
  package var deadline = Duration.seconds(60)

  package init(server: MailServer, sender: String, senderName: String) {
    self.server = server
    self.sender = sender
    self.senderName = senderName
  }
}

package struct MailChannel: Sendable {
  /// Short enough for an alert, but longer than most greylisting.
  package static let retryCurve = RetryCurve(
    RetryCurve.doubling(.seconds(300), .seconds(3_600)), chance: 0.2, delayMax: .seconds(3_600))

  private let settings: MailSettings
  private let sender: MailSender
  private let clock: SendingClock

  /// Replies that mean that we have no access, whatever the mail.
  private static let closedToUs = [530, 534, 535, 538]
  /// Replies that mean that a mailbox does not exist, by RFC 3463. A bare 550 may also mean that
  /// the server dislikes the mail, so it is not enough to remove an address.
  private static let goneMailboxes: Set = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]
  private static let badSenders: Set = ["5.1.7", "5.1.8"]

  package init(_ settings: MailSettings, sender: MailSender, clock: SendingClock) {
    self.settings = settings
    self.sender = sender
    self.clock = clock
  }

  /// Sends the notification to the server once. A repetition is identical to the byte, including
  /// its `Message-ID`, so that mail programs that recognise it show it once.
  package func send(_ notification: OutgoingNotification, to address: String) async -> SendOutcome {
    if let refusal = notification.refusal(at: clock.now()) { return refusal }
    guard isMailAddress(settings.sender), !hasControls(settings.senderName) else {
      return .misconfigured(reason: "the sender is no mail address")
    }
    guard isMailAddress(address) else { return .addressGone(reason: "no mail address", at: nil) }
    guard !hasControls(notification.title) else {
      return .refused(reason: "the title holds a control character")
    }
    let mail = OutgoingMail(
      server: settings.server, sender: settings.sender, recipient: address,
      content: mailContent(
        notification, from: settings.sender, named: settings.senderName, to: address),
      deadline: settings.deadline)
    do throws(SendingError) {
      return outcome(try await sender.send(mail))
    } catch {
      return SendOutcome(error)
    }
  }

  private func outcome(_ reply: MailReply) -> SendOutcome {
    let detail = reply.enhancedStatus ?? ""
    let reason = "status \(reply.status)" + (detail.isEmpty ? "" : " \(detail)")
    switch reply.status {
    case ..<400: return .accepted(reference: nil)
    case ..<500: return .retry(reason: reason, after: nil)
    case _ where Self.closedToUs.contains(reply.status) || Self.badSenders.contains(detail):
      return .misconfigured(reason: reason)
    case _ where Self.goneMailboxes.contains(detail):
      return .addressGone(reason: reason, at: nil)
    default: return .refused(reason: reason)
    }
  }
}

/// Whether `text` is a plain ASCII address, without quotes, comments or a name.
private func isMailAddress(_ text: String) -> Bool {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  return parts.count == 2 && (1...64).contains(parts[0].utf8.count)
    && (1...189).contains(parts[1].utf8.count)
    && text.utf8.allSatisfy { byte in
      (0x21...0x7E).contains(byte) && !"\"(),:;<>[\\]/".utf8.contains(byte)
    }
}

private func hasControls(_ text: String) -> Bool {
  text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}
