import Cryptography
import NotificationSending
import Postgres
import ServiceSettings
import ShiftStore

extension Settings {
  /// Web Push without a configured key: with the one that the first instance made, which is in the
  /// database. `nil` if nobody is named whom push services may contact.
  func madeWebPush(_ pool: Pool) async throws(PostgresError) -> WebPushSettings? {
    guard let contact = pushContact else { return nil }
    let number = try await pool.transaction { (session) throws(PostgresError) in
      try webPushKey(orStore: EllipticPrivateKey.randomNumber(), on: &session)
    }
    return EllipticPrivateKey(number: number).map { WebPushSettings(key: $0, contact: contact) }
  }

  /// Push services want to know the sender, as an address of a page or a mailbox.
  private var pushContact: String? {
    if let publicURL, publicURL.hasPrefix("https://") { return publicURL }
    return channels.mail.map { "mailto:\($0.sender)" }
  }
}
