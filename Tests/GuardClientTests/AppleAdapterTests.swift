import Foundation
import TestPrograms
import Testing

/// Apple's frameworks are not here, so the adapter is compiled against what it uses of them. It has
/// never run on a device.
@Suite("The adapter for Apple's location") struct AppleAdapterTests {
  /// What it uses of Core Location, declared as there.
  private static let stubs = """
    @_exported import Foundation
    public enum CLAuthorizationStatus: Int32, Sendable {
      case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
    }
    public enum CLAccuracyAuthorization: Int, Sendable { case fullAccuracy, reducedAccuracy }
    public struct CLLocationCoordinate2D { public var latitude = 0.0, longitude = 0.0 }
    public class CLLocationSourceInformation: NSObject {
      public var isSimulatedBySoftware: Bool { false }
    }
    public class CLLocation: NSObject {
      public var coordinate: CLLocationCoordinate2D { .init() }
      public var horizontalAccuracy: Double { 0 }
      public var speed: Double { 0 }
      public var course: Double { 0 }
      public var altitude: Double { 0 }
      public var timestamp: Date { Date() }
      public var sourceInformation: CLLocationSourceInformation? { nil }
    }
    public protocol CLLocationManagerDelegate: NSObjectProtocol {
      func locationManager(_ manager: CLLocationManager, didUpdateLocations found: [CLLocation])
      func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    }
    public class CLLocationManager: NSObject {
      public weak var delegate: (any CLLocationManagerDelegate)?
      public static func locationServicesEnabled() -> Bool { true }
      public var authorizationStatus: CLAuthorizationStatus { .denied }
      public var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
      public func requestLocation() {}
    }
    """

  @Test func `compiles as the documentation has it`() async throws {
    let folder = try TestFolder()
    let page = try String(
      contentsOf: projectFolder.appending(path: "deploy/docs/apple-adapter.md"), encoding: .utf8)
    let code = page.components(separatedBy: "```")[1].dropFirst("swift".count)
    try write(String(code), to: "AppLocation.swift", in: folder)
    try write(Self.stubs, to: "CoreLocation.swift", in: folder)
    try await compile(
      "-emit-module", "-parse-as-library", "-module-name", "CoreLocation", "-o",
      folder.path + "/CoreLocation.swiftmodule", folder.path + "/CoreLocation.swift")
    let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "Modules").path
    let memory = projectFolder.appending(path: "Sources/CMalloc/module.modulemap").path
    try await compile(
      "-typecheck", "-swift-version", "6", "-I", folder.path, "-I", modules, "-Xcc",
      "-fmodule-map-file=\(memory)", folder.path + "/AppLocation.swift")
  }

  private func write(_ text: String, to name: String, in folder: TestFolder) throws {
    try text.write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
  }

  private func compile(_ arguments: String...) async throws {
    let outcome = try await ChildProgram(["swiftc"] + arguments).outcome()
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
