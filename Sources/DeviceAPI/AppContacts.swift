import DeviceOperations
import Lifecycle
import PhoneProtocols
import ShiftDomain

/// The last contacts of phone apps, as this instance remembers them: when an app is worth asking
/// for its permissions, whether it knows that a shift has begun or ended, and whether an arrival
/// waits for its permission. If an instance forgets, it asks once more. Messages of one phone may
/// go to several instances.
final class AppContacts: Sendable {
  private struct Contact {
    var isTracking: Bool
    var askedAt: Instant?
    var hasWaitingArrival: Bool
    /// When this instance last looked whether an arrival waits.
    var lookedAt: Instant

    /// How long what it saw then is believed: another instance may be told of an arrival. During a
    /// shift there is hardly one.
    var lookInterval: TimeSpan { isTracking ? .minutes(10) : .minutes(1) }
  }

  private static let contactsMax = 100_000

  /// By token: with the number of an erased employee, another one's phone gets its device's number.
  private let contacts = Lock<[DeviceCredential: Contact]>([:])

  /// Whether it is worth looking for an arrival that waits.
  func mayHaveWaitingArrival(of device: DeviceCredential, at now: Instant) -> Bool {
    contacts.withLock { contacts in
      guard let contact = contacts[device] else { return true }
      return contact.hasWaitingArrival || now - contact.lookedAt >= contact.lookInterval
    }
  }

  /// Notes a contact, and says what the app should know.
  /// - Parameters:
  ///   - arrival: What became of an arrival by this message; `nil`: nothing.
  ///   - hasLooked: Whether it was looked for an arrival that waits.
  ///   - mayAsk: Whether its message is one that may be answered with a question.
  func note(
    _ device: DeviceCredential, isTracking: Bool, _ arrival: ArrivalState?, hasLooked: Bool,
    mayAsk: Bool, at now: Instant
  ) -> AppNews {
    contacts.withLock { contacts in
      let last = contacts[device]
      let hasChanged = last.map { $0.isTracking != isTracking } ?? isTracking
      var askedAt = last?.askedAt
      let isDue =
        hasChanged || arrival == .waits
        || PhoneCommand.isReportDue(lastAskedAt: askedAt, now: now)
      let asks = mayAsk && isDue
      if asks { askedAt = now }
      if contacts.count >= Self.contactsMax { contacts.removeAll() }
      contacts[device] = Contact(
        isTracking: isTracking, askedAt: askedAt,
        hasWaitingArrival: arrival.map { $0 == .waits } ?? last?.hasWaitingArrival ?? false,
        lookedAt: hasLooked ? now : last?.lookedAt ?? now)
      return AppNews(
        asksForPermissions: asks, asksForFix: arrival == .decided(isTracking: true),
        isTracking: isTracking, hasChanged: hasChanged)
    }
  }
}

/// What an app may be told with the answer to its message.
struct AppNews: Hashable {
  var asksForPermissions: Bool
  /// Whether a shift began by its arrival, whose first position should come soon.
  var asksForFix: Bool
  /// Whether it must send positions now.
  var isTracking: Bool
  /// Whether that is new.
  var hasChanged: Bool
}
