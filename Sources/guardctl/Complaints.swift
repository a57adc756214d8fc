import Postgres
import ShiftOperations
import ShiftStore

/// What the user is told of `error`: one line, with what to do next.
func complaint(of error: any Error) -> Complaint {
  switch error {
  case let complaint as Complaint: complaint
  case let error as OperationError: complaint(of: error)
  case let error as PostgresError: complaint(of: error)
  case let error as MigrationError: .usage("\(error)")
  default: Complaint(status: .broken, text: "internal error: \(type(of: error))")
  }
}

private func complaint(of error: OperationError) -> Complaint {
  switch error {
  case .notFound(let what): .notFound("no \(what)")
  case .conflict(let what): Complaint(status: .conflict, text: what)
  case .invalid(let what): .usage(what)
  case .unavailable(let detail): unavailable(detail)
  case .outcomeUnknown: outcomeUnknown
  case .unauthorized, .attemptReused: Complaint(status: .broken, text: "internal error: \(error)")
  case .broken(let detail): Complaint(status: .broken, text: "internal error: \(detail)")
  }
}

private func complaint(of error: PostgresError) -> Complaint {
  switch error {
  case .unavailable(let detail): unavailable(detail)
  case .retryTransaction, .cancelled: unavailable("\(error)")
  case .outcomeUnknown: outcomeUnknown
  case .constraint, .broken: Complaint(status: .broken, text: "internal error: \(error)")
  case .unstorable(let detail): .usage(detail)
  }
}

private func unavailable(_ detail: String) -> Complaint {
  Complaint(
    status: .unavailable,
    text: "cannot use the database: \(detail); is it running, and is --database right?")
}

private let outcomeUnknown = Complaint(
  status: .unavailable,
  text: "the connection broke while saving: look whether it was done before you try again")
