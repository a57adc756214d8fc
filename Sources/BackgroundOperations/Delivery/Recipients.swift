import Guidance
import NotificationQueue
import ReadModels
import ShiftDomain

/// The destination of a notification.
package enum Address: Hashable, Sendable {
  case push(PushTarget)
  /// Any other address, such as a mailbox or a URL, and the secrets that sign what is sent to it.
  case other(Channel, String, secrets: [[UInt8]])

  package static func email(_ address: String) -> Address { .other(.email, address, secrets: []) }

  package var channel: Channel {
    switch self {
    case .push(let target): target.channel
    case .other(let channel, _, _): channel
    }
  }
}

struct Recipient {
  let number: Int16
  /// The contact that is notified; `nil`: the employee is.
  var contact: Int16?
  let address: Address
  let language: Language
  /// Since when the address is known; `nil`: for a long time.
  var since: Instant?
  /// When the quiet hours end in which a contact is now; `nil` outside them.
  var quietEnd: Instant?
  /// Whether the notification waits for that end.
  var waits = true
}

extension DeliveryFacts {
  /// The recipients of the notification `id` at `step`.
  func recipients(at step: EscalationStep, of id: NotificationID) -> [Recipient] {
    if let device = id.testedDevice {
      return step == .push ? recipients(of: addresses.pushes.filter { $0.device == device }) : []
    }
    // Which of the phones the employee is about to use is not known.
    if id.topic == .clockInAllowed, step == .push {
      return recipients(of: addresses.pushes.filter { !$0.isMuted })
    }
    let all = recipients(at: step, before: id)
    guard let contact = id.onlyContact else { return all }
    guard id.topic != .weeklyDigest || isWanted(id, by: contact) else { return [] }
    return all.filter { step == .managers && $0.contact == contact }
  }

  /// Whether the contact still gets the digest.
  private func isWanted(_ id: NotificationID, by contact: Int16) -> Bool {
    digest(of: id) != nil
      && addresses.contacts.contains {
        $0.number == contact && (id.isDigestCopy || $0.gets(.weeklyDigest))
      }
  }

  /// The contacts that have chosen what `id` is about.
  private func contacts(for id: NotificationID) -> [TeamContact] {
    addresses.contacts.filter { contact in
      guard let topic = id.topic.contactTopic, !id.isDigestCopy else { return true }
      return contact.gets(topic)
    }
  }

  /// Where `contact` gets `id`: the end of an alarm wherever the alarm was, whatever was chosen
  /// since; a digest, which is long, by e-mail.
  private func recipients(of id: NotificationID, for contact: TeamContact) -> [Recipient] {
    let isAsked = id.topic == .test || id.isDigestCopy
    let passes = isUrgent(id) && contact.choices.quiet?.letsUrgentPass == true
    func recipient(_ number: Int16, _ address: Address, since: Instant? = nil) -> Recipient {
      Recipient(
        number: number, contact: contact.number, address: address,
        language: Language(code: contact.language) ?? .english, since: since,
        quietEnd: quietEnd(of: contact), waits: !isAsked && !passes)
    }
    let own = recipient(
      contact.number, .other(contact.channel, contact.address, secrets: contact.secrets))
    guard id.topic != .weeklyDigest else { return [own] }
    let ways = addresses.ways(to: contact)
    let browsers = id.topic == .restored ? addresses.browsers(of: contact) : ways.browsers
    let all =
      (ways.isOwn || id.topic == .restored ? [own] : [])
      + browsers.map {
        recipient($0.recipient, .push($0.target), since: $0.target.registeredAt)
      }
    return id.topic == .restored ? all.filter { isToEnd(id, forContact: $0.number) } : all
  }

  private func recipients(at step: EscalationStep, before id: NotificationID) -> [Recipient] {
    switch step {
    case .inApp: []
    case .push: recipients(of: pushes(before: id))
    case .email:
      addresses.email.map {
        [Recipient(number: 0, address: .email($0), language: language)]
      } ?? []
    case .managers:
      contacts(for: id).flatMap { recipients(of: id, for: $0) }
    }
  }

  private func recipients(of pushes: [PushAddress]) -> [Recipient] {
    pushes.map { push in
      Recipient(
        number: push.device, address: .push(push.target),
        language: push.language.flatMap { Language(code: $0) } ?? language,
        since: push.target.registeredAt)
    }
  }

  /// The devices to push to: the tracking device and, if it is silent or an app from a store, which
  /// shows none of our notifications, the others too; never a device that shows no notifications.
  /// The end of a silence goes wherever its alarm went.
  private func pushes(before id: NotificationID) -> [PushAddress] {
    let isSilent = employee.state.incidents.contains { $0.kind == .noContact }
    let goesToAll = isSilent || device?.phoneApp != nil
    return addresses.pushes.filter { push in
      !push.isMuted
        && (goesToAll || push.device == device?.device.number
          || id.topic == .restored && showsSilence(push.device, before: id))
    }
  }

  private var language: Language {
    let others = addresses.pushes.compactMap(\.language)
    return ([device?.language].compactMap { $0 } + others).compactMap { Language(code: $0) }.first
      ?? .english
  }
}
