import OperationCore

/// Use cases about notifications, the contacts of teams, and the health of the channels.
package struct NotificationOperations: Sendable {
  let core: OperationCore

  package init(core: OperationCore) { self.core = core }
}
