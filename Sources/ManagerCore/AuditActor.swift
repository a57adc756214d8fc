import OperationCore
import ShiftDomain

/// A logged-in account, the holder of an API token, or the operator at the command line.
package struct AuditActor: Hashable, Sendable {
  /// The name of the token or operator; 1…100 characters, no U+0000.
  package var name: String
  /// The actor's own employee number, so that they cannot override their own block. `nil` for
  /// tokens and operators, which are not employees.
  package var employee: EmployeeID?

  package init(name: String, employee: EmployeeID? = nil) {
    self.name = name
    self.employee = employee
  }

  package func check(reason: String?) throws(OperationError) {
    guard isKept(name, max: 100) else {
      throw .invalid("the actor's name must have 1 to 100 characters and must not be blank")
    }
    if let reason, !isKept(reason, max: 500) {
      throw .invalid("a reason must have 1 to 500 characters and must not be blank")
    }
  }
}

private func isKept(_ text: String, max: Int) -> Bool {
  !text.allSatisfy { $0.isWhitespace } && !text.contains("\0") && text.unicodeScalars.count <= max
}
