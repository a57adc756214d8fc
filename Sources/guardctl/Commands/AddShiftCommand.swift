import APIJSON
import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import OperationCore
import ReviewOperations
import ShiftDomain

let addShiftCommand = Leaf(
  Command(
    "add", "add a past shift that everybody had forgotten",
    options: [
      .text("start", "when it began", required: true, placeholder: "TIME"),
      .text("end", "when it ended", required: true, placeholder: "TIME"),
      .texts("break", "a break in it", placeholder: "TIME/TIME"), reasonOption(), byOption,
    ],
    arguments: [employeeArgument],
    footer: """
      TIME is like `2026-11-20T09:30:00Z`. The employee is asked to confirm the shift. It counts \
      for payroll once it is confirmed, or approved a week after the employee was told.
      """),
  .operations(addShift))

private func addShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  guard let start = try call.instant("start"), let end = try call.instant("end") else {
    throw Complaint.usage("`--start` and `--end` are missing")
  }
  let (shift, isNew) = try await operations.reviews.addShift(
    for: EmployeeID(try call.number("employee")),
    AddedShift(
      Interval(from: start, to: end), breaks: try call.breaks("break"),
      reason: try call.text("reason")),
    by: call.principal
  ).get()
  return Confirmation(
    text: [
      isNew
        ? "Added shift \(shift.text). The employee is asked to confirm it."
        : "Shift \(shift.text) was already added: nothing was changed."
    ], json: ["shift": .object(JSONObject(shift)), "new": .bool(isNew)])
}

/// What `shift correct` changes in the breaks of a shift.
struct BreakChange {
  private var added: [ShiftSpan]
  /// By place in the list, from 1.
  private var moved: [Int: ShiftSpan] = [:]
  private var removed: Set<Int> = []

  /// `nil` without such an option.
  init?(_ call: Invocation) throws(Complaint) {
    added = try call.breaks("add-break")
    for text in call.parsed.strings("move-break") {
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let place = Int(halves[0]), let span = ShiftSpan(halves[1]) else {
        throw .usage("`--move-break` cannot be `\(text.showable)`: write `N=TIME/TIME`")
      }
      moved[place] = span
    }
    for text in call.parsed.strings("remove-break") {
      guard let place = Int(text) else {
        throw .usage("`--remove-break` cannot be `\(text.showable)`: write the break's place")
      }
      removed.insert(place)
    }
    if added.isEmpty, moved.isEmpty, removed.isEmpty { return nil }
  }

  func applied(to breaks: [ShiftSpan]) throws(Complaint) -> [ShiftSpan] {
    if let unknown = removed.union(moved.keys).first(where: { $0 < 1 || $0 > breaks.count }) {
      throw Complaint(status: .notFound, text: "the shift has no break \(unknown)")
    }
    let kept = breaks.enumerated().filter { !removed.contains($0.offset + 1) }
    return kept.map { moved[$0.offset + 1] ?? $0.element } + added
  }
}

extension Invocation {
  /// The breaks that an option names.
  fileprivate func breaks(_ name: String) throws(Complaint) -> [ShiftSpan] {
    var breaks: [ShiftSpan] = []
    for text in parsed.strings(name) {
      guard let span = ShiftSpan(text[...]) else {
        throw .usage(
          "`--\(name)` cannot be `\(text.showable)`: write "
            + "`2026-11-20T12:00:00Z/2026-11-20T12:30:00Z`")
      }
      breaks.append(span)
    }
    return breaks
  }

  /// A time, `now` or `planned-end`; `nil` when not given.
  func correctedEnd(_ name: String) throws(Complaint) -> CorrectedEnd? {
    switch parsed.string(name) {
    case "now": .shortcut(.now)
    case "planned-end": .shortcut(.plannedEnd)
    default: try instant(name).map { .at($0) }
    }
  }
}

extension ShiftSpan {
  /// `TIME/TIME`
  fileprivate init?(_ text: Substring) {
    let times = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { Instant(rfc3339: String($0)) }
    guard times.count == 2, let start = times[0], let end = times[1] else { return nil }
    self.init(from: start, to: end)
  }
}
