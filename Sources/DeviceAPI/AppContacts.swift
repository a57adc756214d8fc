import DeviceOperations
import Lifecycle
import PhoneProtocols
import ShiftDomain

/// The last contacts of phone apps, as this instance remembers them: when an app is worth asking
/// for its permissions, whether it knows that a shift has begun or ended, and whether an arrival
/// waits for its permission. What an instance forgets costs a question more.
final class AppContacts: Sendable {
  private struct Contact {
    var isTracking: Bool
    var askedAt: Instant?
    var hasWaitingArrival: Bool
  }

  private static let contactsMax = 100_000

  private let contacts = Lock<[DeviceID: Contact]>([:])

  func hasWaitingArrival(of device: DeviceID) -> Bool {
    contacts.withLock { $0[device]?.hasWaitingArrival ?? false }
  }

  /// Notes a contact, and says what the app should know.
  /// - Parameters:
  ///   - arrival: What became of an arrival by this message; `nil`: nothing.
  ///   - mayAsk: Whether its message is one that may be answered with a question.
  func note(
    _ device: DeviceID, isTracking: Bool, _ arrival: ArrivalState?, mayAsk: Bool, at now: Instant
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
        hasWaitingArrival: arrival.map { $0 == .waits } ?? last?.hasWaitingArrival ?? false)
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
