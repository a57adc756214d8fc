import HTTPAPI
import HTTPServing
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension PageController {
  func browsers(of account: AccountID) async throws -> [AccountBrowser] {
    try await operations.notifications.browsers(of: account)
  }

  /// Switches alerts on in the browser that has sent `fields`.
  /// - Returns: Why not; `nil` if they are on.
  func addBrowser(
    _ fields: FormFields, named userAgent: String, of account: AccountID, in session: SessionID,
    by principal: Principal
  ) async throws -> HTML? {
    let target = PushTarget(
      endpoint: fields["endpoint"], p256dh: fields["p256dh"], auth: fields["auth"],
      at: settings.now())
    do {
      try await operations.notifications.addBrowser(
        target, named: userAgent, of: account, in: session, by: principal
      ).get()
      return nil
    } catch let error as Refusal {
      return error.html
    }
  }

  func removeBrowser(_ number: Int16, of account: AccountID, by principal: Principal) async throws {
    try await operations.notifications.removeBrowser(number, of: account, by: principal)
  }
}
