import DeviceOperations
import HTTPAPI
import HTTPServing

extension DeviceController {
  func events(_ request: DeviceRequest) async throws -> HTTPResponse {
    let asked = try request.http.number("lastEventId", in: 0...Int32.max)
    // A client that reconnects sends the header, with the same URL as at first.
    let last = request.http.headers["Last-Event-ID"].flatMap { Int32($0) } ?? asked
    guard request.http.method != .head else {
      // A HEAD request does not replace the phone's stream.
      _ = try await operations.snapshot(for: request.credential)
      return HTTPResponse(headers: EventText.headers)
    }
    let position = try await operations.openStream(
      for: request.credential, after: last.map { max(0, $0) },
      in: request.http.queryValue("appSession").flatMap { (1...64).contains($0.count) ? $0 : nil },
      lease: streams.lease, receipt: request.receipt)
    return HTTPResponse(
      headers: EventText.headers, body: .stream(streams.open(position, in: request.language)))
  }
}
