import BackgroundOperations
import Guidance
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension ContactChoices {
  /// What a new contact gets, and the weekly digest.
  package static let withDigest = ContactChoices(topics: [.standard, .weeklyDigest])
}

extension NotificationOperations {
  /// Adds a contact of a team, as the arranger; returns its secret.
  @discardableResult
  package func addContact(
    _ address: String, by way: ContactChannel = .email, language: Language = .english,
    choices: ContactChoices = ContactChoices(), to team: TeamID
  ) async throws -> String? {
    try await addContact(
      address, through: way, language: language, choices: choices, to: team, by: .arranger
    ).get().secret
  }

  /// Removes a contact, as the arranger.
  package func removeContact(
    _ address: String, by way: ContactChannel = .email, from team: TeamID
  ) async throws(OperationError) {
    try await removeContact(address, through: way, from: team, by: .arranger)
  }

  /// Retries dead letters, as the arranger.
  package func retryDeadLetters(of employee: EmployeeID?) async throws(OperationError) -> Int {
    try await retryDeadLetters(of: employee, by: .arranger)
  }

  /// Makes pending notifications due, as the arranger.
  package func retryNotifications(of employee: EmployeeID) async throws(OperationError) -> Int {
    try await retryNotifications(of: employee, by: .arranger)
  }

  /// Sends a test, as the arranger.
  package func sendTest(
    to employee: EmployeeID, at steps: [EscalationStep] = [.inApp, .push, .email]
  ) async throws(OperationError) -> TestNotification {
    try await sendTest(to: employee, at: steps, by: .arranger)
  }

  /// Sends a test to a team's contacts, as the arranger.
  package func sendTest(toManagersOf team: TeamID) async throws(OperationError) -> TestNotification
  {
    try await sendTest(toManagersOf: team, by: .arranger)
  }
}

extension BackgroundOperations {
  /// Decides about `employee` alone, as the delivery does.
  package func decideDeliveries(_ employee: EmployeeID, after results: [SendingResult] = [])
    async throws(OperationError) -> [Sending]
  {
    let decisions = try await decideDeliveries([DeliveryTurn(of: employee, after: results)])
    guard case .send(let sendings) = decisions[0] else {
      preconditionFailure("one employee is alone")
    }
    return sendings
  }
}
