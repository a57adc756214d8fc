import ReadModels
import ShiftDomain

extension OverrideRow {
  /// `7/1`
  var text: String { "\(employee.rawValue)/\(number)" }

  var fields: [Field] {
    let shift = usedShift.map { ShiftID(employee: employee, number: $0).text }
    return [
      Field("override", "override", .text(text)),
      Field("findings", "findings", .words(findings.ranked.map(\.code))),
      Field("author", "author", .text(author.code), isDetail: true),
      Field("by", "by", .text(givenBy)),
      Field("reason", "reason", .text(reason), isDetail: true),
      Field("given", "createdAt", .instant(createdAt)),
      Field("expires", "expiresAt", .instant(expiresAt)),
      Field("withdrawn", "withdrawnAt", FieldValue(withdrawnAt)),
      Field("used by", "shift", FieldValue(shift)),
    ]
  }
}

extension ClockActionRow {
  /// `7/5`
  var text: String { "\(device.employee.rawValue)/\(number)" }

  var fields: [Field] {
    func named(_ shift: Int32?) -> String? {
      shift.map { ShiftID(employee: device.employee, number: $0).text }
    }
    return [
      Field("action", "clockAction", .text(text)),
      Field("device", "device", .text(device.text), isDetail: true),
      Field("time", "at", .instant(at)),
      Field("received", "receivedAt", .instant(receivedAt), isDetail: true),
      Field("outcome", "outcome", .text(outcome.code)),
      Field("shift", "shift", FieldValue(named(shift))),
      Field("blocking", "blocking", .words(decision.blocking.ranked.map(\.code))),
      Field("policy", "policyVersion", FieldValue(policyVersion), isDetail: true),
      Field(
        "blocked on phone", "localBlocking",
        localDecision.map { .words($0.decision.blocking.ranked.map(\.code)) } ?? .absent,
        isDetail: true),
      Field(
        "policy on phone", "localPolicyVersion",
        localDecision.map { FieldValue($0.policyVersion) } ?? .absent, isDetail: true),
      Field("needs review", "review", .truth(awaitsManager)),
      Field("kept for review", "keptReason", FieldValue(kept?.code), isDetail: true),
      Field("claimed from", "claimedFrom", FieldValue(claimed?.start), isDetail: true),
      Field("claimed to", "claimedTo", FieldValue(claimed?.end), isDetail: true),
      Field("review", "reviewOutcome", FieldValue(review?.decision.code)),
      Field("reviewed", "reviewedAt", FieldValue(review?.at), isDetail: true),
      Field("reviewed by", "reviewedBy", FieldValue(review?.by), isDetail: true),
      Field("review reason", "reviewReason", FieldValue(review?.reason), isDetail: true),
      Field("review shift", "reviewShift", FieldValue(named(review?.shift))),
    ]
  }
}

extension CorrectionRow {
  var fields: [Field] {
    [
      Field("shift", "shift", .text(shift.text)),
      Field("correction", "correction", FieldValue(number)),
      Field("was from", "oldStartedAt", .instant(old.start)),
      Field("was to", "oldEndedAt", FieldValue(old.end)),
      Field("now from", "newStartedAt", .instant(new.start)),
      Field("now to", "newEndedAt", FieldValue(new.end)),
      Field("by", "by", .text(correctedBy)),
      Field("corrected", "correctedAt", .instant(correctedAt)),
      Field("reason", "reason", .text(reason)),
      Field("undoes", "undoes", undoes.map { FieldValue($0) } ?? .absent, isDetail: true),
      Field("undone", "undoneAt", FieldValue(undoneAt), isDetail: true),
    ]
  }
}
