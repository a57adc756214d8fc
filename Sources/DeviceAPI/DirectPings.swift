import DeviceOperations
import HTTPAPI
import HTTPServing
import OperationCore
import Telemetry

/// The direct way of `POST /v1/pings`, for a `PlainPing` with the token of a device. A class, so
/// that what waits for the pipeline holds one reference.
final class DirectPings: Sendable {
  private let controller: DeviceController
  /// Method and pattern of the route.
  private let route: String

  init(_ controller: DeviceController, at route: String) {
    self.controller = controller
    self.route = route
  }

  /// Declines while too many pings wait: the handler says so.
  func take(
    _ authorization: Span<UInt8>, _ body: Span<UInt8>, _ ticket: ReplyTicket
  ) -> DirectWay.Outcome {
    guard !controller.operations.isOverloaded,
      let start = bearerTokenStart(in: authorization),
      let credential = DeviceCredential(token: authorization.extracting(start...)),
      let plain = PlainPing(body), let ping = plain.ping
    else { return .declined }
    let sent = SentPings(
      ping, sentAt: plain.sentAt, from: credential,
      receipt: Receipt(at: controller.now(), monotonic: ticket.receivedAt))
    // The only closure on the way, because each takes memory of its own.
    let isTaken = controller.operations.ping(sent) { [self] result in
      do throws(OperationError) {
        let outcome = try controller.operations.outcome(of: sent, result)
        ticket.answer(
          controller.pinged(
            outcome.results, outcome.advice, from: sent.credential, receipt: sent.receipt,
            at: route))
      } catch {
        refuse(ticket, error, sent.credential)
      }
    }
    return isTaken ? .taken : .declined
  }

  /// As the handler does, with a query if the token may be of another address; and in a trace,
  /// whose ids are in the log and in the answer.
  private func refuse(
    _ ticket: ReplyTicket, _ error: OperationError, _ credential: DeviceCredential
  ) {
    ticket.answer { [self] ticket in
      await TraceContext.$current.withValue(TraceContext()) {
        ticket.answer(await controller.respond(to: credential, at: route) { _ in throw error })
      }
    }
  }
}
