/// Runs handlers on an event loop's own thread, between its sockets: no thread has to be woken, but
/// a long computation delays the loop's other connections.
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

  /// For jobs after the loop's end: a task that is never resumed would never release its resources.
  static func runElsewhere(_ job: UnownedJob) {
    globalConcurrentExecutor.enqueue(job)
  }
}
