import Lifecycle
import PhoneProtocols
import ShiftDomain

/// The last contacts of phone apps, as this instance remembers them: when an app is worth asking
/// for its permissions, and whether it knows that a shift has begun or ended.
final class AppContacts: Sendable {
  private struct Contact {
    var isTracking: Bool
    var askedAt: Instant?
  }

  private static let contactsMax = 100_000

  private let contacts = Lock<[DeviceID: Contact]>([:])

  /// Notes a contact, and says what the app should know.
  /// - Parameter mayAsk: Whether its message is one that may be answered with a question.
  func note(_ device: DeviceID, isTracking: Bool, mayAsk: Bool, at now: Instant) -> AppNews {
    contacts.withLock { contacts in
      let last = contacts[device]
      let hasChanged = last.map { $0.isTracking != isTracking } ?? isTracking
      var askedAt = last?.askedAt
      let isDue = hasChanged || PhoneCommand.isReportDue(lastAskedAt: askedAt, now: now)
      let asks = mayAsk && isDue
      if asks { askedAt = now }
      if contacts.count >= Self.contactsMax { contacts.removeAll() }
      contacts[device] = Contact(isTracking: isTracking, askedAt: askedAt)
      return AppNews(asksForPermissions: asks, isTracking: isTracking, hasChanged: hasChanged)
    }
  }
}

/// What an app may be told with the answer to its message.
struct AppNews: Hashable {
  var asksForPermissions: Bool
  /// Whether it must send positions now.
  var isTracking: Bool
  /// Whether that is new.
  var hasChanged: Bool
}
