import JSONText
import ShiftDomain

extension GuardSession {
  /// Receives notifications while the app is in the foreground, as events, until its task is
  /// cancelled, and asks for the state whenever it has changed. Connects again whenever the stream
  /// ends; returns when the token is not accepted. While it runs, a second call returns at once: a
  /// phone has one stream.
  public func listen() async {
    guard !isListening else { return }
    isListening = true
    defer { isListening = false }
    var backOff = BackOff()
    while !Task.isCancelled {
      guard let token = await tokens.token() else { return }
      var path = "/v1/me/events?appSession=\(appSession)"
      if let latestNotification { path += "&lastEventId=\(latestNotification)" }
      let request = GuardRequest("GET", path, token: token, language: settings.language)
      let (response, retry) = await receive(request)
      if let response, await noteRefusal(response, of: token) { return }
      let pause: TimeSpan
      if response?.status == 200, let retry {
        backOff.succeed()
        // A proxy that ends every stream must not make the phone spin.
        pause = .milliseconds(max(retry, 500))
      } else {
        pause = backOff.fail(retryAfter: response?.retryAfter, chance: clock.chance())
      }
      try? await Task.sleep(for: .milliseconds(pause.milliseconds))
    }
  }

  /// One connection, until it ends.
  private func receive(
    _ request: GuardRequest
  ) async -> (response: GuardResponse?, retry: Int64?) {
    let (parts, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    async let response = stream(request, to: continuation)
    var reader = EventStreamReader()
    for await part in parts {
      for event in reader.take(part) {
        // Another phone or a manager may have changed it.
        if event.name == "state" { _ = await refresh() }
        guard event.name == "notification",
          let fields = JSONFields(ofBody: Array(event.data.utf8)),
          let notification = try? ShownNotification(fields)
        else { continue }
        // After a reconnection, the server repeats nothing; a proxy may.
        guard notification.number > latestNotification ?? 0 else { continue }
        latestNotification = notification.number
        tell(.notification(notification))
      }
      // Where the stream began: what was written and not read comes again.
      latestNotification = latestNotification ?? reader.lastID.flatMap { Int64($0) }
    }
    return (await response, reader.retry)
  }

  private func stream(
    _ request: GuardRequest, to parts: AsyncStream<[UInt8]>.Continuation
  ) async -> GuardResponse? {
    defer { parts.finish() }
    return try? await transport.stream(request) { parts.yield($0) }
  }
}
