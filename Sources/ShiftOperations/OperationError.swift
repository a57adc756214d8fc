/// Why an operation has no answer, sorted by what the caller can do.
public enum OperationError: Error, Hashable, Sendable {
  /// The token is unknown, revoked or expired.
  case unauthorized
  /// The database is away, others changed the same employee three times in a row, or they hold a
  /// table that is wanted alone: nothing was written, and the same request may be sent again.
  case unavailable(detail: String)
  /// COMMIT was sent and its answer never came: the same request may be sent again, and its
  /// `attemptId`, sequence or key finds what was done.
  case outcomeUnknown
  /// There is no such thing: an employee, a team, a device, a shift, an enrolment code.
  case notFound(String)
  /// It is there already, or in the way: a name, a number, an overlapping shift.
  case conflict(String)
  /// A value is out of range; the text says which, or what is wrong with the one that `at`, a JSON
  /// Pointer into the request's body, leads to.
  case invalid(String, at: String = "")
  /// This `attemptId` was used for another request.
  case attemptReused
  /// Our bug. The detail is safe to log.
  case broken(detail: String)
}
