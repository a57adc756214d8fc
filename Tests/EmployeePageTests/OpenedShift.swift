import Foundation
import HTTPServing
import JSONText
import ShiftDomain
import ShiftTestKit

@testable import EmployeePage

/// A shift that a manager or a plan opened, as long as no server opens one: the answers of the
/// server are changed into what they would be.
struct OpenedShift: Sendable {
  var by: String
  var startedAt: Instant
  var waits = true

  private static let number = 9

  /// What `Me` says of it.
  fileprivate var waiting: JSONObject {
    let head: JSONObject = [
      "employee": .integer(7), "number": JSONValue(Self.number), "startedAt": JSONValue(startedAt),
    ]
    return head.adding(marks)
  }

  fileprivate var marks: JSONObject {
    ["openedBy": .string(by), "waitsForConfirmation": .bool(waits)]
  }

  /// Who opened it, and why; a plan has no reason but itself.
  fileprivate var opening: JSONObject {
    by == "plan" ? [:] : ["opening": ["by": "test", "reason": "Forgot the phone"]]
  }

  fileprivate static let path = "/v1/me/shifts/\(number)"
}

extension PageWorld {
  /// By a `manager` or a `plan`, ten minutes ago.
  func open(by opener: String) -> String {
    gate.state.withLock {
      $0.opened = OpenedShift(by: opener, startedAt: wallClock() - .minutes(10))
    }
    return "done"
  }

  /// `POST /v1/decline`.
  func decline(_ device: [Route]) -> Route {
    gated(
      Route(.post, "/v1/decline") { [gate] request in
        let hasWaited = gate.state.withLock { state in
          defer { state.opened = nil }
          return state.opened?.waits == true
        }
        guard hasWaited else {
          return .json(Array(#"{"code": "no_waiting_shift"}"#.utf8), status: 409)
        }
        guard let me = try? HTTPRequest(.get, "/v1/me", headers: request.headers)
        else { return HTTPResponse(status: 500) }
        return await Router(device).respond(to: me)
      })
  }

  /// `response` as if the shift had been opened by somebody else.
  func opened(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
    let shift = gate.state.withLock { state in
      if request.path == "/v1/clock-in", response.status == 201 { state.opened?.waits = false }
      return state.opened
    }
    guard let shift, case .bytes(let bytes) = response.body else { return response }
    if shift.waits, request.path == OpenedShift.path {
      return .json(JSONValue.object(shift.opening).bytes)
    }
    guard case .object(let body)? = try? JSONValue(parsing: bytes) else { return response }
    var response = response
    response.body = .bytes(JSONValue.object(shift.changes(in: body, at: request.path)).bytes)
    return response
  }
}

extension OpenedShift {
  fileprivate func changes(in body: JSONObject, at path: String) -> JSONObject {
    if path.hasPrefix("/v1/me/shifts/") { return body.adding(marks).adding(opening) }
    guard body["trackingState"] != nil else { return body }
    if waits { return without("shift", body).adding(["shift": .object(waiting)]) }
    guard case .object(let real)? = body["shift"], real["startedAt"] != nil else { return body }
    let changed = without("startedAt", real).adding(["startedAt": JSONValue(startedAt)])
    return without("shift", body).adding(["shift": .object(changed.adding(marks))])
  }

  /// A browser takes the last of several members with the same name.
  private func without(_ name: String, _ object: JSONObject) -> JSONObject {
    JSONObject(object.members.filter { $0.name != name })
  }
}
