import JSONText
public import ShiftDomain

// Requests that are not queued: their answers matter now or not at all.

extension GuardSession {
  /// Exchanges a code for a token, which goes to the `TokenStore`. What an earlier enrolment had
  /// not sent is removed, because the server would take it for this one's.
  public func enrol(code: String) async throws(EnrolmentError) -> Enrolment {
    let request = GuardRequest.enrolment(
      code: code, phone: settings.phone, language: settings.language)
    let response: GuardResponse
    do throws(NoResponse) {
      response = try await transport.send(request)
    } catch { throw .noResponse }
    guard response.status == 201, let fields = JSONFields(ofBody: response.body),
      let token = try? fields.shown("token"), isUsable(token),
      let employee = try? fields.integer("employee", in: 1...Int64(Int32.max)),
      let device = try? fields.integer("device", in: 1...Int64(Int16.max))
    else { throw .refused(code: Problem(response.body)?.code) }
    // Nothing may be sent with the token of another enrolment, even if the app ends here.
    forgetEmployee()
    await sender.stop()
    do throws(DiskQueueError) {
      let discarded = try await sender.removeAll()
      await tokens.store(token)
      // Again: until now, answers to the earlier token counted.
      forgetEmployee()
      await resume()
      let notice = try? fields.object("privacyNotice")
      return Enrolment(
        employee: employee, device: device, privacyNotice: notice.flatMap { try? $0.shown("text") },
        discarded: discarded)
    } catch {
      await resume()
      throw .disk(error)
    }
  }

  /// Whether `text` can be a header's value: an answer must not add headers to later requests.
  private func isUsable(_ text: String) -> Bool {
    (1...500).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// The token was renewed, or the employee asks to try again at once.
  public func resume() async {
    await sender.resume()
    wake()
  }

  /// The employee has acknowledged these findings: their warning is not shown again in this run of
  /// the app, here at once and by the server when it is reached.
  public func acknowledge(_ findings: FindingSet) async {
    flowMemory.acknowledged.formUnion(findings)
    unsentAcknowledgement.formUnion(findings)
    await sendAcknowledgement()
  }

  /// Asks the server for the current state, which also comes as an event; `nil` without an answer.
  /// The server sends nothing that is known from the call before.
  public func refresh() async -> GuardStatus? {
    // The answer must know the report of the start. It does not wait for a long queue.
    if debounce.isOver(at: clock.now()), await sender.count <= Upload.pingsMax {
      await sender.flush()
    }
    return await state()
  }

  private func state() async -> GuardStatus? {
    await status(answeringTo: "GET", "/v1/me?appSession=\(appSession)", knownTag: known?.tag)
  }

  func sendAcknowledgement() async {
    let findings = unsentAcknowledgement
    guard !findings.isEmpty else { return }
    let object: JSONObject = [
      "appSession": .string(appSession),
      "findings": .array(findings.ranked.map { JSONValue(word: $0) }),
    ]
    let body = JSONValue.object(object).bytes
    let answer = await status(answeringTo: "POST", "/v1/acknowledgements", body: body)
    if answer != nil { unsentAcknowledgement.subtract(findings) }
  }

  private func status(
    answeringTo method: String, _ path: String, knownTag: String? = nil, body: [UInt8]? = nil
  ) async -> GuardStatus? {
    let enrolment = enrolments
    guard let token = await tokens.token() else { return nil }
    let request = GuardRequest(
      method, path, token: token, language: settings.language, knownTag: knownTag, body: body)
    guard let response = try? await transport.send(request) else { return nil }
    await noteRefusal(response, of: token)
    // Without a wait in between: nothing of an earlier enrolment may be taken for the new one's.
    guard enrolment == enrolments, let status = status(in: response, to: request)
    else { return nil }
    if request.method == "GET" { remember(status, from: response) }
    await take(status)
    return status
  }

  private func remember(_ status: GuardStatus, from response: GuardResponse) {
    if let tag = response.tag, isUsable(tag) {
      known = (tag, status)
    } else if response.status != 304 {
      known = nil
    }
  }

  private func status(in response: GuardResponse, to request: GuardRequest) -> GuardStatus? {
    switch response.status {
    case 200: GuardStatus(response.body)
    // The state is what it was; the tag may be another one.
    case 304 where request.knownTag != nil && request.knownTag == known?.tag: known?.status
    default: nil
    }
  }

  func take(_ status: GuardStatus) async {
    skew = status.skew
    keep(status.tracking, status.rules)
    tell(.status(status))
    await sender.take(status)
    await hold(status)
  }

  /// - Returns: Whether `token` is not accepted any more, of which the app is told. The answer may
  ///   be to one that an enrolment has replaced meanwhile.
  @discardableResult func noteRefusal(_ response: GuardResponse, of token: String) async -> Bool {
    guard response.status == 401, Problem(response.body) != nil, await tokens.token() == token
    else { return false }
    await sender.loseToken()
    return true
  }
}

extension GuardRequest {
  /// - Parameter canReport: Whether the app can report the permission, as every app with this
  ///   library can.
  package static func enrolment(
    code: String, phone: PhoneDescription, canReport: Bool = true, language: String? = nil
  ) -> GuardRequest {
    let object: JSONObject = [
      "code": .string(code), "platform": JSONValue(word: phone.platform),
      "canReport": canReport ? nil : .bool(false),
    ]
    return GuardRequest(
      "POST", "/v1/enrolments", language: language,
      body: JSONValue.object(object.adding(phone.deviceJSON)).bytes)
  }
}
