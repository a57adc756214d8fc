import APIJSON
import ReadModels
import ShiftDomain

extension OverrideRow: Shown {
  /// `7/1`
  var text: String { "\(employee.rawValue)/\(number)" }

  var fields: [Field] {
    let shift = usedShift.map { ShiftID(employee: employee, number: $0).text }
    return [
      Field("override", .text(text)),
      Field("findings", .words(findings.ranked.map(\.code))),
      Field("author", .text(author.code), isDetail: true),
      Field("by", .text(givenBy)),
      Field("reason", .text(reason), isDetail: true),
      Field("given", .instant(createdAt)),
      Field("expires", .instant(expiresAt)),
      Field("withdrawn", FieldValue(withdrawnAt)),
      Field("used by", FieldValue(shift)),
    ]
  }
}

extension ClockActionRow: Shown {
  /// `7/5`
  var text: String { "\(device.employee.rawValue)/\(number)" }

  var fields: [Field] {
    func named(_ shift: Int32?) -> String? {
      shift.map { ShiftID(employee: device.employee, number: $0).text }
    }
    return [
      Field("action", .text(text)),
      Field("device", .text(device.text), isDetail: true),
      Field("time", .instant(at)),
      Field("received", .instant(receivedAt), isDetail: true),
      Field("outcome", .text(outcome.code)),
      Field("shift", FieldValue(named(shift))),
      Field("blocking", .words(decision.blocking.ranked.map(\.code))),
      Field("policy", FieldValue(policyVersion), isDetail: true),
      Field(
        "blocked on phone",
        localDecision.map { .words($0.decision.blocking.ranked.map(\.code)) } ?? .absent,
        isDetail: true),
      Field(
        "policy on phone", localDecision.map { FieldValue($0.policyVersion) } ?? .absent,
        isDetail: true),
      Field("needs review", .truth(awaitsManager)),
      Field("kept for review", FieldValue(kept?.code), isDetail: true),
      Field("claimed from", FieldValue(claimed?.start), isDetail: true),
      Field("claimed to", FieldValue(claimed?.end), isDetail: true),
      Field("review", FieldValue(review?.decision.code)),
      Field("reviewed", FieldValue(review?.at), isDetail: true),
      Field("reviewed by", FieldValue(review?.by), isDetail: true),
      Field("review reason", FieldValue(review?.reason), isDetail: true),
      Field("review shift", FieldValue(named(review?.shift))),
    ]
  }
}
