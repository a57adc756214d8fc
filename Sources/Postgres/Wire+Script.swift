internal import CLibpq

extension Wire {
  /// Runs several statements of one text, which the server takes only outside pipeline mode.
  func perform(script: String, until deadline: ContinuousClock.Instant) throws(Failure) {
    guard !interrupt.isRaised else { throw .cancelled }
    guard ContinuousClock.now < deadline else { throw .late }
    guard !script.utf8.contains(0) else { throw .ours(.unstorable(detail: "script holds U+0000")) }
    isInStep = false
    roundTrips += 1
    guard unsafe PQexitPipelineMode(raw) == 1, unsafe PQsendQuery(raw, script) == 1 else {
      throw .brokenLine
    }
    var failure: Failure?
    while true {
      try awaitAnswer(until: deadline, uninterrupted: false)
      guard let pointer = unsafe PQgetResult(raw) else { break }
      let result = unsafe RawResult(owning: pointer)
      guard ![PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(result.status) else {
        continue
      }
      let refusal = Refusal(result)
      guard unsafe PQstatus(raw) == CONNECTION_OK, !refusal.isFatal else { throw .brokenLine }
      failure = failure ?? .refused(refusal, position: 0)
    }
    guard unsafe PQenterPipelineMode(raw) == 1 else { throw .brokenLine }
    isInStep = true
    if let failure { throw failure }
  }
}
