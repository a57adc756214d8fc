import APIMessages
import HTTPServing
import ShiftOperations

extension DeviceDesk {
  /// `GET /v1/me/events`
  func events(_ call: DeviceCall) async throws -> HTTPResponse {
    let asked = try call.request.number("lastEventId", in: 0...Int32.max)
    // A client that reconnects sends the header, with the same URL as at first.
    let last = call.request.headers["Last-Event-ID"].flatMap { Int32($0) } ?? asked
    guard call.request.method != .head else {
      // A HEAD request does not replace the phone's stream.
      _ = try await operations.snapshot(for: call.credential)
      return HTTPResponse(headers: EventText.headers)
    }
    let position = try await operations.openStream(
      for: call.credential, after: last.map { max(0, $0) },
      in: call.request.queryValue("appSession").flatMap { (1...64).contains($0.count) ? $0 : nil },
      lease: streams.lease, receipt: call.receipt)
    return HTTPResponse(
      headers: EventText.headers, body: .stream(streams.open(position, in: call.language)))
  }
}
