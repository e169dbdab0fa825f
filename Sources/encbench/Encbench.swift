// SPDX-License-Identifier: MIT
@main enum Encbench { static func main() {} }
