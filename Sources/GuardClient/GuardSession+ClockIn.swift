import JSONText
import ShiftDomain

extension GuardSession {
  /// The employee wants to clock in: reads the permission and returns what to show.
  public func beginClockIn() async throws(DiskQueueError) -> ClockInStep {
    flowRules = memory.rules
    flow = ClockInFlow(
      policy: flowRules?.policy ?? settings.policy, platform: settings.phone.platform,
      systemVersion: settings.phone.systemMajor, memory: flowMemory)
    return try await check()
  }

  /// Takes what the employee did and returns what to show next. At `.clockIn`, the clock-in is on
  /// disk already; its result comes as an event. Without a flow, `.check`.
  public func answerClockIn(_ answer: ClockInAnswer) async throws(DiskQueueError) -> ClockInStep {
    let step = try await advance(answer)
    return step == .check ? try await check() : step
  }

  /// The system's dialog has closed: reads the permission and returns what to show next.
  public func dialogClosed() async throws(DiskQueueError) -> ClockInStep { try await check() }

  /// - Returns: The id of the clock action.
  public func clockOut() async throws(DiskQueueError) -> String {
    try await clockAction(.clockOut)
  }

  /// Declines the shift that a manager opened and that waits for confirmation; a clock-in confirms
  /// it instead.
  /// - Returns: The id of the clock action.
  public func decline() async throws(DiskQueueError) -> String {
    try await clockAction(.decline)
  }

  /// - Returns: The id of the clock action.
  public func startBreak() async throws(DiskQueueError) -> String {
    try await clockAction(.breakStart)
  }

  /// - Returns: The id of the clock action.
  public func endBreak() async throws(DiskQueueError) -> String {
    try await clockAction(.breakEnd)
  }

  /// Makes this phone the tracking phone of the open shift.
  /// - Returns: The id of the clock action.
  public func takeOver() async throws(DiskQueueError) -> String {
    try await clockAction(.takeOver, on: await readPermission())
  }

  /// Clocks in in spite of a block, where the policy lets employees do that with a reason.
  /// - Parameter reason: 1 to 500 characters.
  /// - Returns: The id of the clock action.
  public func clockIn(inSpiteOfBlock reason: String) async throws(DiskQueueError) -> String {
    var permission = await readPermission()
    if await locateForClockIn(state(of: permission)) { permission = await readPermission() }
    return try await clockAction(
      .clockIn, on: permission, by: memory.rules, overrideReason: reason)
  }

  private func check() async throws(DiskQueueError) -> ClockInStep {
    var permission = await readPermission()
    if await locateForClockIn(state(of: permission)) { permission = await readPermission() }
    guard flow?.step.isEnd == false else { return flow?.step ?? .check }
    flowPermission = permission
    let state = state(of: permission)
    let policy = flowRules?.policy ?? settings.policy
    flow?.found = placeAndPlanFindings(at: clock.now(), under: policy)
    if case .dialog = flow?.step { await note(.dialogAnswered(state.authorization)) }
    let step = try await advance(.checked(state))
    await noteReading(permission)
    return step
  }

  /// Moves the flow; at its end, the clock-in is stored.
  func advance(_ answer: ClockInAnswer) async throws(DiskQueueError) -> ClockInStep {
    guard var flow, !flow.step.isEnd else { return self.flow?.step ?? .check }
    let before = flow
    let step = flow.take(answer)
    self.flow = flow
    flowMemory = flow.memory
    if memory.askedForBackground != flowMemory.askedForBackground {
      memory.askedForBackground = flowMemory.askedForBackground
      try keepMemory()
    }
    if case .clockIn(let ready) = step {
      await locateForClockIn(ready.state)
      do throws(DiskQueueError) {
        _ = try await clockAction(.clockIn, on: flowPermission, by: flowRules)
      } catch {
        // It was not stored, so the employee is where they were.
        self.flow = before
        throw error
      }
    }
    if step != before.step { await note(step) }
    return step
  }
}
