import APIJSON
import CommandParsing
import GuardRules
import Guidance
import JSONText
import ReadModels
import ShiftDomain

/// One device for support: what is stored of its open or last shift, and what a clock-in would be
/// answered now. The refused requests are in the memory of `guardd`, which this program has not.
struct DeviceCard: Answer {
  var support: DeviceSupport

  func lines(on surface: Surface) -> [String] {
    let history = support.history
    let lists: [(title: String, rows: [[Field]])] = [
      ("reports", history.reports.map { $0.fields(on: support.row.platform) }),
      ("clock actions", history.clockActions.map(\.fields)),
      ("pings by upload", history.pingUploads.map(\.fields)),
      ("quarantine", history.quarantine.map(\.fields)),
      ("notifications", support.deliveries.map(\.fields)),
    ]
    let facts = fields.lines(on: surface)
    guard surface.isTable else {
      return facts
        + lists.flatMap { list in
          list.rows.map { row in
            ([list.title] + row.map(\.value.piped)).joined(separator: "\t")
          }
        }
    }
    return facts
      + lists.filter { !$0.rows.isEmpty }.flatMap { list in
        ["", list.title] + list.rows.lines(on: surface)
      } + (support.hasMoreDeliveries ? ["Older notifications are not shown."] : [])
      + ["", "Refused requests: on the phone's page, which `guardd` serves."]
  }

  /// As the API answers.
  var json: JSONValue { .object(support.json) }

  private var fields: [Field] {
    let skew = (support.history.reports.first?.report ?? support.row.newestReport)?.skew
    let shift = support.history.shift
    let push = support.push.map { $0.channel.code + ($0.isSandbox ? ", development" : "") }
    return support.row.fields + [
      Field("app", FieldValue(support.row.app)),
      Field("language", FieldValue(support.row.language)),
      Field("clock slow by", skew.map(FieldValue.length) ?? .absent),
      Field("push address", .text(push ?? "not set")),
      Field(
        "shift",
        FieldValue(
          shift.map { ShiftID(employee: support.row.device.employee, number: $0.number).text })),
      Field("shift began", FieldValue(shift?.startedAt)),
      Field("shift ended", FieldValue(shift?.endedAt)),
      Field("clock-in now", .text(support.clockIn.words)),
      Field("pings", .number(support.history.pingCount)),
    ]
  }
}

extension ClockInPreview {
  /// `block: location access denied`
  fileprivate var words: String {
    switch self {
    case .revoked: return "refused: the device is revoked"
    case .alreadyOpen(let shift): return "nothing to do: shift \(shift) is open on this device"
    case .openElsewhere(let shift, let device):
      return "refused: shift \(shift) is open on device \(device)"
    case .decided(let decision, _, _, _):
      let findings = decision.findings.ranked.map(\.label).joined(separator: ", ")
      return decision.verdict.code + (findings.isEmpty ? "" : ": \(findings)")
    }
  }
}

extension DeviceReport {
  fileprivate func fields(on platform: Platform) -> [Field] {
    let findings = GuardRules.findings(in: report.state, platform: platform)
    return [
      Field("received", .instant(receivedAt)),
      Field("means", .text(report.state.words)),
      Field("findings", FieldValue(findings)),
      Field("raw", FieldValue(raw), isDetail: true),
      Field("source", FieldValue(source), isDetail: true),
      Field("trigger", FieldValue(trigger), isDetail: true),
    ]
  }
}

extension DeviceClockAction {
  fileprivate var fields: [Field] {
    [
      Field("time", .instant(at)),
      Field("received", .instant(receivedAt)),
      Field("answer", .text(outcome.code)),
      Field("kept", FieldValue(kept?.code)),
      Field("findings", FieldValue(decision.findings)),
    ]
  }
}

extension PingUploadRow {
  fileprivate var fields: [Field] {
    [
      Field("received", .instant(receivedAt)),
      Field("pings", .number(pings)),
      Field("positions", .number(positions)),
      Field("first", .instant(first)),
      Field("last", .instant(last)),
      Field("answer", .text("stored")),
    ]
  }
}

extension QuarantinedMessage {
  fileprivate var fields: [Field] {
    [
      Field("received", .instant(receivedAt)),
      Field("phone app", .text(app.code)),
      Field("reason", .text(reason)),
      Field("bytes", .number(Int64(byteCount))),
    ]
  }
}

extension DeliveryAttempt {
  fileprivate var fields: [Field] {
    [
      Field("time", .instant(begunAt)),
      Field("topic", .text(id.topic.code)),
      Field("step", .text(step.code)),
      Field("outcome", .text(outcome?.code ?? "unknown")),
      Field("reason", FieldValue(reason)),
    ]
  }
}
