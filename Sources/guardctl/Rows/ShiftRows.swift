import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

extension ShiftRow {
  var fields: [Field] {
    [
      Field("shift", "shift", .text(shift.text)),
      Field("name", "name", .text(name)),
      Field("started", "startedAt", .instant(startedAt)),
      Field("ended", "endedAt", FieldValue(endedAt)),
      Field(
        "device", "device",
        FieldValue(device.map { DeviceID(employee: shift.employee, number: $0).text })),
      Field("opened by", "openedBy", .text(openedBy.code)),
      Field("verdict", "verdict", .text(verdict.code)),
    ]
  }
}

extension IncidentRow {
  var fields: [Field] {
    [
      Field("incident", "incident", .text(incident.text)),
      Field("shift", "shift", .text(shift.text)),
      Field("kind", "kind", .text(kind.code)),
      Field("opened", "openedAt", .instant(openedAt)),
      Field("worsened", "worsenedAt", FieldValue(worsenedAt), isDetail: true),
      Field("closed", "closedAt", FieldValue(closedAt)),
      Field("reason", "closeReason", FieldValue(closing?.code)),
      Field("origin", "origin", .text(origin.code), isDetail: true),
      Field("evidence", "evidence", .text(evidence.code), isDetail: true),
      Field("explained by", "explainedBy", FieldValue(explainedBy?.code), isDetail: true),
      Field("notification due", "notificationDueAt", FieldValue(notifiedAt), isDetail: true),
    ]
  }
}

extension NotificationRow {
  var fields: [Field] {
    [
      Field("employee", "employee", FieldValue(employee.rawValue)),
      Field("topic", "topic", .text(notification.topic.code)),
      Field("subject", "subject", FieldValue(notification.subject)),
      Field("number", "ordinal", FieldValue(notification.ordinal)),
      Field("kind", "kind", FieldValue(notification.kind?.code)),
      Field("urgent", "urgent", .truth(notification.isUrgent)),
      Field("queued", "queuedAt", .instant(queuedAt)),
      Field("due", "dueAt", .instant(notification.dueAt)),
      Field("attempts", "attemptCount", FieldValue(attempts)),
      Field("next check", "nextAt", FieldValue(nextAt), isDetail: true),
      Field("finished", "finishedAt", FieldValue(finishedAt), isDetail: true),
      Field("outcome", "outcome", FieldValue(ending?.code), isDetail: true),
      Field("reason", "reason", FieldValue(reason), isDetail: true),
    ]
  }
}
