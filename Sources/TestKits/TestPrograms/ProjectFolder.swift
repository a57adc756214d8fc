import Foundation

/// The folder of the project.
public let projectFolder = URL(filePath: #filePath).appending(path: "../../../..").standardized
