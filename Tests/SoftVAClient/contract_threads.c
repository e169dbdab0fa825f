// SPDX-License-Identifier: MIT
// Objects that one thread destroys while a call of another waits with them.
#include <pthread.h>
#include <softva.h>
#include <string.h>
#include <time.h>
#include <va/va.h>

#include "contract.h"

/// What is destroyed while `call` waits.
typedef struct {
    const char *name, *fault;
    VAStatus (*call)(client *c);
    VAStatus (*destroy)(client *c);
} Race;

static VAImage image;
static void *data;

static VAStatus end(client *c) { return vaEndPicture(c->display, c->context); }
static VAStatus map_coded(client *c) { return vaMapBuffer(c->display, c->coded, &data); }
static VAStatus map_image(client *c) { return vaMapBuffer(c->display, image.buf, &data); }
static VAStatus sync_surface(client *c) { return vaSyncSurface(c->display, c->inputs[0]); }
static VAStatus sync_buffer(client *c) { return vaSyncBuffer(c->display, c->coded, VA_TIMEOUT_INFINITE); }
static VAStatus get_image(client *c) {
    return vaGetImage(c->display, c->reconstructions[0], 0, 0, 62, 46, image.image_id);
}
static VAStatus destroy_context(client *c) { return vaDestroyContext(c->display, c->context); }
static VAStatus destroy_coded(client *c) { return vaDestroyBuffer(c->display, c->coded); }
static VAStatus destroy_image(client *c) { return vaDestroyImage(c->display, image.image_id); }
static VAStatus destroy_input(client *c) { return vaDestroySurfaces(c->display, c->inputs, 1); }
static VAStatus destroy_reconstruction(client *c) { return vaDestroySurfaces(c->display, c->reconstructions, 1); }

static const Race races[] = {
    {"EndPicture and its context", "endpicture=+300ms", end, destroy_context},
    {"a coded buffer, mapped", "map=+300ms", map_coded, destroy_coded},
    {"a coded buffer, mapped too early", "code=+300ms", map_coded, destroy_coded},
    {"a coded buffer, synced", "code=+300ms", sync_buffer, destroy_coded},
    {"an input, synced", "sync=+300ms", sync_surface, destroy_input},
    {"a derived image, mapped too early", "code=+300ms", map_image, destroy_image},
    {"a derived image's surface", "code=+300ms", map_image, destroy_reconstruction},
    {"an image, copied to", "code=+300ms", get_image, destroy_image},
    {"a surface, copied from", "code=+300ms", get_image, destroy_reconstruction},
};

typedef struct {
    client *c;
    const Race *race;
} Later;

static void *destroy_later(void *argument) {
    const Later *later = argument;
    const struct timespec while_it_waits = {0, 100000000};
    nanosleep(&while_it_waits, NULL);
    later->race->destroy(later->c);
    return NULL;
}

void destroyed_while_waiting(void) {
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        const Race *race = &races[i];
        client c;
        client_settings settings = client_defaults(false);
        start("strict", race->fault);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        VAImageFormat format = {.fourcc = VA_FOURCC_NV12};
        VAStatus made = race->call == map_image ? vaDeriveImage(c.display, c.reconstructions[0], &image)
                                                : vaCreateImage(c.display, &format, 62, 46, &image);
        EXPECT(made == VA_STATUS_SUCCESS, "%s", vaErrorStr(made));
        client_render(&c);
        if (race->call != end) end(&c);
        if (strncmp(race->fault, "map", 3) == 0) vaSyncSurface(c.display, c.inputs[0]);
        Later later = {&c, race};
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, destroy_later, &later) == 0, "a thread");
        VAStatus status = race->call(&c);
        pthread_join(thread, NULL);
        // What waits for nothing but the picture may be content with it.
        bool waits_only = race->call == sync_buffer;
        EXPECT((waits_only || status != VA_STATUS_SUCCESS) && softva_count(SOFTVA_MISUSES) > 0, "%s: %s\n%s", race->name,
               vaErrorStr(status), whole_report());
        client_close(&c);
    }
}
