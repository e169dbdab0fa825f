// SPDX-License-Identifier: MIT
//
// Runs a program and says what it took. Peak memory of a child counts its parent's memory at the time of the fork, so
// the parent must be small: this one is, a Python script is not.
// usage: RunOnce PROGRAM ARGUMENT...; writes "wall user system peak": seconds and kB. The program's output is dropped.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: RunOnce PROGRAM ARGUMENT...\n");
        return 64;
    }
    double start = now();
    pid_t child = fork();
    if (child < 0) return 71;
    if (child == 0) {
        if (dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0) _exit(126);
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) return 71;
    printf("%.6f %.6f %.6f %ld\n", now() - start, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
