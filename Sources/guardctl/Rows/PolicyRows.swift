import APIJSON
import GuardRules
import Guidance
import ReadModels
import ShiftDomain

extension PolicyRow: Shown {
  var fields: [Field] {
    [
      Field("team", FieldValue(team.rawValue)),
      Field("version", FieldValue(version)),
      Field("in force", .truth(isInForce)),
      Field("preset", .text(policy.preset.code)),
      Field("created", .instant(createdAt)),
      Field("valid from", .instant(validFrom), isDetail: true),
    ] + policy.details + [Field("saved by", FieldValue(savedBy))]
  }
}

extension PlannedPolicy: Shown {
  var fields: [Field] {
    [
      Field("team", FieldValue(team.rawValue)),
      Field("valid from", .instant(validFrom)),
      Field("former version", FieldValue(former)),
      Field("preset", .text(policy.preset.code)),
      Field("created", .instant(createdAt)),
    ] + policy.details + [Field("saved by", .text(savedBy))]
  }
}

extension Policy {
  /// Names and units are those of the HTTP API; findings are grouped by severity, as in `check`.
  fileprivate var details: [Field] {
    let advising = FindingSet.all.subtracting(severities.blocking)
      .subtracting(severities.warning).subtracting(severities.ignored)
    return [
      Field("blocks", FieldValue(severities.blocking), isDetail: true),
      Field("warns", FieldValue(severities.warning), isDetail: true),
      Field("advises", FieldValue(advising), isDetail: true),
      Field("ignores", FieldValue(severities.ignored), isDetail: true),
    ]
      + PolicySpan.allCases.map { span in
        Field(span.words, .span(self[span]), isDetail: true)
      } + [
        Field("fix age max", .span(fixAgeMax), isDetail: true),
        Field(
          "accuracy max", accuracyMaxMeters.map { FieldValue($0) } ?? .absent,
          isDetail: true),
        Field("self-override", .text(selfOverride.code), isDetail: true),
        Field(
          "opens planned shifts", .truth(opensPlannedShifts),
          isDetail: true),
      ]
  }
}

extension PolicyVersion: Shown {
  var fields: [Field] { row.fields }

  /// A row for each setting that it changed.
  var changes: [[Field]] {
    differences.map { difference in
      [
        Field("version", FieldValue(row.version)),
        Field("created", .instant(row.createdAt)),
        Field("saved by", FieldValue(row.savedBy)),
        Field("setting", .text(difference.setting.pointer), isDetail: true),
        Field("change", .text(difference.words)),
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
