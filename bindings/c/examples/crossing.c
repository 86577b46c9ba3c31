/* Two groups cross in the middle of a hall; then a door closes, and one unit is sent elsewhere.
 *
 * cc crossing.c -I../include -L../../../target/guest -lthrong_c -o crossing */
#include "throng.h"

#include <stdio.h>
#include <stdlib.h>

/* What a game does with a status: here it gives up and tells why. */
static void must(throng_status status) {
    if (status != THRONG_STATUS_OK) {
        fprintf(stderr, "status %d: %s\n", (int)status, throng_last_error());
        exit(1);
    }
}

static const char MAP[] =
    "type octile\nheight 7\nwidth 9\nmap\n"
    ".........\n.........\n....@....\n....@....\n....@....\n.........\n.........\n";

int main(void) {
    uint64_t world, units[6];
    must(throng_world_map((const uint8_t *)MAP, sizeof MAP - 1, 4, "whca(window=16)", 0, 1, &world));
    for (int i = 0; i < 6; i++) {
        int east = i % 2, row = 1 + i / 2 * 2;
        throng_cell goal = {east ? 0 : 8, row};
        throng_new_unit new_unit = {
            .at = {east ? 8 : 0, row},
            .task = {.kind = THRONG_TASK_KIND_GOALS, .cells = &goal, .count = 1},
        };
        must(throng_world_add(world, &new_unit, &units[i]));
    }
    throng_cell door = {4, 0}, corner = {8, 6};
    throng_info info;
    do {
        must(throng_world_tick(world, 100000));
        must(throng_world_info(world, &info));
        if (info.tick == 3) {
            must(throng_world_set_open(world, door.x, door.y, 0));
            throng_task elsewhere = {.kind = THRONG_TASK_KIND_GOALS, .cells = &corner, .count = 1};
            must(throng_unit_order(world, units[0], &elsewhere));
        }
        throng_event events[64];
        size_t count;
        must(throng_world_events(world, events, 64, &count));
        for (size_t i = 0; i < count; i++) {
            if (events[i].kind == THRONG_EVENT_KIND_FINISHED) {
                printf("tick %llu: a unit arrives at (%d,%d)\n", (unsigned long long)info.tick,
                       (int)events[i].at.x, (int)events[i].at.y);
            }
        }
    } while (!info.done && info.tick < 200);

    throng_unit_state states[6];
    size_t count;
    must(throng_world_units(world, states, 6, &count));
    for (size_t i = 0; i < count; i++) {
        printf("unit %zu at (%d,%d)\n", i, (int)states[i].at.x, (int)states[i].at.y);
    }
    must(throng_world_free(world));
    return info.done && count == 6 && states[0].at.x == 8 && states[0].at.y == 6 ? 0 : 1;
}
