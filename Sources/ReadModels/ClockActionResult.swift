import ShiftDomain

package enum ClockActionKind: Hashable, Sendable, CaseIterable {
  case clockIn
  case clockOut
  case breakStart
  case breakEnd
  /// Take-over: this phone tracks from now on.
  case takeOver
  /// Of a shift that a manager or a plan opened.
  case decline
}

extension ClockActionKind {
  /// `nil`: it is decided at any age.
  package var keptOutcome: ClockActionResult? {
    switch self {
    case .clockIn: .clockInKept
    case .clockOut: .clockOutKept
    case .breakStart: .breakStartKept
    case .breakEnd: .breakEndKept
    case .takeOver: .takeOverKept
    case .decline: nil
    }
  }
}

/// Why a clock action is kept for review. Raw values are stored; append-only.
package enum KeptReason: UInt8, Coded {
  case blocked = 0
  case overlaps = 1
  /// It happened over 24 hours before it was sent.
  case tooOld = 2
  /// It is before a later clock action that already counts, or follows a clock-in that is kept.
  case outOfOrder = 3
  case noOpenShift = 4

  package var code: String {
    switch self {
    case .blocked: "blocked"
    case .overlaps: "overlaps"
    case .tooOld: "too_old"
    case .outOfOrder: "out_of_order"
    case .noOpenShift: "no_open_shift"
    }
  }
}

/// The outcome of a clock action, which also tells its kind. Raw values are stored; append-only.
package enum ClockActionResult: UInt8, Coded {
  case clockedIn = 0
  /// A shift was already open on the device.
  case alreadyOpen = 1
  /// A shift was open on another device.
  case openElsewhere = 2
  case blocked = 3
  /// It would have overlapped an ended shift.
  case overlaps = 4
  case clockedOut = 5
  case noOpenShift = 6
  case endsBeforeStart = 7
  case onBreak = 8
  case breakStartWithoutShift = 9
  /// The break would have started before the shift, or before the end of the previous break.
  case breakStartOutOfOrder = 10
  case backAtWork = 11
  case breakEndWithoutShift = 12
  case notOnBreak = 13
  case breakEndOutOfOrder = 14
  /// The device tracks from then on, or did so before.
  case tracking = 15
  case takeOverWithoutShift = 16
  /// The take-over would have been before the shift, or before the last take-over.
  case takeOverOutOfOrder = 17
  /// The end was before another device took over.
  case clockOutOutOfOrder = 18
  /// A clock-in kept for review without a decision, like the four below.
  case clockInKept = 19
  case clockOutKept = 20
  case breakStartKept = 21
  case breakEndKept = 22
  case takeOverKept = 23
  case declined = 24
  /// There was no shift to decline.
  case noWaitingShift = 25

  /// The kind of the clock action: the bodies of two kinds may be equal.
  package var kind: ClockActionKind {
    switch self {
    case .clockedIn, .alreadyOpen, .openElsewhere, .blocked, .overlaps, .clockInKept: .clockIn
    case .clockedOut, .noOpenShift, .endsBeforeStart, .clockOutOutOfOrder, .clockOutKept: .clockOut
    case .onBreak, .breakStartWithoutShift, .breakStartOutOfOrder, .breakStartKept: .breakStart
    case .backAtWork, .breakEndWithoutShift, .notOnBreak, .breakEndOutOfOrder, .breakEndKept:
      .breakEnd
    case .tracking, .takeOverWithoutShift, .takeOverOutOfOrder, .takeOverKept: .takeOver
    case .declined, .noWaitingShift: .decline
    }
  }

  /// Whether it was refused, so that the records contradict what the employee says.
  package var isRefusal: Bool {
    switch self {
    case .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking, .declined: false
    case .openElsewhere, .blocked, .overlaps, .noOpenShift, .endsBeforeStart,
      .breakStartWithoutShift, .breakStartOutOfOrder, .breakEndWithoutShift, .notOnBreak,
      .breakEndOutOfOrder, .takeOverWithoutShift, .takeOverOutOfOrder, .clockOutOutOfOrder,
      .clockInKept, .clockOutKept, .breakStartKept, .breakEndKept, .takeOverKept, .noWaitingShift:
      true
    }
  }

  /// Why it is kept for review if it was made offline; `nil` if it counts, or claims no time.
  package var keptReason: KeptReason? {
    switch self {
    case .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking, .declined,
      .noWaitingShift:
      nil
    case .blocked: .blocked
    case .openElsewhere, .overlaps: .overlaps
    case .noOpenShift, .endsBeforeStart, .breakStartWithoutShift, .breakEndWithoutShift,
      .takeOverWithoutShift:
      .noOpenShift
    case .clockOutOutOfOrder, .breakStartOutOfOrder, .notOnBreak,
      .breakEndOutOfOrder, .takeOverOutOfOrder, .clockInKept, .clockOutKept, .breakStartKept,
      .breakEndKept, .takeOverKept:
      .outOfOrder
    }
  }

  package var code: String {
    switch self {
    case .clockedIn: "clocked_in"
    case .alreadyOpen: "already_open"
    case .openElsewhere: "open_elsewhere"
    case .blocked: "blocked"
    case .overlaps: "overlaps"
    case .clockedOut: "clocked_out"
    case .noOpenShift: "no_open_shift"
    case .endsBeforeStart: "ends_before_start"
    case .onBreak: "on_break"
    case .breakStartWithoutShift: "break_start_without_shift"
    case .breakStartOutOfOrder: "break_start_out_of_order"
    case .backAtWork: "back_at_work"
    case .breakEndWithoutShift: "break_end_without_shift"
    case .notOnBreak: "not_on_break"
    case .breakEndOutOfOrder: "break_end_out_of_order"
    case .tracking: "tracking"
    case .takeOverWithoutShift: "take_over_without_shift"
    case .takeOverOutOfOrder: "take_over_out_of_order"
    case .clockOutOutOfOrder: "clock_out_out_of_order"
    case .clockInKept: "clock_in_kept"
    case .clockOutKept: "clock_out_kept"
    case .breakStartKept: "break_start_kept"
    case .breakEndKept: "break_end_kept"
    case .takeOverKept: "take_over_kept"
    case .declined: "declined"
    case .noWaitingShift: "no_waiting_shift"
    }
  }
}
