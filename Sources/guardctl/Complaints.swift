import OperationCore
import PeopleOperations
import Postgres
import ShiftStore

func complaint(of error: any Error, at place: ConnectionConfiguration) -> Complaint {
  var complaint = complaint(of: error)
  if complaint.status == .unavailable {
    complaint.text += "; \(remedy(for: complaint)): \(place)"
  }
  return complaint
}

/// What to do when the database cannot be used.
func remedy(for complaint: Complaint) -> String {
  DatabaseCause(complaint.text)?.remedy ?? "check that it is running, and the address"
}

func complaint(of error: any Error) -> Complaint {
  switch error {
  case let complaint as Complaint: complaint
  case let refusal as Refusal: complaint(of: refusal)
  case let error as OperationError: complaint(of: error)
  case let error as PostgresError: complaint(of: error)
  case let error as MigrationError: .usage("\(error)")
  default: Complaint(status: .broken, text: "internal error: \(type(of: error))")
  }
}

private func complaint(of refusal: Refusal) -> Complaint {
  let status: ExitStatus =
    switch refusal.kind {
    case .invalid: .usage
    case .unknown, .notFound: .notFound
    case .conflict, .changed, .forbidden, .loginRefused, .throttled: .conflict
    }
  return Complaint(status: status, text: refusal.sentence + (nextStep(after: refusal) ?? ""))
}

/// What only the command line can add: the option or the command that helps.
private func nextStep(after refusal: Refusal) -> String? {
  switch (refusal.code, refusal.subject) {
  case ("needs_correction", _): ": use `guardctl shift correct --clock-action`"
  case ("device_revoked", _), ("too_long", _), ("later_shift_open", _): ": add `--end`"
  case (numberUsedCode, _): ": add `--reuse-number`"
  case ("shift_open", .shift(let shift)):
    ", or add `--end-shift`: see `guardctl shift show \(shift.text)`"
  case (_, .shift(let shift)): ": see `guardctl shift show \(shift.text)`"
  case (_, .clockAction(let row)): ": see `guardctl clock-action show \(row.text)`"
  case (_, .plannedShift(let other)):
    ", \(other.text), from \(other.span.start.text) to \(other.span.end.text)"
  case (_, .absence(let other)):
    ", \(other.text), from \(other.span.start.text) to \(other.span.end.text)"
  default:
    if case .unknown = refusal.kind { whereToLook(for: refusal.sentence) } else { nil }
  }
}

private func complaint(of error: OperationError) -> Complaint {
  switch error {
  // Some of these name what to look at instead, so the sentence starts differently here.
  case .notFound(let what): .notFound("no \(what)\(whereToLook(for: what))")
  case .conflict(let what): Complaint(status: .conflict, text: what)
  case .inactive(let employee): complaint(of: Refusal.inactive(employee))
  case .invalid(let what, _): .usage(what)
  case .unavailable(let detail): unavailable(detail)
  case .outcomeUnknown: outcomeUnknown
  case .unauthorized, .actionIDReused, .tooManyWaiting:
    Complaint(status: .broken, text: "internal error: \(error)")
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
  // A policy version or a site belongs to a team, whose number comes last.
  if let noun = words.first, noun == "policy" || noun == "site" {
    return ": see `guardctl \(noun) list \(words.last ?? "N")`"
  }
  let noun = listed.first { words.starts(with: $0.split(separator: "-")) }
  return noun.map { ": see `guardctl \($0) list`" } ?? ""
}

private let listed = [
  "team", "employee", "device", "shift", "clock-action", "override", "incident", "token",
  "account", "session", "planned-shift", "absence",
]

private func unavailable(_ detail: String) -> Complaint {
  // libpq appends questions; the caller, which knows the place, says what to check.
  let detail = detail.split(separator: "; Is the server").first ?? "no answer"
  return Complaint(status: .unavailable, text: "cannot use the database: \(detail)")
}

private let outcomeUnknown = Complaint(
  status: .unavailable,
  text: "the connection was lost while saving: check whether it was saved before you try again")
