public import ShiftDomain

/// What a tap is for.
public enum TapKind: Hashable, Sendable, CaseIterable {
  /// Work begins.
  case clockIn
  /// Work ends.
  case clockOut
  /// A break begins.
  case breakStart
  /// The break ends.
  case breakEnd
  /// This phone goes on tracking.
  case takeOver
}

/// What came of a tap; it also tells what the tap was for. Raw values are stored; append-only.
public enum AttemptOutcome: UInt8, Coded {
  /// Work began.
  case clockedIn = 0
  /// A shift was open on the device already.
  case alreadyOpen = 1
  /// A shift was open on another device.
  case openElsewhere = 2
  /// The rules refused.
  case blocked = 3
  /// It would have overlapped an ended shift.
  case overlaps = 4
  /// Work ended.
  case clockedOut = 5
  /// There was no shift to end.
  case noOpenShift = 6
  /// The end lay before the beginning.
  case endsBeforeStart = 7
  /// A break began, or was on already.
  case onBreak = 8
  /// There was no shift to take a break from.
  case breakStartWithoutShift = 9
  /// The break would have begun before the shift, or before the end of the one before.
  case breakStartOutOfOrder = 10
  /// The break ended.
  case backAtWork = 11
  /// There was no shift, and so no break to end.
  case breakEndWithoutShift = 12
  /// There was no break to end.
  case notOnBreak = 13
  /// The break would have ended before its beginning.
  case breakEndOutOfOrder = 14
  /// The device tracks from then on, or did already.
  case tracking = 15
  /// There was no shift to track.
  case takeOverWithoutShift = 16
  /// It would have taken over before the shift, or before the last take-over.
  case takeOverOutOfOrder = 17

  /// What the tap was for: the bodies of two kinds may be equal.
  public var kind: TapKind {
    switch self {
    case .clockedIn, .alreadyOpen, .openElsewhere, .blocked, .overlaps: .clockIn
    case .clockedOut, .noOpenShift, .endsBeforeStart: .clockOut
    case .onBreak, .breakStartWithoutShift, .breakStartOutOfOrder: .breakStart
    case .backAtWork, .breakEndWithoutShift, .notOnBreak, .breakEndOutOfOrder: .breakEnd
    case .tracking, .takeOverWithoutShift, .takeOverOutOfOrder: .takeOver
    }
  }

  /// Whether it was refused: somebody says what the records do not say.
  public var isRefusal: Bool {
    switch self {
    case .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking: false
    case .openElsewhere, .blocked, .overlaps, .noOpenShift, .endsBeforeStart,
      .breakStartWithoutShift, .breakStartOutOfOrder, .breakEndWithoutShift, .notOnBreak,
      .breakEndOutOfOrder, .takeOverWithoutShift, .takeOverOutOfOrder:
      true
    }
  }

  /// Its word in JSON.
  public var code: String {
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
    }
  }
}
