// A frei0r filter that misbehaves in the way its file's name says: -DFAULT=… chooses. It inverts until its third frame.
#include <frei0r.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WELL, KILL, HANG, OUT_OF_RANGE, THROW, HUNGRY, GARBAGE, NETWORK };

typedef struct {
    unsigned width, height;
    int frame;
} instance;

// What every C++ exception that nobody catches ends in.
void *__cxa_allocate_exception(size_t);
void __cxa_throw(void *, void *, void (*)(void *));
extern void *_ZTIi;

int f0r_init(void) { return 1; }
void f0r_deinit(void) {}
void f0r_get_plugin_info(f0r_plugin_info_t *info) {
    memset(info, 0, sizeof *info);
    info->name = "Faulty";
    info->author = "The tests";
    info->plugin_type = F0R_PLUGIN_TYPE_FILTER;
    info->color_model = F0R_COLOR_MODEL_RGBA8888;
    info->frei0r_version = FREI0R_MAJOR_VERSION;
    info->major_version = 1;
    info->num_params = 1;
    info->explanation = "Inverts, and then breaks";
}
void f0r_get_param_info(f0r_param_info_t *info, int index) {
    (void)index;
    info->name = "Strength (of nothing)";
    info->type = F0R_PARAM_DOUBLE;
    info->explanation = "Does nothing";
}
f0r_instance_t f0r_construct(unsigned width, unsigned height) {
    instance *self = calloc(1, sizeof *self);
    self->width = width;
    self->height = height;
    return self;
}
void f0r_destruct(f0r_instance_t self) { free(self); }
void f0r_set_param_value(f0r_instance_t self, f0r_param_t value, int index) { (void)self, (void)value, (void)index; }
void f0r_get_param_value(f0r_instance_t self, f0r_param_t value, int index) {
    (void)self, (void)index;
    *(double *)value = 0.25;
}

// Seen from outside, so that the compiler does not leave out what goes there.
char *volatile kept;

static void fail(instance *self, uint32_t *out) {
    switch (FAULT) {
    case WELL: break;
    case KILL: raise(SIGKILL); break;
    case HANG: for (;;) pause();
    case OUT_OF_RANGE: out[self->width * self->height] = 1; break;
    case THROW: {
        int *thrown = __cxa_allocate_exception(sizeof(int));
        *thrown = 1;
        __cxa_throw(thrown, &_ZTIi, 0);
    }
    case HUNGRY:
        for (;;) {
            kept = malloc(16 << 20);
            memset(kept, 1, 16 << 20);
        }
    case GARBAGE: if (write(3, "this is no message of the worker", 32) < 0) abort(); pause(); break;
    case NETWORK:
        if (socket(AF_INET, SOCK_STREAM, 0) >= 0) memset(out, 0, self->width * self->height * 4);
        break;
    }
}

void f0r_update(f0r_instance_t opaque, double time, const uint32_t *in, uint32_t *out) {
    instance *self = opaque;
    (void)time;
    for (unsigned i = 0; i < self->width * self->height; i++) out[i] = in[i] ^ 0x00ffffff;
    // Trials see pictures of 64×48; what breaks breaks at work.
    if (self->width != 64 && ++self->frame == 3) fail(self, out);
}
