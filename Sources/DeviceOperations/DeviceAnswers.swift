import OperationCore
import ReadModels
import ShiftDomain
import ShiftStore

package struct ReportOutcome: Hashable, Sendable {
  package enum Disposition: UInt8, Coded {
    /// The current state of the tracking device.
    case inForce = 0
    /// Older than the report in force: history only.
    case late = 1
    /// No shift is open, or another device tracks it.
    case noted = 2
    /// Already received.
    case duplicate = 3

    package var code: String {
      switch self {
      case .inForce: "in_force"
      case .late: "late"
      case .noted: "noted"
      case .duplicate: "duplicate"
      }
    }
  }

  /// The report's id; for a duplicate, the id of the stored report.
  package var report: ReportID
  package var disposition: Disposition
  package var snapshot: Snapshot
  /// Whether the phone must send a fix at once, because tracking was restored.
  package var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the report opened or worsened an incident.
  package var detection: Duration?
}

package struct ReportUploadOutcome: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    /// The report's id; for a duplicate, the id of the stored report.
    package var report: ReportID
    /// Where the report belongs in the history and among the others: only the newest is not `late`.
    package var disposition: ReportOutcome.Disposition
  }

  /// One item per report, in the order sent.
  package var items: [Item]
  package var snapshot: Snapshot
  /// Whether the phone must send a fix at once, because tracking was restored.
  package var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the newest opened or worsened an incident.
  package var detection: Duration?
}

package enum ClockInOutcome: Hashable, Sendable {
  /// 201: clocked in, or the waiting shift confirmed.
  case clockedIn(ShiftID, Decision)
  /// 200: a shift is already open on this device.
  case alreadyOpen(ShiftID)
  /// 409: a shift is open on another device.
  case openElsewhere(ShiftID)
  /// 409: the rules block it.
  case blocked(Decision)
  /// 409: it would overlap a shift that has ended.
  case overlaps
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

package struct KeptAction: Hashable, Sendable {
  /// Its number within the employee; 0 for one stored before numbering.
  package var clockAction: Int32
  package var reason: KeptReason
  /// The result of the review; `nil` while it is pending.
  package var review: ReviewDecision?
  package var shift: ShiftID?

  /// `nil` when the clock action was answered at once.
  init?(_ record: ClockActionRecord) {
    guard let reason = record.kept else { return nil }
    clockAction = record.number ?? 0
    self.reason = reason
    review = record.reviewDecision
    shift = (record.reviewedShift ?? record.shift).map {
      ShiftID(employee: record.device.employee, number: $0)
    }
  }
}

/// The outcome of a clock action that the guard never blocks: clock-out, break start, break end,
/// take-over, decline.
package enum ClockActionOutcome: Hashable, Sendable {
  /// 200: done, or already so before.
  case done(ShiftID)
  /// 409: there is no open shift.
  case noOpenShift
  /// 409: no shift waits for confirmation.
  case noWaitingShift
  /// 409: the end is before the start of the shift.
  case endsBeforeStart(ShiftID)
  /// 409: there is no break to end.
  case notOnBreak(ShiftID)
  /// 409: its time is before a recorded clock action.
  case outOfOrder(ShiftID)
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

package struct Enrolment: Hashable, Sendable {
  package var device: DeviceID
  /// When its employee was added. With the number, it says who they are: that of an erased employee
  /// may be another one's now.
  package var employeeSince: Instant
  /// Its bearer token, shown only here: `sg_<employee>_<device>_<secret>`.
  package var token: String
  /// The device that used the code before, and is revoked now; `nil`: none did.
  package var replaced: DeviceID?
  /// The privacy notice; `nil`: none has been written yet.
  package var privacyNotice: PrivacyNotice?
}
