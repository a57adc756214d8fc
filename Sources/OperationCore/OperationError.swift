import ShiftDomain

/// Why an operation has no answer, sorted by what the caller can do.
package enum OperationError: Error, Hashable, Sendable {
  /// The token is unknown, revoked or expired.
  case unauthorized
  /// The database cannot be reached, the same employee was changed by others three times in a row,
  /// or a table is locked by another transaction: nothing was written, and the same request may be
  /// sent again.
  case unavailable(detail: String)
  /// COMMIT was sent and its answer was lost: the same request may be sent again, and its
  /// `actionId`, sequence or key finds what was done.
  case outcomeUnknown
  /// The object does not exist: an employee, a team, a device, a shift, an enrolment code.
  case notFound(String)
  /// It already exists or conflicts: a name, a number, an overlapping shift.
  case conflict(String)
  /// A value is out of range; the text says which one, or what is wrong with the value at `at`, a
  /// JSON Pointer into the request's body.
  case invalid(String, at: String = "")
  /// An employee who is inactive can neither work nor be prepared for it.
  case inactive(EmployeeID)
  /// This `actionId` was already used for another request.
  case actionIDReused
  /// As many clock actions of the employee as may wait for a manager's review do: this one is not
  /// kept. The same request may be sent again when some of them are reviewed.
  case tooManyWaiting
  /// Our bug. The detail is safe to log.
  case broken(detail: String)
}

extension OperationError: CustomStringConvertible {
  /// For log lines and operators.
  package var description: String {
    switch self {
    case .unauthorized: "unauthorized"
    case .unavailable(let detail): "unavailable: \(detail)"
    case .outcomeUnknown: "unavailable: connection lost while committing, outcome unknown"
    case .notFound(let what): "not found: \(what)"
    case .conflict(let what): "conflict: \(what)"
    case .invalid(let what, _): "invalid: \(what)"
    case .inactive(let employee): "employee \(employee.rawValue) is inactive"
    case .actionIDReused: "this actionId was used for another request"
    case .tooManyWaiting: "too many clock actions wait for review"
    case .broken(let detail): "broken: \(detail)"
    }
  }
}

extension OperationError {
  /// Whether it says nothing about the request itself.
  package var isUnavailable: Bool {
    switch self {
    case .unavailable, .outcomeUnknown: true
    default: false
    }
  }

  package static func employeeNotFound(_ employee: EmployeeID) -> OperationError {
    .notFound("employee \(employee.rawValue)")
  }

  package static func deviceNotFound(_ device: DeviceID) -> OperationError {
    .notFound("device \(device.number) of employee \(device.employee.rawValue)")
  }

  package static func shiftNotFound(_ shift: ShiftID) -> OperationError {
    .notFound("shift \(shift.number) of employee \(shift.employee.rawValue)")
  }
}
