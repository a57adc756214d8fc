import APIJSON
import OperationCore
import ReadModels
import ShiftDomain

extension ShiftRow: Shown {
  var fields: [Field] {
    [
      Field("shift", .text(shift.text)),
      Field("name", .text(name)),
      Field("started", .instant(startedAt)),
      Field("ended", FieldValue(endedAt)),
      Field(
        "device", FieldValue(device.map { DeviceID(employee: shift.employee, number: $0).text })),
      Field("opened by", .text(openedBy.code)),
      Field("verdict", .text(verdict.code)),
    ]
  }
}

extension IncidentRow: Shown {
  var fields: [Field] {
    [
      Field("incident", .text(incident.text)),
      Field("shift", .text(shift.text)),
      Field("name", .text(name)),
      Field("kind", .text(kind.code)),
      Field("opened", .instant(openedAt)),
      Field("episode", FieldValue(episode), isDetail: true),
      Field("closed", FieldValue(closedAt)),
      Field("reason", FieldValue(closing?.code)),
      Field("origin", .text(origin.code), isDetail: true),
      Field("accepted", .truth(isAccepted), isDetail: true),
      Field("recomputed", .truth(isRecomputed), isDetail: true),
      Field("evidence", .text(evidence.code), isDetail: true),
      Field("explained by", FieldValue(explainedBy?.code), isDetail: true),
      Field("notification due", FieldValue(notifiedAt), isDetail: true),
    ]
  }
}

extension IncidentDetails: Shown {
  var fields: [Field] { row.fields }
}

extension NotificationRow: Shown {
  var fields: [Field] {
    [
      Field("employee", FieldValue(employee.rawValue)),
      Field("topic", .text(notification.topic.code)),
      Field("subject", FieldValue(notification.subject)),
      Field("number", FieldValue(notification.ordinal)),
      Field("kind", FieldValue(notification.kind?.code)),
      Field("urgent", .truth(notification.isUrgent)),
      Field("queued", .instant(queuedAt)),
      Field("due", .instant(notification.dueAt)),
      Field("attempts", FieldValue(attempts)),
      Field("next check", FieldValue(nextAt), isDetail: true),
      Field("finished", FieldValue(finishedAt), isDetail: true),
      Field("outcome", FieldValue(ending?.code), isDetail: true),
      Field("reason", FieldValue(reason), isDetail: true),
    ]
  }
}
