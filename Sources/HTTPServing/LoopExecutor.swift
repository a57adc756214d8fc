/// Runs handlers on an event loop's own thread, between its sockets: nobody has to be woken up, but
/// whoever computes for long keeps the loop's other connections waiting.
final class LoopExecutor: TaskExecutor {
  private let mailbox: Mailbox<LoopMessage>

  init(_ mailbox: Mailbox<LoopMessage>) { self.mailbox = mailbox }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !mailbox.post(.job(job)) { Self.runElsewhere(job) }
  }

  /// To be called on the loop's thread.
  func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// When the loop has ended: a task that is never resumed would never let go of what it holds.
  static func runElsewhere(_ job: UnownedJob) {
    globalConcurrentExecutor.enqueue(job)
  }
}
