/* Throng: moves many units through one world without jams or collisions.
 *
 * Every function returns THRONG_STATUS_OK or says what is wrong, and throng_last_error() says it in words. A call
 * either takes effect as a whole or changes nothing. Worlds and units are numbers: one that is stale, made up or of
 * another world is told, never followed. Any thread may call with any world; calls for one world take turns.
 *
 * Pointers that are told must be valid for what they are told to hold; NULL is told, where it does not mean `nothing`.
 * Texts are UTF-8 and end in 0. Lists are filled as far as there is room, and the count is what there is: ask with no
 * room first, or with room enough.
 *
 * This file is generated from bindings/c/src. */


#ifndef THRONG_H
#define THRONG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// What became of a call; 0 is good.
enum throng_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done.
  THRONG_STATUS_OK = 0,
  // A pointer is NULL where something has to be.
  THRONG_STATUS_NULL = 1,
  // A text is not UTF-8.
  THRONG_STATUS_BAD_TEXT = 2,
  // There is no such world, or not any more.
  THRONG_STATUS_NO_WORLD = 3,
  // There is no such unit in this world, or not any more.
  THRONG_STATUS_NO_UNIT = 4,
  // A file, a planner or a number is wrong.
  THRONG_STATUS_BAD_INPUT = 5,
  // The world does not allow it: a cell is taken, a goal cannot be reached, …
  THRONG_STATUS_REFUSED = 6,
  // There is more than there is room for; as much as fits was told.
  THRONG_STATUS_TOO_SMALL = 7,
  // A fault of the engine. The world that it befell takes no more calls but throng_world_free.
  THRONG_STATUS_BROKEN = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum throng_status throng_status;
#else
typedef int32_t throng_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What there is to do.
enum throng_task_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Stay at the place, whoever wants to pass. No cells.
  THRONG_TASK_KIND_HOLD = 0,
  // Go to the cells in order and rest at the last.
  THRONG_TASK_KIND_GOALS = 1,
  // Go to the one cell and back, `rounds` times; 0 for the usual number.
  THRONG_TASK_KIND_PATROL = 2,
  // See everything that can be reached, where the world has to be seen. No cells.
  THRONG_TASK_KIND_EXPLORE = 3,
  // Do errands as they come. No cells.
  THRONG_TASK_KIND_ERRANDS = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum throng_task_kind throng_task_kind;
#else
typedef uint32_t throng_task_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What happened.
enum throng_event_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // What has no kind of its own here: negotiations, errands.
  THRONG_EVENT_KIND_OTHER = 0,
  // A unit began a move, to `at`.
  THRONG_EVENT_KIND_MOVED = 1,
  // A move to `at` was cancelled, on account of `other` if that is not 0.
  THRONG_EVENT_KIND_FAILED = 2,
  // A unit reached a waypoint.
  THRONG_EVENT_KIND_ARRIVED = 3,
  // A unit has done what it was to do.
  THRONG_EVENT_KIND_FINISHED = 4,
  // A unit goes to rest at `at`, since others have taken its goal.
  THRONG_EVENT_KIND_SETTLED = 5,
  // The cell `at` has closed.
  THRONG_EVENT_KIND_CLOSED = 6,
  // The cell `at` has opened.
  THRONG_EVENT_KIND_OPENED = 7,
  // A unit that explores has seen everything.
  THRONG_EVENT_KIND_EXPLORED = 8,
  // A unit has found what it looked for, at `at`.
  THRONG_EVENT_KIND_FOUND = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum throng_event_kind throng_event_kind;
#else
typedef uint32_t throng_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A place: column and row, from the upper left.
typedef struct {
  // Column.
  int32_t x;
  // Row.
  int32_t y;
} throng_cell;

// What a unit is to do.
typedef struct {
  // One of throng_task_kind.
  uint32_t kind;
  // Of patrols.
  uint32_t rounds;
  // Where to.
  const throng_cell *cells;
  // How many cells.
  size_t count;
} throng_task;

// What a new unit is like.
typedef struct {
  // The smallest corner of its body.
  throng_cell at;
  // What it is to do.
  throng_task task;
  // Who goes first: the higher.
  int32_t priority;
  // Whose unit it is.
  uint16_t team;
  // Side of its square body in cells; 0 as 1.
  uint8_t body;
  // Ticks per straight step; 0 as 1.
  uint8_t period;
} throng_new_unit;

