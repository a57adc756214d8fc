import OperationCore
import Postgres
import ShiftStore

func complaint(of error: any Error, at place: ConnectionConfiguration) -> Complaint {
  var complaint = complaint(of: error)
  if complaint.status == .unavailable {
    complaint.text += "; check that it is running and that `--database` is right: \(place)"
  }
  return complaint
}

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
  case .notFound(let what): .notFound("no \(what)\(whereToLook(for: what))")
  case .conflict(let what): Complaint(status: .conflict, text: what)
  case .invalid(let what, _): .usage(what)
  case .unavailable(let detail): unavailable(detail)
  case .outcomeUnknown: outcomeUnknown
  case .unauthorized, .actionIDReused: Complaint(status: .broken, text: "internal error: \(error)")
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

/// The command that lists what exists, for a `what` such as `employee 7`.
private func whereToLook(for what: String) -> String {
  let words = what.split(separator: " ")
  // A policy version belongs to a team, whose number comes last.
  if words.first == "policy" { return ": see `guardctl policy list --team \(words.last ?? "N")`" }
  let noun = listed.first { words.starts(with: $0.split(separator: "-")) }
  return noun.map { ": see `guardctl \($0) list`" } ?? ""
}

private let listed = [
  "team", "employee", "device", "shift", "clock-action", "override", "incident", "token",
  "account", "session", "planned-shift",
]

private func unavailable(_ detail: String) -> Complaint {
  // libpq appends questions; the caller, which knows the place, says what to check.
  let detail = detail.split(separator: "; Is the server").first ?? "no answer"
  return Complaint(status: .unavailable, text: "cannot use the database: \(detail)")
}

private let outcomeUnknown = Complaint(
  status: .unavailable,
  text: "the connection was lost while saving: check whether it was saved before you try again")
