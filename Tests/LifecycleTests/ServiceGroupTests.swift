import Foundation
import Lifecycle
import Testing

/// Groups in this process handle no signals, so that tests do not affect each other.
@Suite("Service group", .timeLimit(.minutes(5))) struct ServiceGroupTests {
  let diary = Diary()

  func service(_ name: String, _ manner: Scripted.Manner) -> Scripted {
    Scripted(name: name, manner: manner, diary: diary)
  }

  func group(
    _ services: [Scripted], stopDeadline: Duration = .seconds(20),
    observe: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }
  ) -> ServiceGroup {
    ServiceGroup(services, stopDeadline: stopDeadline, signals: [], observe: observe)
  }

  @Test func `starts in order and stops in reverse order`() async {
    let (steps, step) = AsyncStream.makeStream(of: LifecycleEvent.self)
    let names = ["first", "second", "third"]
    let group = group(names.map { service($0, .patient) }) { step.yield($0) }
    let running = Task { await group.run() }
    var seen: [LifecycleEvent] = []
    for await event in steps {
      seen.append(event)
      if event == .started(service: "third") { running.cancel() }
      if event == .stopped(service: "first") { break }
    }
    #expect(
      seen == names.map { .started(service: $0) } + [.stopping(.cancelled)]
        + names.reversed().map { .stopped(service: $0) })
    #expect(await running.value == Ending(reason: .cancelled, leftBehind: []))
    // A service may begin to run as late as it is stopped.
    #expect(
      diary.all.filter { $0.hasSuffix(" stops") }
        == ["third stops", "second stops", "first stops"])
  }

  @Test func `a service that returns by itself stops the others`() async {
    let ending = await group([service("store", .patient), service("worker", .returns)]).run()
    #expect(ending == Ending(reason: .returned(service: "worker"), leftBehind: []))
    #expect(!ending.isClean)
    #expect(diary.all.last == "store stops")
  }

  @Test func `a service that throws stops the others and its error is reported`() async {
    let ending = await group([service("store", .throwsError), service("server", .patient)]).run()
    #expect(ending.reason == .failed(service: "store", detail: "no disk"))
    #expect(diary.all.contains("server stops"))
  }

  @Test func `a service that misses its deadline is left behind and the rest still stop`() async {
    let services = [
      service("store", .patient), service("mule", .stubborn), service("server", .returns),
    ]
    let ending = await group(services, stopDeadline: .milliseconds(20)).run()
    #expect(ending.leftBehind == ["mule"])
    #expect(diary.all.last == "store stops")
  }

  @Test func `draining begins when the group is to stop, and puts off the stop of the others`()
    async
  {
    let diary = diary
    let draining = Draining(for: .milliseconds(200)) { diary.write("drains") }
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let group = ServiceGroup([service("server", .patient), draining], signals: []) { event in
      if event == .started(service: "Draining") { step.yield() }
    }
    let running = Task { await group.run() }
    for await _ in steps { break }
    let start = ContinuousClock.now
    running.cancel()
    #expect(await running.value.isClean)
    #expect(start.duration(to: .now) >= .milliseconds(200))
    #expect(diary.all.suffix(2) == ["drains", "server stops"])
  }

  @Test func `an empty group waits until it is cancelled`() async {
    let group = group([])
    let running = Task { await group.run() }
    running.cancel()
    #expect(await running.value.isClean)
  }

  @Test func `the name of a service is its type unless it has its own`() {
    struct Listener: Service {
      func run() async throws {}
    }
    #expect(Listener().name == "Listener")
    #expect(service("mule", .stubborn).name == "mule")
  }
}

/// Each test sends signals to a separate process.
@Suite("Signals", .timeLimit(.minutes(5))) struct SignalTests {
  @Test(arguments: [SIGTERM, SIGINT]) func `a signal stops every service`(_ number: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [number] in
      let patient = Scripted(name: "patient", manner: .patient, diary: Diary())
      let ending = await ServiceGroup([patient]) { event in
        if event == .started(service: "patient") { raiseInProcess(number) }
      }.run()
      exit(ending == Ending(reason: .signal(number), leftBehind: []) && ending.isClean ? 7 : 1)
    }
  }

  @Test func `a second signal ends the process at once`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGINT)) {
      let mule = Scripted(name: "mule", manner: .stubborn, diary: Diary())
      _ = await ServiceGroup([mule], stopDeadline: .seconds(60)) { event in
        switch event {
        case .started: raiseInProcess(SIGTERM)
        case .stopping: raiseInProcess(SIGINT)
        default: exit(1)
        }
      }.run()
    }
  }

  @Test func `a broken pipe is an error for the writer, not a signal`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let idle = Scripted(name: "idle", manner: .returns, diary: Diary())
      _ = await ServiceGroup([idle]).run()
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      exit(write(ends[1], "x", 1) == -1 && errno == EPIPE ? 7 : 1)
    }
  }
}

/// Sends the signal to the process, as `kill` does; `raise` would pick the calling thread.
func raiseInProcess(_ number: Int32) { kill(getpid(), number) }
