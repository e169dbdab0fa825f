// SPDX-License-Identifier: MIT

import TestSupport

/// Slurm with two nodes on this machine, configured in a folder of its own, for as long as a script runs.
enum SlurmCluster {
    /// The programs it takes.
    static let programs: [ExternalProgram] = ["slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "setpriv"]

    /// Runs a bash script beside the cluster; no process of the cluster or of its jobs is left when it ends.
    ///
    /// The script finds `$tool`, the functions `nodes`, `drained`, `running`, `end_task` and `end_node`, and is in the
    /// folder.
    ///
    /// - Parameters:
    ///   - script: Its standard output is the result.
    ///   - arraySize: MaxArraySize.
    ///   - folder: Where everything lies; its path has no characters that Slurm's configuration gives a meaning.
    /// - Returns: What the script wrote.
    /// - Throws: `ExternalProgramError` when Slurm does not start, or the script ends with another status than 0.
    static func run(
        _ script: String, arraySize: Int, in folder: TemporaryDirectory
    ) async throws -> ExternalProgram.Output {
        try await ExternalProgram("timeout").run([
            "--kill-after=5", "400", "bash", "-c", preparation + script, "bash", folder.path,
            CommandLineTool.encbench.name,
            "\(arraySize)",
        ])
    }

    /// Starts the daemons and defines the functions.
    ///
    /// Every process of the cluster and its jobs has `SLURM_CONF` in its environment, which this shell was not started
    /// with. Daemons end with the shell in any case.
    private static let preparation = #"""
        cd "$1" && tool=$2 && mkdir slurm || exit
        export SLURM_CONF=$1/slurm/slurm.conf
        processes() {
            for process in /proc/[0-9]*; do
                grep -qzsFx "SLURM_CONF=$SLURM_CONF" "$process/environ" && echo "${process#/proc/}"
            done
        }
        stop() {
            local left
            for try in {1..100}; do
                left=$(processes)
                [ -z "$left" ] && return
                kill -KILL $left 2>/dev/null
                sleep 0.1
            done
            echo "left: $left"
        }
        trap stop EXIT
        start() { setpriv --pdeathsig KILL "$@" &> "slurm/$1$4.out" & }
        nodes() { sinfo --noheader --Node --format=%t 2>/dev/null | tr -d '\n'; }
        configure() {
            cat << END
        ClusterName=encbench
        SlurmctldHost=$(uname -n)(127.0.0.1)
        SlurmctldPort=$1
        AuthType=auth/none
        CredType=cred/none
        SlurmUser=$(id -un)
        SlurmdUser=$(id -un)
        SlurmctldPidFile=$PWD/slurm/slurmctld.pid
        SlurmdPidFile=$PWD/slurm/slurmd-%n.pid
        SlurmdSpoolDir=$PWD/slurm/spool-%n
        StateSaveLocation=$PWD/slurm/state
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SwitchType=switch/none
        MpiDefault=none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        ReturnToService=2
        AccountingStorageType=accounting_storage/none
        JobAcctGatherType=jobacct_gather/none
        DefMemPerCPU=100
        SlurmdParameters=config_overrides
        SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=2,bf_interval=2
        SlurmdTimeout=4
        MessageTimeout=3
        TCPTimeout=1
        MaxArraySize=$2
        NodeName=n[1-2] NodeHostname=$(uname -n) NodeAddr=127.0.0.1 Port=[$(($1 + 1))-$(($1 + 2))] CPUs=1 RealMemory=1000
        PartitionName=bench Nodes=ALL Default=YES MaxTime=INFINITE State=UP
        END
        }
        for try in {1..5}; do
            # A port may be in use.
            configure $((20000 + RANDOM % 12000)) "$3" > slurm/slurm.conf
            rm -rf slurm/s*-n* slurm/state && mkdir slurm/state slurm/spool-n1 slurm/spool-n2
            start slurmctld -D
            start slurmd -D -N n1
            start slurmd -D -N n2 && second=$!
            for wait in {1..100}; do
                sleep 0.1
                [ "$(nodes)" = idleidle ] && break 2
            done
            stop
        done
        [ "$(nodes)" = idleidle ] || { tail slurm/*.out >&2; exit 1; }

        # Waits until no job is left; jobs that wait for a node's return go on at once.
        drained() {
            for try in {1..1200}; do
                [ -z "$(squeue --noheader)" ] && return
                for job in $(squeue --noheader --format='%A %r' | sed -n 's/ BeginTime$//p'); do
                    scontrol update "JobId=$job" StartTime=now
                done
                sleep 0.1
            done
            echo 'jobs are left:'; squeue
        }
        # The job that runs on a node, as soon as there is one whose process was started.
        running() {
            for try in {1..600}; do
                for process in $(processes); do
                    if grep -qzsx "SLURMD_NODENAME=$1" "/proc/$process/environ" &&
                        grep -qzsxF run-point "/proc/$process/cmdline"; then
                        echo "$process"
                        return
                    fi
                done
                sleep 0.05
            done
        }
        end_task() { kill -KILL "$(running "$1")"; }
        # All processes of the second node at once, the daemons before the task, which would tell of its end.
        end_node() {
            local task=$(running n2)
            local job=$(tr '\0' '\n' < "/proc/$task/environ" | sed -n 's/^SLURM_JOB_ID=//p')
            kill -KILL "$second" $(pgrep -f "^slurmstepd: \[$job[.]batch\]" | grep -xF "$(processes)") "$task"
        }

        """#
}
