import GuardRules
import Guidance
import ManagerOperations
import ReadModels
import ShiftDomain

extension PolicyRow {
  var fields: [Field] {
    [
      Field("team", "team", FieldValue(team.rawValue)),
      Field("version", "version", FieldValue(version)),
      Field("in force", "inForce", .truth(isInForce)),
      Field("preset", "preset", .text(policy.preset.code)),
      Field("created", "createdAt", .instant(createdAt)),
      Field("valid from", "validFrom", .instant(validFrom), isDetail: true),
    ] + policy.details + [Field("saved by", "savedBy", FieldValue(savedBy))]
  }
}

extension PlannedPolicy {
  var fields: [Field] {
    [
      Field("team", "team", FieldValue(team.rawValue)),
      Field("valid from", "validFrom", .instant(validFrom)),
      Field("former version", "formerVersion", FieldValue(former)),
      Field("preset", "preset", .text(policy.preset.code)),
      Field("created", "createdAt", .instant(createdAt)),
    ] + policy.details + [Field("saved by", "savedBy", .text(savedBy))]
  }
}

extension Policy {
  /// Names and units are those of the HTTP API; findings are grouped by severity, as in `check`.
  fileprivate var details: [Field] {
    let advising = FindingSet.all.subtracting(severities.blocking).subtracting(severities.warning)
    return [
      Field("blocks", "blocking", FieldValue(severities.blocking), isDetail: true),
      Field("warns", "warning", FieldValue(severities.warning), isDetail: true),
      Field("advises", "advising", FieldValue(advising), isDetail: true),
    ]
      + PolicySpan.allCases.map { span in
        Field(span.words, span.name, .span(self[span]), isDetail: true)
      } + [
        Field("fix age max", "maxFixAge", .span(fixAgeMax), isDetail: true),
        Field(
          "accuracy max", "accuracyMax", accuracyMaxMeters.map { FieldValue($0) } ?? .absent,
          isDetail: true),
        Field("self-override", "selfOverride", .text(selfOverride.code), isDetail: true),
        Field(
          "opens planned shifts", "opensPlannedShifts", .truth(opensPlannedShifts),
          isDetail: true),
      ]
  }
}

extension PolicyVersion {
  /// A row for each setting that it changed.
  var changes: [[Field]] {
    differences.map { difference in
      [
        Field("version", "version", FieldValue(row.version)),
        Field("created", "createdAt", .instant(row.createdAt)),
        Field("saved by", "savedBy", FieldValue(row.savedBy)),
        Field("setting", "setting", .text(difference.setting.pointer), isDetail: true),
        Field("change", "change", .text(difference.words)),
      ]
    }
  }
}

extension PolicySpan {
  /// `fresh for`
  fileprivate var words: String {
    name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
  }
}

extension FieldValue {
  /// The codes of `findings` in the order of remedy.
  init(_ findings: FindingSet) { self = .words(findings.ranked.map(\.code)) }
}
