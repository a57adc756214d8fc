import APIJSON
import CommandParsing
import GuardRules
import Guidance
import JSONText
import ManagerOperations
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
        ["", list.title] + Listing(rows: list.rows, whenEmpty: "").lines(on: surface)
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
      Field("app", "app", FieldValue(support.row.app)),
      Field("language", "language", FieldValue(support.row.language)),
      Field("clock slow by", "skewMs", skew.map(FieldValue.length) ?? .absent),
      Field("push address", "push", .text(push ?? "not set")),
      Field(
        "shift", "shift",
        FieldValue(
          shift.map { ShiftID(employee: support.row.device.employee, number: $0.number).text })),
      Field("shift began", "shiftStartedAt", FieldValue(shift?.startedAt)),
      Field("shift ended", "shiftEndedAt", FieldValue(shift?.endedAt)),
      Field("clock-in now", "clockIn", .text(support.clockIn.words)),
      Field("pings", "pingCount", .number(support.history.pingCount)),
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
      Field("received", "receivedAt", .instant(receivedAt)),
      Field("means", "state", .text(report.state.words)),
      Field("findings", "findings", FieldValue(findings)),
      Field("raw", "raw", FieldValue(raw), isDetail: true),
      Field("source", "source", FieldValue(source), isDetail: true),
      Field("trigger", "trigger", FieldValue(trigger), isDetail: true),
    ]
  }
}

extension DeviceClockAction {
  fileprivate var fields: [Field] {
    [
      Field("time", "at", .instant(at)),
      Field("received", "receivedAt", .instant(receivedAt)),
      Field("answer", "outcome", .text(outcome.code)),
      Field("kept", "reason", FieldValue(kept?.code)),
      Field("findings", "findings", FieldValue(decision.findings)),
    ]
  }
}

extension PingUploadRow {
  fileprivate var fields: [Field] {
    [
      Field("received", "receivedAt", .instant(receivedAt)),
      Field("pings", "pings", .number(pings)),
      Field("positions", "positions", .number(positions)),
      Field("first", "first", .instant(first)),
      Field("last", "last", .instant(last)),
      Field("answer", "answer", .text("stored")),
    ]
  }
}

extension QuarantinedMessage {
  fileprivate var fields: [Field] {
    [
      Field("received", "receivedAt", .instant(receivedAt)),
      Field("phone app", "app", .text(app.code)),
      Field("reason", "reason", .text(reason)),
      Field("bytes", "bytes", .number(Int64(byteCount))),
    ]
  }
}

extension DeliveryAttempt {
  fileprivate var fields: [Field] {
    [
      Field("time", "at", .instant(begunAt)),
      Field("topic", "topic", .text(id.topic.code)),
      Field("step", "step", .text(step.code)),
      Field("outcome", "outcome", .text(outcome?.code ?? "unknown")),
      Field("reason", "reason", FieldValue(reason)),
    ]
  }
}
