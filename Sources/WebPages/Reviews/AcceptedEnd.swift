import HTTPServing
import OperationCore
import ReadModels
import ShiftDomain

/// The field for the end of the shift that a clock-in asks for. It is offered once that shift can
/// be over, with the end that the records suggest.
struct AcceptedEnd: Sendable {
  let proposed: Instant
  private let clock: TeamClock

  /// - Parameter waiting: All clock actions that wait for a decision.
  init?(
    of clockIn: ClockActionRow, among waiting: [ClockActionRow], _ clock: TeamClock, now: Instant
  ) {
    guard clockIn.outcome.asksForShift, let claimed = clockIn.claimed?.end else { return nil }
    let clockOut = clockIn.clockOut(among: waiting)?.at
    // What is claimed until now may still go on.
    guard clockOut != nil || claimed + .minutes(1) < now else { return nil }
    proposed = min(clockOut ?? claimed, claimed)
    self.clock = clock
  }

  func input(
    id: HTML, typed: String? = nil, label: HTML? = nil, isRequired: Bool = false
  ) -> HTML {
    """
    <input type="hidden" name="proposed" value="\(proposed.milliseconds)">\
    <input id="\(id)" name="end" type="datetime-local"\(" required", if: isRequired) \
    value="\(typed ?? clock.fieldText(proposed))"\
    \(label.map { " aria-label=\"\($0)\"" as HTML })>
    """
  }
}

extension FormFields {
  /// The end that was typed; `nil` if it was left empty, or not asked for. A form has no
  /// seconds: the proposed end is taken exactly if it is unchanged.
  func acceptedEnd(_ clock: TeamClock) throws(UnclearTime) -> Instant? {
    let typed = self["end"]
    guard !typed.isEmpty else { return nil }
    if let end = clock.instant(fieldText: typed), let proposed = Int64(self["proposed"]),
      ((end - .hours(2)).milliseconds...(end + .hours(2)).milliseconds).contains(proposed),
      clock.fieldText(Instant(milliseconds: proposed)) == typed
    {
      return Instant(milliseconds: proposed)
    }
    return try time("end", by: clock)
  }
}

extension ClockActionRow {
  /// The clock-in before it that waits for a decision, which has to be decided first.
  func clockIn(among waiting: [ClockActionRow]) -> ClockActionRow? {
    guard !outcome.asksForShift, shift == nil else { return nil }
    return waiting.filter {
      $0.device.employee == device.employee && $0.outcome.asksForShift && $0.at <= at
    }.max { $0.at < $1.at }
  }

  /// The clock-out that follows a clock-in and waits for a decision too.
  fileprivate func clockOut(among waiting: [ClockActionRow]) -> ClockActionRow? {
    waiting.filter {
      $0.outcome.kind == .clockOut && $0.clockIn(among: waiting)?.number == number
        && $0.device.employee == device.employee
    }.min { $0.at < $1.at }
  }

  /// Which clock-in has to be decided before it; `nil` if there is none.
  func order(among waiting: [ClockActionRow], _ clock: TeamClock) -> HTML? {
    guard let clockIn = clockIn(among: waiting) else { return nil }
    let at = clock.short(clockIn.at)
    return clockIn.clockOut(among: waiting)?.number == number
      ? "<p>It ends the clock-in at \(at), and is accepted with it.</p>"
      : "<p>Decide on the clock-in at \(at) first.</p>"
  }
}
