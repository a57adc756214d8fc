// swift-tools-version: 6.2
import PackageDescription

/// Our scripts set $SHIFTGUARD_STRICT. In an app that depends on the package, a warning of a newer
/// compiler must not be an error.
let noWarnings: [SwiftSetting] =
  Context.environment["SHIFTGUARD_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// Every target is built alike: data-race safety, no pointer without the word `unsafe`, and in our own
/// builds no warning.
let strict: [SwiftSetting] =
  [.strictMemorySafety(), .enableUpcomingFeature("ExistentialAny")] + noWarnings

/// Besides, of the modules in which our tests compute most: optimised, they take a fraction of the
/// time. An app could not depend on a package with such a flag.
let fast: [SwiftSetting] =
  Context.environment["SHIFTGUARD_STRICT"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A module of ours. `Sources/NAME` holds it, `Tests/NAMETests` proves it.
func module(
  _ name: String, _ dependencies: Target.Dependency..., besides more: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + more)
}

/// A module that is no part of the product.
func module(
  _ name: String, in folder: String, _ dependencies: Target.Dependency...,
  besides more: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)",
    swiftSettings: strict + more)
}

/// A module of ours that carries files inside the program, so that it finds them wherever it is
/// installed.
func module(
  _ name: String, _ dependencies: Target.Dependency..., embedding files: [String]
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) },
    swiftSettings: strict)
}

func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Macro expansions of Swift Testing are not ours to mark `unsafe`, so tests go without that check.
func tests(
  of name: String, _ dependencies: Target.Dependency..., excluding others: [String] = [],
  resources: [Resource] = [], besides more: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, exclude: others, resources: resources,
    swiftSettings: [.enableUpcomingFeature("ExistentialAny")] + noWarnings + more)
}

/// The commit of a build that names it in $SHIFTGUARD_COMMIT, by its first 12 digits; 0: unknown.
/// Another one compiles one file of C and links again.
let commit: String = {
  let digits = (Context.environment["SHIFTGUARD_COMMIT"] ?? "").prefix(12)
  return UInt64(digits, radix: 16).map { _ in "0x\(digits)" } ?? "0"
}()