// Where a unit is and what it is doing.
typedef struct {
  // Who.
  uint64_t unit;
  // Where it stands, or where its move in progress leads.
  throng_cell at;
  // Where its move in progress began; `at` if it stands.
  throng_cell from;
  // When that began.
  uint64_t since;
  // When it is over; it stands if this is not in the future.
  uint64_t until;
  // How many of its waypoints it has reached.
  uint32_t leg;
  // Whose unit it is.
  uint16_t team;
  // 1 if it has done what it was to do, otherwise 0.
  uint8_t arrived;
} throng_unit_state;

// How a world is.
typedef struct {
  // Now.
  uint64_t tick;
  // A fingerprint of who is where, the same on every machine.
  uint64_t state_hash;
  // Columns of the map.
  uint32_t width;
  // Rows of the map.
  uint32_t height;
  // Units in the world.
  uint32_t units;
  // Those of them that have done what they were to do.
  uint32_t arrived;
  // 1 if all have, so that nothing will happen any more, otherwise 0.
  uint32_t done;
} throng_info;

// Something that happened.
typedef struct {
  // One of throng_event_kind.
  uint32_t kind;
  // Where, if it is about a place; otherwise -1, -1.
  throng_cell at;
  // Who, or 0.
  uint64_t unit;
  // Who else, or 0.
  uint64_t other;
} throng_event;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What was wrong with the last call of this thread that was not good, in words; empty before the first. Valid until the
// next call of this thread.
const char *throng_last_error(void);

// The version of this library, as 1.2.3.
const char *throng_version(void);

// Lets a unit into the world; it is planned for from the next tick on.
throng_status throng_world_add(uint64_t world, const throng_new_unit *new_, uint64_t *unit);

// Takes a unit out of the world.
throng_status throng_unit_remove(uint64_t world, uint64_t unit);

// Gives a unit another task, from where it is now.
throng_status throng_unit_order(uint64_t world, uint64_t unit, const throng_task *task);

// Tells that a unit is elsewhere now: the game has put it there.
throng_status throng_unit_place(uint64_t world, uint64_t unit, int32_t x, int32_t y);

// Gives a unit another priority; its task goes on.
throng_status throng_unit_priority(uint64_t world, uint64_t unit, int32_t priority);

// Opens a cell (`open` is 1) or closes it (0); nobody may be on one that closes.
throng_status throng_world_set_open(uint64_t world, int32_t x, int32_t y, uint32_t open);

// Where all units are and what they are doing, in the order in which they came.
throng_status throng_world_units(uint64_t world,
                                 throng_unit_state *units,
                                 size_t room,
                                 size_t *count);

// One tick: everybody decides and moves. `budget` is how many expansions planning may take, 0 for as many as it needs.
throng_status throng_world_tick(uint64_t world,
                                uint64_t budget);

// How a world is.
throng_status throng_world_info(uint64_t world, throng_info *info);

// The letters of the terrain as it is now, row by row: `.` and `G` are open, `@` and `O` closed, `S`, `W` and `T` as the world has it.
throng_status throng_world_terrain(uint64_t world,
                                   uint8_t *letters,
                                   size_t room,
                                   size_t *count);

// What happened in the last tick, in order.
throng_status throng_world_events(uint64_t world, throng_event *events, size_t room, size_t *count);

// A world that comes with the library. `planner` is as `name(key=value)`, or NULL for the world's own; `threads` change how
// long a tick takes and nothing else.
throng_status throng_world_builtin(const char *name,
                                   const char *planner,
                                   uint64_t seed,
                                   uint32_t threads,
                                   uint64_t *world);

// A world from the text of a scenario file, which has to bring its own map, or of a map of Tiled. `planner` as above.
throng_status throng_world_scenario(const uint8_t *file,
                                    size_t length,
                                    const char *planner,
                                    uint64_t seed,
                                    uint32_t threads,
                                    uint64_t *world);

// A world without units from a map: MovingAI, PNG or Tiled. `moves` is 4 or 8; units come by throng_world_add.
throng_status throng_world_map(const uint8_t *file,
                               size_t length,
                               uint32_t moves,
                               const char *planner,
                               uint64_t seed,
                               uint32_t threads,
                               uint64_t *world);

// Lets a world go. A call that another thread is in ends first.
throng_status throng_world_free(uint64_t world);

// Everything that the future of a world depends on, as bytes.
throng_status throng_world_save(uint64_t world, uint8_t *bytes, size_t room, size_t *count);

// A world that goes on from what throng_world_save told. Its units have new numbers: throng_world_units tells them.
throng_status throng_world_resume(const uint8_t *bytes,
                                  size_t length,
                                  uint32_t threads,
                                  uint64_t *world);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* THRONG_H */
