// SPDX-License-Identifier: MIT
#include "CLibAVSRT.h"

#include "Libraries.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// What srt.h of libsrt 1.4 and 1.5 declares; its headers are not needed to build.
enum { option_receives_blocking = 2, option_passphrase = 26, option_key_length = 27, option_connect_timeout = 36,
       option_stream_id = 46 };
enum { state_connected = 5, state_broken = 6 };

#define SRT_FUNCTIONS(X)                                                 \
    X(srt_create_socket, int, (void))                                    \
    X(srt_setsockopt, int, (int, int, int, const void *, int))           \
    X(srt_connect, int, (int, const struct sockaddr *, int))             \
    X(srt_getsockstate, int, (int))                                      \
    X(srt_getrejectreason, int, (int))                                   \
    X(srt_close, int, (int))

typedef struct Functions {
#define MEMBER(name, result, parameters) result(*name) parameters;
    SRT_FUNCTIONS(MEMBER)
#undef MEMBER
} Functions;

void *open_srt(void) {
    static const char *const names[] = {"libsrt-gnutls.so.1.5", "libsrt.so.1.5", "libsrt-openssl.so.1.5",
                                        "libsrt-gnutls.so.1.4", "libsrt.so.1.4", "libsrt-openssl.so.1.4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (handle)
            return handle;
    }
    return NULL;
}

static bool load(Functions *functions) {
    void *handle = open_srt();
    if (!handle)
        return false;
#define LOAD(name, result, parameters)                                        \
    functions->name = (result(*) parameters)dlsym(handle, #name);             \
    if (!functions->name)                                                     \
        return false;
    SRT_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

static int ask(const Functions *srt, int socket, const struct addrinfo *address, bool (*is_over)(void *), void *owner) {
    if (srt->srt_connect(socket, address->ai_addr, (int)address->ai_addrlen) < 0)
        return srt->srt_getrejectreason(socket);
    while (!is_over(owner)) {
        int state = srt->srt_getsockstate(socket);
        if (state == state_connected)
            return clibav_srt_accepted;
        if (state >= state_broken)
            return srt->srt_getrejectreason(socket);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return clibav_srt_unknown;
}

int clibav_srt_refusal(const CLibAVSRTCaller *caller, bool (*is_over)(void *), void *owner) {
    Functions srt;
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV}, *address = NULL;
    char port[8];
    snprintf(port, sizeof port, "%d", caller->port);
    if (!load(&srt) || getaddrinfo(caller->host, port, &hints, &address) != 0)
        return clibav_srt_unknown;
    int result = clibav_srt_unknown, socket = srt.srt_create_socket();
    if (socket >= 0) {
        const int no = 0;
        srt.srt_setsockopt(socket, 0, option_receives_blocking, &no, sizeof no);
        srt.srt_setsockopt(socket, 0, option_connect_timeout, &caller->milliseconds, sizeof caller->milliseconds);
        if (caller->key_length)
            srt.srt_setsockopt(socket, 0, option_key_length, &caller->key_length, sizeof caller->key_length);
        if (caller->passphrase)
            srt.srt_setsockopt(socket, 0, option_passphrase, caller->passphrase, (int)strlen(caller->passphrase));
        if (caller->stream_id)
            srt.srt_setsockopt(socket, 0, option_stream_id, caller->stream_id, (int)strlen(caller->stream_id));
        result = ask(&srt, socket, address, is_over, owner);
        srt.srt_close(socket);
    }
    freeaddrinfo(address);
    return result;
}
