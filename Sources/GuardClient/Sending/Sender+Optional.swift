import JSONText
import ShiftDomain

// Optional records.

extension Sender {
  /// The clock-in that `answer` decides on has left the queue, so this happens once.
  func noteDifference(of action: QueuedClockAction, in answer: JSONFields) {
    guard
      let json = RuleDifference.json(of: action, in: answer, rulesVersion: rulesVersion)
    else { return }
    add(optional: .ruleDifference(JSONValue.object(json).bytes))
  }

  /// Only an answer that may be different later keeps them: nobody needs to know why one was
  /// refused.
  func takeOptional(_ response: GuardResponse, to upload: Upload) -> Pause? {
    let isDone: Bool
    switch (response.status, upload.content) {
    case (401, _) where Problem(response.body) != nil:
      loseToken()
      return .unauthorized
    case (200, .appEvents):
      let fields = JSONFields(ofBody: response.body)
      isDone = fields.flatMap { ItemResult.results(in: $0, count: upload.count) } != nil
    case (204, .ruleDifference): isDone = true
    case (400, _), (404, _), (409, _), (413, _), (422, _): isDone = Problem(response.body) != nil
    default: isDone = false
    }
    guard isDone else { return failOptional(retryAfter: response.retryAfter) }
    optional.resume()
    removeOptional(upload.numbers)
    return nil
  }

  /// Nothing else waits for them, and the app need not know.
  func failOptional(retryAfter: TimeSpan?) -> Pause? {
    optional.fail(retryAfter: retryAfter, chance: clock.chance(), at: clock.now())
    return nil
  }
}
