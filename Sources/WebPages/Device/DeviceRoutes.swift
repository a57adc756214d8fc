import HTTPAPI
import HTTPServing
import NotificationOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// Time between two looks at the result of a test: another instance may send it.
  private static let pause = Duration.milliseconds(250)

  var deviceRoutes: [AccessRoute] {
    let path = "/employees/{employee}/devices/{device}"
    return [
      page(path, .administrator) { request, _ in
        let test = request.queryValue("test").flatMap { NotificationID(key: $0) }
        return .page(try await deviceView(in: request, awaiting: test).page)
      },
      form(path + "/test", .administrator) { request, _, principal in
        let device = try request.pathDevice
        do {
          let test = try await operations.notifications.sendTest(toDevice: device, by: principal)
            .get()
          return .seeOther("\(device.path)?test=\(test.id(ofDevice: device.number).key)")
        } catch {
          return try await deviceView(in: request, awaiting: nil).refused(by: error)
        }
      },
    ]
  }

  /// - Parameter test: A test that was just sent; its result is waited for, but not for long.
  private func deviceView(in request: HTTPRequest, awaiting test: NotificationID?) async throws
    -> DeviceView
  {
    let employee = try await employee(in: request)
    let device = try request.pathDevice
    let end = ContinuousClock.now + settings.testPatience
    while true {
      let support = try await operations.people.support(of: device)
      let view = DeviceView(
        employee: employee, support: support,
        clock: try TeamClock(zone: employee.team.timeZone, now: support.asOf),
        test: test.flatMap { $0.testedDevice == device.number ? $0 : nil })
      if !view.waitsForTest || ContinuousClock.now >= end { return view }
      try await Task.sleep(for: Self.pause)
    }
  }
}

extension DeviceID {
  /// Of its page.
  var path: String { "/employees/\(employee.rawValue)/devices/\(number)" }
}
