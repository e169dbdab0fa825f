// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles

extension Submission {
    /// What jobs on this folder are called, so that they are found again: it depends on the folder alone.
    var slurmJobName: String { "encbench-" + SHA256.digest(Array(folder.utf8)).prefix(12) }

    /// A bash script that gives Slurm the tasks as one job array, and a job that merges when all of them have ended,
    /// however they ended.
    ///
    /// A task whose node fails goes back into the queue. Slurm writes no files of its own: it would replace `%` in
    /// their names.
    var slurmScript: String {
        let name = "--job-name=\(slurmJobName)"
        let options = engineOptions.map { " " + $0.shellWord }.joined()
        let cores = threads.map { " --cpus-per-task=\($0)" } ?? ""
        let messages = (folder + "/merge.log").shellWord
        return """
            #!/bin/bash
            set -o pipefail
            array=$(printf %s \(arrayJob.shellWord) |
                sbatch --parsable \(name) --array=0-\(tasks.count - 1) --requeue --ntasks=1\(cores) --output=/dev/null\(options)) || exit
            array=${array%%;*}
            merge=$(printf %s \(mergeJob.shellWord) |
                sbatch --parsable \(name) --dependency="afterany:$array" --ntasks=1 --output=/dev/null\(options)) ||
                { scancel "$array"; exit 1; }
            printf 'encbench: job %s encodes, job %s merges: see %s\\n' "$array" "${merge%%;*}" \(messages) >&2

            """
    }

    private var arrayJob: String {
        """
        #!/bin/bash
        exec >> \((folder + "/logs/").shellWord)"$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID.log" 2>&1 || exit
        \(environment)points=(\(taskWords.joined(separator: " ")))
        exec \(runPoint("${points[$SLURM_ARRAY_TASK_ID]}"))

        """
    }

    private var mergeJob: String {
        """
        #!/bin/bash
        exec > \((folder + "/report.txt").shellWord) 2> \((folder + "/merge.log").shellWord) || exit
        exec \(merge)

        """
    }

    /// The largest number of tasks that one array may have, from what `scontrol show config` prints; nil where it does
    /// not say.
    static func slurmArrayLimit(_ configuration: String) -> Int? {
        let line = configuration.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        return line.flatMap { $0.split(separator: "=").last }.flatMap { Int($0.filter(\.isNumber)) }.map { max($0, 1) }
    }

    /// What Slurm has where nobody says otherwise (slurm.conf(5)).
    static let usualSlurmArrayLimit = 1001
}
