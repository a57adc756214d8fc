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

extension TapKind {
  /// What came of one that is kept without being judged.
  public var keptOutcome: AttemptOutcome {
    switch self {
    case .clockIn: .clockInKept
    case .clockOut: .clockOutKept
    case .breakStart: .breakStartKept
    case .breakEnd: .breakEndKept
    case .takeOver: .takeOverKept
    }
  }
}

/// Why a clock action is kept for review. Raw values are stored; append-only.
public enum KeptReason: UInt8, Coded {
  /// The rules refused the clock-in.
  case blocked = 0
  /// It overlaps another shift.
  case overlaps = 1
  /// It happened over 24 hours before it was sent.
  case tooOld = 2
  /// It lies before a later clock action that has counted, or follows a clock-in that is kept.
  case outOfOrder = 3
  /// No shift was open at its time.
  case noOpenShift = 4

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .blocked: "blocked"
    case .overlaps: "overlaps"
    case .tooOld: "too_old"
    case .outOfOrder: "out_of_order"
    case .noOpenShift: "no_open_shift"
    }
  }
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
  /// The end lay before another device took over.
  case clockOutOutOfOrder = 18
  /// Kept for review without being judged, as the four below.
  case clockInKept = 19
  /// A clock-out.
  case clockOutKept = 20
  /// The beginning of a break.
  case breakStartKept = 21
  /// The end of a break.
  case breakEndKept = 22
  /// A take-over.
  case takeOverKept = 23

  /// What the tap was for: the bodies of two kinds may be equal.
  public var kind: TapKind {
    switch self {
    case .clockedIn, .alreadyOpen, .openElsewhere, .blocked, .overlaps, .clockInKept: .clockIn
    case .clockedOut, .noOpenShift, .endsBeforeStart, .clockOutOutOfOrder, .clockOutKept: .clockOut
    case .onBreak, .breakStartWithoutShift, .breakStartOutOfOrder, .breakStartKept: .breakStart
    case .backAtWork, .breakEndWithoutShift, .notOnBreak, .breakEndOutOfOrder, .breakEndKept:
      .breakEnd
    case .tracking, .takeOverWithoutShift, .takeOverOutOfOrder, .takeOverKept: .takeOver
    }
  }

  /// Whether it was refused: somebody says what the records do not say.
  public var isRefusal: Bool {
    switch self {
    case .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking: false
    case .openElsewhere, .blocked, .overlaps, .noOpenShift, .endsBeforeStart,
      .breakStartWithoutShift, .breakStartOutOfOrder, .breakEndWithoutShift, .notOnBreak,
      .breakEndOutOfOrder, .takeOverWithoutShift, .takeOverOutOfOrder, .clockOutOutOfOrder,
      .clockInKept, .clockOutKept, .breakStartKept, .breakEndKept, .takeOverKept:
      true
    }
  }

  /// Why it is kept for review when it was made offline; `nil` when it counted.
  public var keptReason: KeptReason? {
    switch self {
    case .clockedIn, .alreadyOpen, .clockedOut, .onBreak, .backAtWork, .tracking: nil
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
    case .clockOutOutOfOrder: "clock_out_out_of_order"
    case .clockInKept: "clock_in_kept"
    case .clockOutKept: "clock_out_kept"
    case .breakStartKept: "break_start_kept"
    case .breakEndKept: "break_end_kept"
    case .takeOverKept: "take_over_kept"
    }
  }
}
