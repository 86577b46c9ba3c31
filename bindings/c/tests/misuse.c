/* Whatever a caller does wrong is told, and nothing else happens; under valgrind, nothing is touched that is not lent. */
#include "throng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int line, throng_status found, throng_status wanted, const char *words) {
    if (found != wanted || (words && !strstr(throng_last_error(), words))) {
        fprintf(stderr, "line %d: status %d (%s), expected %d (%s)\n", line, (int)found, throng_last_error(),
                (int)wanted, words ? words : "");
        exit(1);
    }
}
#define EXPECT(call, wanted, words) expect(__LINE__, call, wanted, words)
#define MUST(call) expect(__LINE__, call, THRONG_STATUS_OK, NULL)

int main(void) {
    uint64_t one, other, gone;
    if (strlen(throng_version()) < 5) return 1;
    MUST(throng_world_builtin("bridge", NULL, 0, 2, &one));
    MUST(throng_world_builtin("bridge", "whca(window=8)", 0, 1, &other));
    MUST(throng_world_builtin("bridge", NULL, 0, 1, &gone));
    MUST(throng_world_free(gone));

    /* Worlds that are gone, made up or NULL. */
    EXPECT(throng_world_free(gone), THRONG_STATUS_NO_WORLD, "no world");
    EXPECT(throng_world_tick(gone, 0), THRONG_STATUS_NO_WORLD, "(any more)");
    EXPECT(throng_world_tick(0, 0), THRONG_STATUS_NO_WORLD, NULL);
    EXPECT(throng_world_tick(~0ull, 0), THRONG_STATUS_NO_WORLD, NULL);
    EXPECT(throng_world_builtin(NULL, NULL, 0, 1, &gone), THRONG_STATUS_NULL, "name is NULL");
    EXPECT(throng_world_builtin("bridge", NULL, 0, 1, NULL), THRONG_STATUS_NULL, "world is NULL");
    EXPECT(throng_world_builtin("bridges", NULL, 0, 1, &gone), THRONG_STATUS_BAD_INPUT, "bridges");
    EXPECT(throng_world_builtin("bridge", "whca(widow=8)", 0, 1, &gone), THRONG_STATUS_BAD_INPUT, "widow");
    EXPECT(throng_world_builtin("bridge", NULL, 0, 9999, &gone), THRONG_STATUS_BAD_INPUT, "threads");
    EXPECT(throng_world_builtin("br\xff", NULL, 0, 1, &gone), THRONG_STATUS_BAD_TEXT, "UTF-8");
    if (gone != 0) return 2;

    /* Files. */
    const char *text = "planner = 'lra'\nmap = '..@'\n[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\n";
    EXPECT(throng_world_scenario((const uint8_t *)text, strlen(text), NULL, 0, 1, &gone), THRONG_STATUS_BAD_INPUT,
           "line 5: agent 0: goal (2,0) is blocked terrain");
    EXPECT(throng_world_scenario(NULL, 7, NULL, 0, 1, &gone), THRONG_STATUS_NULL, "file is NULL");
    EXPECT(throng_world_map((const uint8_t *)"x", 1, 5, "lra", 0, 1, &gone), THRONG_STATUS_BAD_INPUT, "4 or 8");
    EXPECT(throng_world_map((const uint8_t *)"x", 1, 4, "lra", 0, 1, &gone), THRONG_STATUS_BAD_INPUT, "type octile");
    EXPECT(throng_world_map((const uint8_t *)"x", (size_t)-1, 4, "lra", 0, 1, &gone), THRONG_STATUS_BAD_INPUT, NULL);

    /* Lists: how many there are, too little room, room enough. */
    size_t count;
    throng_info info;
    MUST(throng_world_info(one, &info));
    MUST(throng_world_units(one, NULL, 0, &count));
    if (count != info.units || count < 3) return 3;
    throng_unit_state *units = malloc(count * sizeof *units);
    EXPECT(throng_world_units(one, units, 2, &count), THRONG_STATUS_TOO_SMALL, "room for 2");
    EXPECT(throng_world_units(one, NULL, 2, &count), THRONG_STATUS_NULL, NULL);
    EXPECT(throng_world_units(one, units, count, NULL), THRONG_STATUS_NULL, "count is NULL");
    MUST(throng_world_units(one, units, count, &count));
    EXPECT(throng_world_info(one, NULL), THRONG_STATUS_NULL, "info is NULL");

    /* Units of another world, gone, made up; tasks that are none. */
    throng_task hold = {.kind = THRONG_TASK_KIND_HOLD};
    EXPECT(throng_unit_order(other, units[0].unit, &hold), THRONG_STATUS_NO_UNIT, "in this world");
    EXPECT(throng_unit_order(one, 0, &hold), THRONG_STATUS_NO_UNIT, NULL);
    EXPECT(throng_unit_order(one, ~0ull, &hold), THRONG_STATUS_NO_UNIT, NULL);
    EXPECT(throng_unit_order(one, units[0].unit, NULL), THRONG_STATUS_NULL, "task is NULL");
    MUST(throng_unit_remove(one, units[0].unit));
    EXPECT(throng_unit_remove(one, units[0].unit), THRONG_STATUS_NO_UNIT, NULL);
    throng_cell cells[2] = {{-1, 0}, {0, 0}};
    throng_task task = {.kind = THRONG_TASK_KIND_GOALS};
    EXPECT(throng_unit_order(one, units[1].unit, &task), THRONG_STATUS_BAD_INPUT, "0 cells");
    task.cells = cells, task.count = 1;
    EXPECT(throng_unit_order(one, units[1].unit, &task), THRONG_STATUS_REFUSED, "(-1,0)");
    task.count = 2, task.kind = THRONG_TASK_KIND_PATROL;
    EXPECT(throng_unit_order(one, units[1].unit, &task), THRONG_STATUS_BAD_INPUT, "2 cells");
    task.kind = 77, task.count = 0;
    EXPECT(throng_unit_order(one, units[1].unit, &task), THRONG_STATUS_BAD_INPUT, "kind 77");
    task.kind = THRONG_TASK_KIND_GOALS, task.cells = NULL, task.count = 3;
    EXPECT(throng_unit_order(one, units[1].unit, &task), THRONG_STATUS_NULL, "cells");
    throng_new_unit new_unit = {.at = units[1].at, .task = hold};
    uint64_t added;
    EXPECT(throng_world_add(one, &new_unit, &added), THRONG_STATUS_REFUSED, "taken");
    new_unit.at = units[0].at;
    EXPECT(throng_world_add(one, &new_unit, NULL), THRONG_STATUS_NULL, "unit is NULL");
    MUST(throng_world_add(one, &new_unit, &added));
    EXPECT(throng_unit_place(one, added, units[1].at.x, units[1].at.y), THRONG_STATUS_REFUSED, "taken");
    EXPECT(throng_world_set_open(one, -1, 0, 0), THRONG_STATUS_REFUSED, "off the map");
    MUST(throng_unit_priority(one, added, 0));

    /* The new unit has the place of the old one, but not its number. */
    EXPECT(throng_unit_remove(one, units[0].unit), THRONG_STATUS_NO_UNIT, NULL);

    /* Both go on as one if one is saved and resumed. */
    for (int i = 0; i < 5; i++) MUST(throng_world_tick(other, 100000));
    MUST(throng_world_save(other, NULL, 0, &count));
    uint8_t *saved = malloc(count);
    MUST(throng_world_save(other, saved, count, &count));
    uint64_t again;
    MUST(throng_world_resume(saved, count, 2, &again));
    EXPECT(throng_world_resume(saved, count / 2, 1, &gone), THRONG_STATUS_BAD_INPUT, "damaged");
    throng_info first, second;
    for (int i = 0; i < 10; i++) {
        MUST(throng_world_tick(other, 0));
        MUST(throng_world_tick(again, 0));
    }
    MUST(throng_world_info(other, &first));
    MUST(throng_world_info(again, &second));
    if (first.state_hash != second.state_hash || first.tick != 15) return 4;

    free(units);
    free(saved);
    MUST(throng_world_free(one));
    MUST(throng_world_free(other));
    MUST(throng_world_free(again));
    puts("all misuse is told");
    return 0;
}
