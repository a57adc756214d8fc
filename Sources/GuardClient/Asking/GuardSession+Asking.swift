import JSONText
public import ShiftDomain

/// Why a request that is not queued has failed. Nothing is sent again by itself.
public enum AskingError: Error, Hashable, Sendable {
  /// There is no token, or the server does not accept it any more.
  case unauthorized
  case noResponse
  case refused(Problem)
  /// The answer is not the server's, or of another version.
  case unreadable
}

/// Where the system delivers push notifications for this phone.
public enum PushTarget: Hashable, Sendable {
  /// Apple's, hexadecimal; `isSandbox` for a development build.
  case apns(token: String, isSandbox: Bool)
  /// Firebase Cloud Messaging.
  case fcm(token: String)

  fileprivate var json: JSONObject {
    switch self {
    case .apns(let token, let isSandbox):
      ["channel": "apns", "token": .string(token), "sandbox": .bool(isSandbox)]
    case .fcm(let token): ["channel": "fcm", "token": .string(token)]
    }
  }
}

/// What data about the employee is stored, and why.
public struct PrivacyNotice: Hashable, Sendable {
  public let version: Int64
  public let text: String
  /// `nil` until the employee has confirmed having read it.
  public let readAt: Instant?
}

extension GuardSession {
  /// To be called at every start, and whenever the system issues a new token; `nil` removes it.
  public func setPushTarget(_ target: PushTarget?) async throws(AskingError) {
    _ = try await ask(target == nil ? "DELETE" : "PUT", "/v1/me/push-target", target?.json)
  }

  /// Says when a shift that ended at its time limit really ended. What was recorded after that is
  /// deleted.
  public func confirmEnd(of shift: Int64, at end: Instant) async throws(AskingError) -> GuardStatus
  {
    let object: JSONObject = ["shift": JSONValue(shift), "endedAt": JSONValue(end)]
    let fields = try await ask("POST", "/v1/confirm-end", object)
    guard let status = try? GuardStatus(fields) else { throw .unreadable }
    await take(status)
    return status
  }

  /// Adds a note to a span of an own shift, for managers to read. The same note again adds nothing.
  /// - Parameter text: 1 to 500 characters.
  public func addNote(
    _ text: String, to shift: Int64, from start: Instant, until end: Instant
  ) async throws(AskingError) {
    let object: JSONObject = [
      "from": JSONValue(start), "to": JSONValue(end), "text": .string(text),
    ]
    _ = try await ask("POST", "/v1/me/shifts/\(shift)/notes", object)
  }

  /// The newest privacy notice; `nil` if there is none.
  public func privacyNotice() async throws(AskingError) -> PrivacyNotice? {
    let fields = try await ask("GET", "/v1/me/privacy-notice")
    guard !fields.names.isEmpty else { return nil }
    do throws(BodyFault) {
      let version = try fields.integer("version", in: 1...Int64.max)
      return PrivacyNotice(
        version: try fields.required("version", version), text: try fields.shown("text"),
        readAt: try fields.instant("readAt"))
    } catch { throw .unreadable }
  }

  /// The employee confirms having read a version of the privacy notice.
  public func acknowledgePrivacyNotice(version: Int64) async throws(AskingError) {
    _ = try await ask("POST", "/v1/me/privacy-notice", ["version": JSONValue(version)])
  }

  /// The employee has read a notification: nothing more about it is pushed or mailed to them.
  public func acknowledge(_ notification: ShownNotification) async {
    if let finding = notification.finding { await acknowledge(FindingSet(finding)) }
  }

  /// - Returns: The answer's fields; none for an answer without a body.
  func ask(
    _ method: String, _ path: String, _ object: JSONObject? = nil
  ) async throws(AskingError) -> JSONFields {
    let enrolment = enrolments
    guard let token = await tokens.token() else { throw .unauthorized }
    let request = GuardRequest(
      method, path, token: token, language: settings.language,
      body: object.map { JSONValue.object($0).bytes })
    let response: GuardResponse
    do throws(NoResponse) { response = try await transport.send(request) } catch {
      throw .noResponse
    }
    await noteRefusal(response, of: token)
    guard enrolment == enrolments else { throw .unauthorized }
    let fields = JSONFields(ofBody: response.body.isEmpty ? Array("{}".utf8) : response.body)
    guard (200...299).contains(response.status) else {
      guard let problem = Problem(response.body) else { throw .unreadable }
      throw response.status == 401 ? .unauthorized : .refused(problem)
    }
    // A login page of a hotel answers 200, too; an answer without a body is 204.
    guard let fields, !response.body.isEmpty || response.status == 204 else { throw .unreadable }
    return fields
  }
}
