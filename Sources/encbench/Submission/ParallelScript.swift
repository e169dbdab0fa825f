// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

extension Submission {
    /// A bash script that runs the tasks with GNU parallel, and then merges.
    ///
    /// Paths reach the commands through the environment: in a command line, GNU parallel would replace parts of them.
    var parallelScript: String {
        let options = engineOptions.map { " " + $0.shellWord }.joined()
        let points = tasks.joined().map(String.init).joined(separator: " ")
        let jobs = threads.map { $0 > 1 ? " --jobs=\(max(1, 100 / $0))%" : "" } ?? " --jobs=1"
        let variables = programs.keys.sorted().map { " --env=" + $0 }.joined()
        return """
            #!/bin/bash
            \(environment)export ENCBENCH=\(program.shellWord) ENCBENCH_FOLDER=\(folder.shellWord)
            printf '%s\\n' \(points) |
                parallel --will-cite --env=ENCBENCH --env=ENCBENCH_FOLDER\(variables) --max-args=\(tasks[0].count)\(jobs)\(options) \
            '"$ENCBENCH" run-point --out "$ENCBENCH_FOLDER" --index {}'
            \(merge)

            """
    }
}
