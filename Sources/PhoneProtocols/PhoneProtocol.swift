import ShiftDomain

/// The protocol of an existing phone app: reads its bodies, and answers in its language.
///
/// All of it is pure and total: whatever a phone sends, there is a reading. Who sent it is settled
/// before, by the token; what is stored is settled afterwards, by the same rules as for our own
/// apps. After authentication a phone is always answered with the success of `answer`, because a
/// refusal makes some apps delete their data and others stop sending; overload is a 503.
package protocol PhoneProtocol: Sendable {
  static var app: PhoneApp { get }

  /// Whether and when the app reports its permission.
  static var permissionReports: PermissionReporting { get }

  /// What the phone gives as its token; `nil`: nothing. Not checked in any way.
  static func token(in request: PhoneRequest) -> String?

  /// Every record that is understood, and every piece that is not.
  static func read(_ request: PhoneRequest) -> PhoneReading

  /// Reads what was quarantined of an earlier request: a whole body or query, or one item of a list
  /// as JSON. Its token is blanked out.
  static func read(quarantined content: [UInt8], receivedAt: Instant) -> PhoneReading

  /// The success that the app needs to let go of its data, with those of `commands` that it knows.
  static func answer(to reading: PhoneReading, _ commands: [PhoneCommand]) -> PhoneAnswer

  /// How an employee connects the app.
  static func setup(for account: PhoneAccount) -> PhoneSetup
}

extension PhoneProtocol {
  /// As `read`, with the token of the request blanked out of what is not understood: that is kept,
  /// and its readers must not be able to send as this phone.
  package static func readWithoutToken(_ request: PhoneRequest) -> PhoneReading {
    var reading = read(request)
    if !reading.quarantined.isEmpty, let token = token(in: request) { reading.redact(token) }
    return reading
  }

  package static func read(quarantined content: [UInt8], receivedAt: Instant) -> PhoneReading {
    read(PhoneRequest(body: content, receivedAt: receivedAt))
  }
}

extension PhoneApp {
  /// What it speaks.
  package var language: any PhoneProtocol.Type {
    switch self {
    case .ownTracks: OwnTracks.self
    case .overland: Overland.self
    case .traccar: TraccarClient.self
    case .transistorsoft: Transistorsoft.self
    }
  }
}

package enum PermissionReporting: Hashable, Sendable {
  /// Never: silence and the app's events are the only evidence.
  case never
  /// After `PhoneCommand.reportPermission`.
  case onRequest
  /// When it changes.
  case onChange
}
