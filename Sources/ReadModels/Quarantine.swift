import ShiftDomain

/// What a phone app sent and could not be read, kept for administrators.
package struct QuarantinedMessage: Hashable, Sendable {
  /// A longer body is not stored.
  package static let bytesMax = 16_384
  /// Of one device; older ones are deleted.
  package static let keptMax: Int32 = 100

  package var receivedAt: Instant
  package var app: PhoneApp
  /// Why it could not be read, without anything that it contains; 1…200 characters.
  package var reason: String
  /// Of the whole body.
  package var byteCount: Int32

  package init(receivedAt: Instant, app: PhoneApp, reason: String, byteCount: Int32) {
    self.receivedAt = receivedAt
    self.app = app
    self.reason = reason
    self.byteCount = byteCount
  }
}