let package = Package(
  name: "shiftguard",
  // Of the client library; the programs are for Linux.
  platforms: [.iOS(.v17), .macOS(.v15)],
  products: [
    .executable(name: "guardd", targets: ["guardd"]),
    .executable(name: "guardctl", targets: ["guardctl"]),
    .executable(name: "guardsim", targets: ["guardsim"]),
    .executable(name: "guardphone", targets: ["guardphone"]),
    .library(name: "GuardClient", targets: ["GuardClient", "GuardRules", "ShiftDomain"]),
  ],
  targets: [
    // Layer 0: values, C module maps, what every program needs.
    module("ShiftDomain", besides: fast),
    module("Lifecycle"),
    .target(name: "CBuild", cSettings: [.define("SHIFTGUARD_COMMIT", to: commit)]),
    .systemLibrary(name: "CMalloc"),
    module("SystemCalls", "CMalloc"),
    module("Telemetry", "Lifecycle", "ShiftDomain", "SystemCalls"),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibevent", pkgConfig: "libevent", providers: [.apt(["libevent-dev"])]),
    .systemLibrary(
      name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Layer 1: the rules, the texts, what lists and pages show, and one wrapper for each C library.
    module("GuardRules", "ShiftDomain", besides: fast),
    module("GuardRulesWasm", "GuardRules", "ShiftDomain"),
    module("CivilTime", "GuardRules", "ShiftDomain"),
    module("Guidance", "GuardRules", "ShiftDomain"),
    module("JSONText", "ShiftDomain", besides: fast),
    module("PhoneProtocols", "GuardRules", "JSONText", "ShiftDomain"),
    module("Postgres", "CLibpq", "Lifecycle", "ShiftDomain", besides: fast),
    module("HTTPServing", "CLibevent", "JSONText", "Lifecycle", "SystemCalls"),
    module("HTTPSending", "CLibcurl", "Lifecycle"),
    module("Cryptography", "COpenSSL"),
    module("QREncoding", "CQRencode"),
    module("GzipEncoding", "CZlib"),
    module("CommandParsing"),
    module("CSVReading"),
    module("ReadModels", "CivilTime", "Cryptography", "GuardRules", "Guidance", "ShiftDomain"),

    // Layer 2: every statement.
    module("ShiftStore", "GuardRules", "Postgres", "ReadModels", "ShiftDomain"),
    module("NotificationQueue", "GuardRules", "Postgres", "ReadModels", "ShiftDomain"),
    module(
      "NotificationSending", "Cryptography", "HTTPSending", "JSONText", "Lifecycle", "ShiftDomain"),
    module(
      "IngestPipeline", "Cryptography", "GuardRules", "Lifecycle", "Postgres", "ReadModels",
      "ShiftDomain", "ShiftStore"),
    module("LiveEvents", "Lifecycle", "Postgres", "Telemetry"),
    module(
      "APIJSON", "CivilTime", "GuardRules", "Guidance", "JSONText", "ReadModels", "ShiftDomain"),

    // Layer 2, for apps: the phone's side of the API. It uses nothing that is only on servers.
    module("GuardClient", "GuardRules", "JSONText", "ShiftDomain", "SystemCalls"),

    // Layer 3: the use cases.
    module(
      "OperationCore", "CivilTime", "Cryptography", "GuardRules", "Guidance", "Lifecycle",
      "NotificationQueue",
      "Postgres", "ReadModels", "ShiftDomain", "ShiftStore"),
    module(
      "DeviceOperations", "Cryptography", "GuardRules", "Guidance", "IngestPipeline", "Lifecycle",
      "NotificationQueue", "OperationCore", "PhoneProtocols", "Postgres", "ReadModels",
      "ShiftDomain", "ShiftStore"),
    module(
      "ManagerCore", "GuardRules", "Lifecycle", "OperationCore", "Postgres",
      "ReadModels", "ShiftDomain", "ShiftStore", "SystemCalls"),
    module(
      "PeopleOperations", "CSVReading", "CivilTime", "Cryptography", "GuardRules", "Guidance",
      "ManagerCore", "NotificationQueue", "OperationCore", "PhoneProtocols", "Postgres",
      "ReadModels", "ShiftDomain", "ShiftStore"),
    module(
      "PolicyOperations", "GuardRules", "Guidance", "ManagerCore", "NotificationQueue",
      "OperationCore", "Postgres", "ReadModels", "ShiftDomain", "ShiftStore"),
    module(
      "InsightOperations", "CivilTime", "GuardRules", "Lifecycle", "ManagerCore",
      "NotificationQueue", "OperationCore", "Postgres", "ReadModels", "ShiftDomain", "ShiftStore"),
    module(
      "ReviewOperations", "CivilTime", "GuardRules", "InsightOperations", "Lifecycle",
      "ManagerCore", "NotificationQueue", "OperationCore", "Postgres", "ReadModels", "ShiftDomain",
      "ShiftStore"),
    module(
      "NotificationOperations", "CivilTime", "Cryptography", "GuardRules", "Guidance",
      "ManagerCore", "NotificationQueue", "OperationCore", "Postgres", "ReadModels", "ShiftDomain",
      "ShiftStore"),
    module(
      "InstallationOperations", "Cryptography", "DeviceOperations", "GuardRules", "Lifecycle",
      "ManagerCore", "OperationCore", "Postgres", "ReadModels", "ShiftDomain", "ShiftStore"),
    module(
      "ManagerOperations", "InsightOperations", "InstallationOperations", "ManagerCore",
      "NotificationOperations", "OperationCore", "PeopleOperations", "PolicyOperations", "Postgres",
      "ReviewOperations"),
    module(
      "BackgroundOperations", "CivilTime", "GuardRules", "Guidance", "InsightOperations",
      "ManagerCore", "NotificationQueue", "OperationCore", "PolicyOperations", "Postgres",
      "ReadModels", "ShiftDomain", "ShiftStore"),

    // Layer 4: the workers, and routes and JSON.
    module(
      "BackgroundWorkers", "BackgroundOperations", "Lifecycle", "OperationCore", "ReadModels",
      "ShiftDomain", "Telemetry"),
    module(
      "NotificationDelivery", "BackgroundOperations", "GuardRules", "Guidance", "JSONText",
      "Lifecycle", "NotificationSending", "OperationCore", "ReadModels", "ShiftDomain",
      "Telemetry"),
    module(
      "HTTPAPI", "HTTPServing", "JSONText", "Lifecycle", "OperationCore", "ReadModels",
      "ShiftDomain"),
    module(
      "ManagerAccess", "HTTPAPI", "HTTPServing", "InstallationOperations", "Lifecycle",
      "ManagerCore", "ManagerOperations", "OperationCore", "PeopleOperations", "ReadModels",
      "ShiftDomain"),
    module(
      "DeviceAPI", "APIJSON", "Cryptography", "DeviceOperations", "GuardRules", "Guidance",
      "HTTPAPI", "HTTPServing", "JSONText", "Lifecycle", "LiveEvents", "OperationCore",
      "PhoneProtocols", "ReadModels", "ShiftDomain", "Telemetry"),
    module(
      "ManagerAPI", "APIJSON", "CivilTime", "GuardRules", "Guidance", "HTTPAPI", "HTTPServing",
      "InsightOperations", "InstallationOperations", "JSONText", "Lifecycle", "LiveEvents",
      "ManagerAccess", "ManagerCore", "ManagerOperations", "NotificationOperations",
      "OperationCore", "PeopleOperations", "PolicyOperations", "ReadModels", "ReviewOperations",
      "ShiftDomain", "Telemetry"),
    module(
      "WebPages", "CivilTime", "Cryptography", "GuardRules", "Guidance", "HTTPAPI", "HTTPServing",
      "InsightOperations", "InstallationOperations", "Lifecycle", "ManagerAccess", "ManagerCore",
      "ManagerOperations", "NotificationOperations", "OperationCore", "PeopleOperations",
      "PhoneProtocols", "PolicyOperations", "QREncoding", "ReadModels", "ReviewOperations",
      "ShiftDomain",
      embedding: [
        "Assets/pages.css", "Assets/pages.js", "Assets/board.js", "Assets/board-worker.js",
        "Assets/icon.svg", "Assets/manifest.webmanifest",
      ]),
    module(
      "EmployeePage", "APIJSON", "Cryptography", "GuardRules", "Guidance", "GzipEncoding",
      "HTTPAPI", "HTTPServing", "JSONText", "ShiftDomain",
      embedding: ["Assets"]),

    module(
      "ServiceSettings", "CBuild", "CommandParsing", "Cryptography", "HTTPSending", "JSONText",
      "NotificationSending", "Postgres", "ReadModels", "ShiftDomain", "SystemCalls", "Telemetry"),

    // Layer 5: wiring.
    program(
      "guardd", "BackgroundOperations", "BackgroundWorkers", "CommandParsing", "Cryptography",
      "DeviceAPI", "DeviceOperations", "EmployeePage", "GuardRules", "HTTPAPI", "HTTPSending",
      "HTTPServing", "IngestPipeline", "InsightOperations", "InstallationOperations", "JSONText",
      "Lifecycle", "LiveEvents", "ManagerAPI", "ManagerCore", "ManagerOperations",
      "NotificationDelivery", "NotificationSending", "OperationCore", "PolicyOperations",
      "Postgres", "ReadModels", "ServiceSettings", "ShiftDomain", "ShiftStore", "SystemCalls",
      "Telemetry", "WebPages"),
    program(
      "guardctl", "APIJSON", "CivilTime", "CommandParsing", "GuardRules", "Guidance", "HTTPSending",
      "InsightOperations", "InstallationOperations", "JSONText", "Lifecycle", "ManagerCore",
      "ManagerOperations", "NotificationOperations", "OperationCore", "PeopleOperations",
      "PhoneProtocols", "PolicyOperations", "Postgres", "QREncoding", "ReadModels",
      "ReviewOperations", "ServiceSettings", "ShiftDomain", "ShiftStore", "SystemCalls"),

    // Tools: made-up shifts, phones and load.
    module("GuardSimulation", in: "Tools", "GuardRules", "ShiftDomain", besides: fast),
    module("ClientTransport", in: "Tools", "GuardClient", "HTTPSending", "ShiftDomain"),
    module(
      "PhoneSimulation", in: "Tools", "ClientTransport", "GuardClient", "HTTPSending", "JSONText",
      "ShiftDomain"),
    module(
      "LoadSimulation", in: "Tools", "ClientTransport", "GuardClient", "GuardSimulation",
      "HTTPSending", "JSONText", "Lifecycle", "PhoneSimulation", "ShiftDomain"),
    .executableTarget(
      name: "guardsim",
      dependencies: [
        "CommandParsing", "GuardRules", "GuardSimulation", "HTTPSending", "JSONText", "Lifecycle",
        "LoadSimulation", "PhoneSimulation", "Postgres", "ShiftDomain", "ShiftStore",
      ],
      path: "Sources/Tools/guardsim", swiftSettings: strict),

    // Tools: the client library on this machine.
    .executableTarget(
      name: "guardphone",
      dependencies: [
        "ClientTransport", "CommandParsing", "GuardClient", "GuardRules", "HTTPSending",
        "Lifecycle", "PhoneSimulation", "ShiftDomain",
      ],
      path: "Sources/Tools/guardphone", swiftSettings: strict),

    // Test kits.
    .systemLibrary(name: "CSpawn", path: "Sources/TestKits/CSpawn"),
    module("TestPrograms", in: "TestKits", "CSpawn", "Lifecycle"),
    module("TestNumbers", in: "TestKits"),
    module(
      "TestKit", in: "TestKits", "HTTPSending", "HTTPServing", "Lifecycle", "Postgres",
      "ShiftStore", "Telemetry", "TestNumbers", "TestPrograms"),
    module(
      "ShiftTestKit", in: "TestKits", "BackgroundOperations", "Cryptography", "DeviceOperations",
      "GuardRules", "Guidance", "HTTPServing", "IngestPipeline", "InsightOperations",
      "InstallationOperations", "JSONText", "Lifecycle", "ManagerCore", "ManagerOperations",
      "NotificationOperations", "OperationCore", "PeopleOperations", "PolicyOperations", "Postgres",
      "ReadModels", "ReviewOperations", "ShiftDomain", "ShiftStore", "SystemCalls", "TestKit"),

    // Tests.
    tests(of: "ShiftDomain", "ShiftDomain"),
    tests(
      of: "GuardRules", "GuardRules", "ShiftDomain", "TestNumbers", "TestPrograms",
      resources: [.copy("Fixtures"), .copy("coverage_reference.py")]),
    tests(
      of: "GuardRulesWasm", "GuardRules", "GuardRulesWasm", "ShiftDomain", "TestNumbers",
      "TestPrograms",
      resources: [.copy("run.mjs")]),
    tests(of: "GuardSimulation", "GuardRules", "GuardSimulation", "ShiftDomain"),
    tests(of: "Guidance", "GuardRules", "Guidance", "ShiftDomain"),
    tests(of: "SystemCalls", "SystemCalls"),
    tests(
      of: "GuardClient", "GuardClient", "GuardRules", "GuardRulesWasm", "JSONText", "ShiftDomain",
      "SystemCalls", "TestPrograms"),
    tests(of: "Postgres", "Postgres", "ShiftDomain", "TestKit"),
    tests(of: "HTTPServing", "HTTPServing", "JSONText", "Lifecycle", "SystemCalls", "TestKit"),
    tests(of: "HTTPSending", "HTTPSending", "HTTPServing", "Lifecycle", "TestKit"),
    tests(of: "Lifecycle", "Lifecycle", "TestKit"),
    tests(of: "Telemetry", "Lifecycle", "Telemetry", "TestPrograms"),
    tests(of: "Cryptography", "Cryptography"),
    tests(of: "QREncoding", "QREncoding"),
    tests(of: "GzipEncoding", "GzipEncoding", "TestPrograms"),
    tests(of: "CommandParsing", "CommandParsing", "TestPrograms"),
    tests(
      of: "PhoneSimulation", "GuardClient", "HTTPSending", "HTTPServing", "Lifecycle",
      "PhoneSimulation", "ShiftDomain", "TestKit"),
    tests(
      of: "LoadSimulation", "GuardClient", "HTTPServing", "JSONText", "Lifecycle", "LoadSimulation",
      "ShiftDomain", "TestKit"),
    tests(
      of: "Operations", "BackgroundOperations", "CivilTime", "DeviceOperations", "GuardRules",
      "IngestPipeline", "InsightOperations", "InstallationOperations", "Lifecycle", "ManagerCore",
      "ManagerOperations", "NotificationOperations", "NotificationQueue", "OperationCore",
      "PeopleOperations", "PolicyOperations", "Postgres", "ReadModels", "ReviewOperations",
      "ShiftDomain", "ShiftTestKit", "TestKit"),
    tests(
      of: "ShiftStore", "GuardRules", "Postgres", "ReadModels", "ShiftDomain", "ShiftStore",
      "TestKit", "TestPrograms"),
    tests(
      of: "guardctl", "APIJSON", "BackgroundOperations", "CivilTime", "CommandParsing",
      "DeviceOperations", "GuardRules", "Guidance", "HTTPServing", "InsightOperations",
      "InstallationOperations", "JSONText", "ManagerAPI", "ManagerCore", "OperationCore",
      "PeopleOperations", "Postgres", "QREncoding", "ReadModels", "ServiceSettings", "ShiftDomain",
      "ShiftStore", "ShiftTestKit", "SystemCalls", "TestKit", "TestPrograms", "guardctl"),
    tests(of: "JSONText", "JSONText", "ShiftDomain", "TestNumbers"),
    tests(
      of: "PhoneProtocols", "GuardRules", "JSONText", "PhoneProtocols", "ShiftDomain",
      "TestNumbers"),
    tests(of: "CSVReading", "CSVReading"),
    tests(
      of: "NotificationSending", "Cryptography", "HTTPSending", "JSONText", "Lifecycle",
      "NotificationSending", "ShiftDomain", "TestKit", "TestPrograms",
      resources: [.copy("Peers")]),
    tests(of: "LiveEvents", "Lifecycle", "Telemetry", "LiveEvents", "Postgres", "TestKit"),
    tests(of: "HTTPAPI", "HTTPAPI", "HTTPServing"),
    tests(
      of: "DeviceAPI", "BackgroundOperations", "DeviceAPI", "DeviceOperations", "GuardClient",
      "GuardRules", "HTTPAPI", "HTTPServing", "InsightOperations", "InstallationOperations",
      "JSONText", "Lifecycle", "LiveEvents", "ManagerCore", "NotificationDelivery",
      "NotificationOperations", "NotificationQueue", "OperationCore", "PeopleOperations",
      "PolicyOperations", "Postgres", "ReadModels", "ReviewOperations", "ShiftDomain", "ShiftStore",
      "ShiftTestKit", "Telemetry", "TestKit"),
    tests(
      of: "ManagerAPI", "BackgroundOperations", "CivilTime", "Cryptography", "DeviceAPI",
      "DeviceOperations", "GuardRules", "Guidance", "HTTPAPI", "HTTPSending", "HTTPServing",
      "InsightOperations", "InstallationOperations", "JSONText", "Lifecycle", "ManagerAPI",
      "ManagerAccess", "ManagerCore", "ManagerOperations", "NotificationOperations",
      "OperationCore", "PeopleOperations", "PolicyOperations", "Postgres", "ReadModels",
      "ReviewOperations", "ShiftDomain", "ShiftStore", "ShiftTestKit", "Telemetry", "TestKit",
      "TestPrograms", "WebPages"),
    tests(
      of: "WebPages", "BackgroundOperations", "CivilTime", "DeviceOperations", "GuardRules",
      "Guidance", "HTTPAPI", "HTTPServing", "InsightOperations", "InstallationOperations",
      "Lifecycle", "ManagerCore", "NotificationOperations", "OperationCore", "PeopleOperations",
      "PolicyOperations", "Postgres", "ReadModels", "ReviewOperations", "ShiftDomain",
      "ShiftTestKit", "TestKit", "TestPrograms", "WebPages", excluding: ["Browser"]),
    tests(
      of: "EmployeePage", "BackgroundOperations", "DeviceAPI", "EmployeePage", "GuardRules",
      "Guidance", "HTTPAPI", "HTTPServing", "InsightOperations", "InstallationOperations",
      "JSONText", "Lifecycle", "ManagerAPI", "NotificationQueue", "PeopleOperations",
      "PolicyOperations", "Postgres", "ReviewOperations", "ShiftDomain", "ShiftTestKit",
      "Telemetry", "TestKit", "TestPrograms", "WebPages", excluding: ["Browser"]),
    tests(
      of: "BackgroundWorkers", "BackgroundOperations", "BackgroundWorkers", "DeviceOperations",
      "GuardRules", "InsightOperations", "Lifecycle", "NotificationOperations", "OperationCore",
      "PeopleOperations", "PolicyOperations", "Postgres", "ReadModels", "ShiftDomain", "ShiftStore",
      "ShiftTestKit", "Telemetry", "TestKit"),
    tests(
      of: "NotificationDelivery", "BackgroundOperations", "DeviceOperations", "GuardRules",
      "Guidance", "HTTPSending", "HTTPServing", "InsightOperations", "InstallationOperations",
      "JSONText", "Lifecycle", "ManagerCore", "NotificationDelivery", "NotificationOperations",
      "NotificationQueue", "NotificationSending", "OperationCore", "PeopleOperations",
      "PolicyOperations", "Postgres", "ReadModels", "ReviewOperations", "ShiftDomain",
      "ShiftTestKit", "Telemetry", "TestKit"),
    tests(
      of: "guardd", "BackgroundOperations", "ClientTransport", "DeviceOperations", "GuardClient",
      "GuardRules", "HTTPSending", "HTTPServing", "InsightOperations", "InstallationOperations",
      "Lifecycle", "LoadSimulation", "ManagerCore", "ManagerOperations", "NotificationOperations",
      "OperationCore", "PeopleOperations", "PhoneSimulation", "PolicyOperations", "Postgres",
      "ReadModels", "ServiceSettings", "ShiftDomain", "ShiftStore", "ShiftTestKit", "Telemetry",
      "TestKit", "TestPrograms", "guardd", "guardphone"),
    tests(
      of: "Scenario", "BackgroundOperations", "BackgroundWorkers", "DeviceAPI", "DeviceOperations",
      "Guidance", "HTTPAPI", "HTTPServing", "InsightOperations", "InstallationOperations",
      "JSONText", "Lifecycle", "ManagerAPI", "ManagerCore", "NotificationDelivery",
      "NotificationOperations", "NotificationSending", "PeopleOperations", "Postgres", "ReadModels",
      "ShiftDomain", "ShiftStore", "ShiftTestKit", "Telemetry", "TestKit", "guardctl",
      resources: [.copy("Scenarios"), .copy("WorkingDay"), .copy("known-differences.txt")]),
    tests(of: "Tidy", excluding: ["system-modules.txt", "requirements.md"], besides: fast),
  ],
  swiftLanguageModes: [.v6]
)

/// Tests of modules without shared state and tasks, of statements and programs that do one thing
/// after another, of pages, which use the same code as the tests of the API, and those that wait
/// for the providers of notifications, written in Python; and the programs that only these need.
/// ThreadSanitizer has nothing to find in them, and would build and run them for minutes:
/// `SHIFTGUARD_THREADS_ONLY` leaves them out.
let sequential: Set = [
  "CSVReadingTests", "CommandParsingTests", "CryptographyTests", "EmployeePageTests",
  "GuardRulesTests", "GuardRulesWasmTests", "GuardSimulationTests", "GuidanceTests",
  "GzipEncodingTests", "HTTPAPITests", "JSONTextTests", "NotificationSendingTests",
  "PhoneProtocolsTests", "QREncodingTests", "ScenarioTests", "ShiftDomainTests", "ShiftStoreTests",
  "SystemCallsTests", "TidyTests", "WebPagesTests", "guardctlTests",
  "guardctl", "guardsim",
]
if Context.environment["SHIFTGUARD_THREADS_ONLY"] != nil {
  package.targets.removeAll { sequential.contains($0.name) }
  package.products.removeAll { sequential.contains($0.name) }
}
