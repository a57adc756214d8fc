import OperationCore

/// Use cases about the installation as a whole: accounts, sessions, API tokens, the audit log,
/// retention, backups and quarantined messages.
package struct InstallationOperations: Sendable {
  let core: OperationCore
  let passwords: PasswordWork

  package init(core: OperationCore, passwords: PasswordWork) {
    self.core = core
    self.passwords = passwords
  }
}
