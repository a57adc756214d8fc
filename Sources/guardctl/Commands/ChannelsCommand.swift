import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import NotificationOperations
import ReadModels
import ShiftDomain

let channelsLeaf = Leaf(
  Command(
    "channels", "show how each channel has done in the last seven days",
    footer: """
      Whether APNs, FCM, Web Push and e-mail are set up is known to `guardd` only; the page \
      Settings › Channels shows it. Exit: 0, also if a channel fails.
      """),
  .operations(channels))

private func channels(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Listing(
    try await operations.notifications.deliveryHealth(setUp: nil).channels, whenEmpty: "")
}

extension ChannelHealth: Shown {
  var fields: [Field] {
    [
      Field("channel", .text(code)),
      Field("success", FieldValue(lastSuccessAt)),
      Field("failure", FieldValue(lastFailure?.at)),
      Field("pending", FieldValue(Int32(clamping: waiting))),
      Field(
        "dead", FieldValue(Int32(clamping: deadLetters.reduce(0) { $0 + $1.count }))),
      Field("reason", FieldValue(lastFailure?.reason)),
    ]
  }
}
