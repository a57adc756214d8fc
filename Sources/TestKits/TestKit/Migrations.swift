import Foundation
import TestPrograms

/// The folder of the project's migrations.
public let migrationsFolder = projectFolder.appending(path: "db/migrations").path
