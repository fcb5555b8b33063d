// Levels and play of vaultwright. MIT OR Apache-2.0.
//
// An engine is used on the thread that made it: calls from another one fail with VW_WRONG_THREAD. Each thread makes an
// engine of its own from a library, which is shared (vw_library_of, vw_library_engine): compiling happens once. A level
// is plain memory that nobody changes: any thread may read it, and one of them frees it. A game in play belongs to its
// thread as an engine does; it is played on by another one when it was saved and loaded there.
//
// Texts are UTF-8 with a zero at the end. What a function hands out as const belongs to the engine, level or game that it
// was asked of, and goes with it. Functions that can fail return a VwStatus; vw_last_error says what was wrong.

#ifndef VAULTWRIGHT_H
#define VAULTWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a program was compiled against: `vw_engine_new` refuses another one. It counts up when a
// structure or a function changes; what is added at the end leaves it as it is.
#define VW_ABI_VERSION 1

// Columns of a level of Crawl, and of packs that do not say otherwise: `Level.width` has those
// of a level.
#define VW_WIDTH 80

// Rows of the same.
#define VW_HEIGHT 70

// What `Level.vault_ids` has where a cell belongs to no vault.
#define VW_NO_VAULT 10000

// Of cells in `vw_play_cells`: the player has seen it.
#define VW_KNOWN 1

// The same: he sees it now.
#define VW_IN_SIGHT 2

// What a call came to.
typedef enum VwStatus {
  // It was done.
  VW_OK = 0,
  // A pointer is null, a text is no UTF-8, or an option says what cannot be.
  VW_BAD_ARGUMENT = 1,
  // The program was compiled against another header than this library's.
  VW_WRONG_VERSION = 2,
  // The engine belongs to another thread.
  VW_WRONG_THREAD = 3,
  // A pack or a file cannot be read, or its tables are wrong.
  VW_BAD_PACK = 4,
  // No place or map has this name.
  VW_UNKNOWN_NAME = 5,
  // No attempt at the level succeeded, or the map does not fit or does not compile.
  VW_NO_LEVEL = 6,
  // A fault of this library's own: please report it. The engine or game must not be used any
  // more, only freed.
  VW_INTERNAL = 7,
  // The player or a monster cannot do that; the message is for the player. What came before it,
  // such as the first steps of `explore`, has been done.
  VW_REFUSED = 8,
  // The bytes are no saved game, or one of another pack or version; or the game has something
  // that cannot be saved.
  VW_BAD_SAVE = 9,
} VwStatus;

// A pack with the interpreter its scripts run in. It belongs to the thread that made it.
typedef struct VwEngine VwEngine;

// The compiled vaults of an engine, to make engines of other threads from. Any thread may use it.
typedef struct VwLibrary VwLibrary;

// A game in play: a player who walks about on its levels, monsters and items, and the vaults that
// respond. It has an interpreter of its own, and belongs to the thread that made it.
typedef struct VwPlay VwPlay;

// What an engine is made of. All zeros is the starter pack inside the library, with its own rules
// and limits.
typedef struct VwOptions {
  // A pack, a clone of Crawl, or its `dat`; null for the starter pack, `none` for no vaults.
  const char *data;
  // The rules of a version, such as `0.28`; null to detect them.
  const char *rules;
  // Lua instructions that one chunk may run; 0 for 100 million.
  uint64_t instructions;
  // Bytes that Lua may hold; 0 for 256 MiB.
  uint64_t memory;
  // Whether monsters and items that a level leaves open are drawn, too.
  bool concrete;
} VwOptions;

// What is wrong with a map, or with Lua outside maps.
typedef struct VwProblem {
  // Whether the map is left out for it.
  bool is_error;
  // The file.
  const char *file;
  // From 1.
  uint32_t line;
  // From 1.
  uint32_t column;
  // What is wrong.
  const char *message;
  // The map; null outside maps.
  const char *map;
} VwProblem;

// A feature, such as a wall.
typedef struct VwFeature {
  // Its name.
  const char *name;
  // How text shows it, as a code point.
  uint32_t glyph;
  // A wall, statue, closed door or the like: nobody can stand there.
  bool solid;
  // One can walk there without flying or swimming; true of closed doors, which can be opened.
  bool passable;
} VwFeature;

// A map that stands on a level.
typedef struct VwVault {
  // Its name.
  const char *name;
  // Column of its top left cell.
  int32_t x;
  // Row of its top left cell.
  int32_t y;
  // In cells.
  int32_t width;
  // In cells.
  int32_t height;
} VwVault;

// A monster.
typedef struct VwMonster {
  // Column.
  int32_t x;
  // Row.
  int32_t y;
  // Its kind; null where that is drawn when the creature itself is made (`VwOptions.concrete`).
  const char *kind;
  // The name given to it; null for none.
  const char *name;
  // The spec it comes from, empty for a random monster of the level.
  const char *spec;
  // Awake when the player comes.
  bool awake;
} VwMonster;

// An item that lies about.
typedef struct VwItem {
  // Column.
  int32_t x;
  // Row.
  int32_t y;
  // What asks for it: as written, or `any` for a random item of the level.
  const char *spec;
  // It is a mimic.
  bool mimic;
} VwItem;

// A marker: what scripts of vaults, portals and timers hang on. `vw_level_json` has what it holds.
typedef struct VwMarker {
  // Column.
  int32_t x;
  // Row.
  int32_t y;
  // Its number on the level.
  uint32_t id;
} VwMarker;

// A finished level. Cells are in rows from the top, `width` to a row; of cell x, y it is number
// `y * width + x`.
typedef struct VwLevel {
  // Columns.
  uint32_t width;
  // Rows.
  uint32_t height;
  // The feature of each cell, by its number in `vw_engine_features`.
  const uint16_t *features;
  // The vault of each cell, by its number in `vaults`; `VW_NO_VAULT` for none.
  const uint16_t *vault_ids;
  // Mask bits of each cell.
  const int64_t *masks;
  // The height of each cell; null for a level without heights.
  const int32_t *heights;
  // How many vaults there are.
  size_t vault_count;
  // The vaults.
  const struct VwVault *vaults;
  // How many monsters there are.
  size_t monster_count;
  // The monsters, by cell.
  const struct VwMonster *monsters;
  // How many items there are.
  size_t item_count;
  // The items, by cell.
  const struct VwItem *items;
  // How many markers there are.
  size_t marker_count;
  // The markers, in the order in which they were made.
  const struct VwMarker *markers;
} VwLevel;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes an engine with the vaults of a pack. `abi` is `VW_ABI_VERSION`; `options` may be null.
enum VwStatus vw_engine_new(uint32_t abi,
                            const struct VwOptions *options,
                            struct VwEngine **engine);

// Compiles vaults of a text beside those that are there; `name` is what problems call it. That it
// has mistakes is no failure: `vw_engine_problems` tells them.
enum VwStatus vw_engine_add_text(struct VwEngine *engine,
                                 const char *name,
                                 const uint8_t *text,
                                 size_t length);

// Compiles the vaults of a file beside those that are there.
enum VwStatus vw_engine_add_file(struct VwEngine *engine, const char *path);

// Returns what was wrong with the vaults when they were compiled; they are good until more are
// added. Null for an engine of another thread.
const struct VwProblem *vw_engine_problems(struct VwEngine *engine, size_t *count);

// Returns the features by their numbers in `VwLevel.features`. Null for an engine of another
// thread.
const struct VwFeature *vw_engine_features(struct VwEngine *engine, size_t *count);

// Makes a level such as `D:3` of the game of a seed, after all levels that the game makes before
// it; `alone`: in a game that has just begun. `map` is a map that the level has to have, which
// makes it alone, or null.
enum VwStatus vw_engine_level(struct VwEngine *engine,
                              const char *place,
                              uint64_t seed,
                              bool alone,
                              const char *map,
                              struct VwLevel **level);

// Places a map on an empty level of floor, or of rock if `filled`.
enum VwStatus vw_engine_place(struct VwEngine *engine,
                              const char *map,
                              uint64_t seed,
                              bool filled,
                              struct VwLevel **level);

// Frees an engine; null is nothing to free.
enum VwStatus vw_engine_free(struct VwEngine *engine);

// Makes a library of what an engine has compiled.
enum VwStatus vw_library_of(struct VwEngine *engine, struct VwLibrary **library);

// Makes an engine that belongs to this thread, in milliseconds. It has the problems, too.
enum VwStatus vw_library_engine(const struct VwLibrary *library, struct VwEngine **engine);

// Frees a library; null is nothing to free. Its engines stay.
void vw_library_free(struct VwLibrary *library);

// Returns all of a level as JSON (docs/level.schema.json); it goes with the level. Null if there
// is no level.
const char *vw_level_json(const struct VwLevel *level);

// Writes a picture of a level as PNG into `bytes`, if `capacity` suffices; `length` is how many
// bytes it has. The side of a cell has 1 to 64 pixels. Asked with no bytes, it tells the length.
enum VwStatus vw_level_png(const struct VwLevel *level,
                           uint32_t cell,
                           uint8_t *bytes,
                           size_t capacity,
                           size_t *length);

// Frees a level; null is nothing to free.
void vw_level_free(struct VwLevel *level);

// Begins the game of a seed on a level such as `D:3`. With `wander`, monsters walk about. It plays
// the vaults that the engine has now, and needs the engine no more.
enum VwStatus vw_play_at(struct VwEngine *engine,
                         const char *place,
                         uint64_t seed,
                         bool wander,
                         struct VwPlay **play);

// Begins a game beside a map on an empty level of floor.
enum VwStatus vw_play_in(struct VwEngine *engine,
                         const char *map,
                         uint64_t seed,
                         bool wander,
                         struct VwPlay **play);

// Makes a game in play of the bytes of `vw_play_save`. It goes on as if it had never stopped, if
// the engine has the vaults and the pack with which it was saved; else this is `VW_BAD_SAVE`.
enum VwStatus vw_play_load(struct VwEngine *engine,
                           const uint8_t *bytes,
                           size_t length,
                           struct VwPlay **play);

// Lets the player act, after which the level and its monsters do. The actions are `step` (by x and
// y, each -1 to 1; a closed door there is opened), `wait`, `stairs` (also hatches, portals and
// transporters), `pick_up`, `drop`, `close_doors`, `kill` (the nearest monster in sight),
// `explore` (until something turns up), `next_level` and `teleport` (to the cell x, y); the others
// do not look at x and y. What cannot be done is `VW_REFUSED`, and `vw_last_error` tells the
// player why.
enum VwStatus vw_play_act(struct VwPlay *play, const char *action, int32_t x, int32_t y);

// Takes the player to a level of the game, such as `D:4`, without stairs. Levels that were left
// stay as they are.
enum VwStatus vw_play_go(struct VwPlay *play, const char *place);

// Lets time pass without the player, 1 to 1,000,000 ticks: his actions take 10.
enum VwStatus vw_play_pass(struct VwPlay *play, uint32_t ticks);

// Sends an event to the markers that listen for it at a cell, such as `door_opened` or
// `pressure_plate` (docs/vault-to-trigger.md has all). Those of the actions are sent by
// `vw_play_act`.
enum VwStatus vw_play_event(struct VwPlay *play, const char *event, int32_t x, int32_t y);

// Moves a monster, by its number in the news, to a free cell; no time passes.
enum VwStatus vw_play_move_monster(struct VwPlay *play, uint32_t monster, int32_t x, int32_t y);

// Kills a monster, by its number in the news, as the player does; no time passes.
enum VwStatus vw_play_kill(struct VwPlay *play, uint32_t monster);

// Returns what has happened since this was last asked, as JSON, which is good until it is asked
// again; each message is told once. Its members:
//
// - `place`, such as `D:3`; `x` and `y` of the player; `ticks` since the game began
// - `new_level`: the player is on another level than when this was last asked: see `vw_play_level`
// - `cells`: else the cells whose feature has changed, each `x`, `y` and `feature`, a number in
//   `vw_engine_features`
// - `messages`: each `text` and `channel`
// - `monsters` and `items` of the level as they are now: each `number`, `name`, `x`, `y`; of a
//   monster its `kind` and whether the player sees it (`in_sight`), of an item its `spec` and
//   whether he knows its cell (`known`)
// - `inventory`: the names of what the player carries
// - `clouds` as they are now: each `x`, `y`, `name` and the ticks that it has left (`life`)
enum VwStatus vw_play_news(struct VwPlay *play, const char **json);

// Returns the markers of the level as a JSON list, which is good until it is asked for again: each
// `id`, `x`, `y`, `class` (such as `TriggerableFunction`), `description`, `countdown` (ticks until
// it fires, or null), and `leads` or `follows`, the group of markers that it leads or belongs to,
// or null.
enum VwStatus vw_play_markers(struct VwPlay *play, const char **json);

// Makes the level as it is now, with its monsters and items, as plain memory, which
// `vw_level_free` frees; its JSON has no seed. `vw_play_news` tells what changes later.
enum VwStatus vw_play_level(struct VwPlay *play, struct VwLevel **level);

// Returns what the player knows of each cell, in the order of `VwLevel.features`: `VW_KNOWN` of
// those he has seen, and `VW_IN_SIGHT` of those he sees. They are good until they are asked for
// again. Null for a game of another thread.
const uint8_t *vw_play_cells(struct VwPlay *play, size_t *count);

// Saves the whole game, levels that were left too. The bytes are good until it is saved again.
enum VwStatus vw_play_save(struct VwPlay *play, const uint8_t **bytes, size_t *length);

// Frees a game in play; null is nothing to free.
enum VwStatus vw_play_free(struct VwPlay *play);

// Returns what was wrong with the last call of this thread that failed. It is good until the next
// one fails.
const char *vw_last_error(void);

// Returns the version of the header that this library was built with: compare it with
// `VW_ABI_VERSION`.
uint32_t vw_abi_version(void);

// Returns the version of the library, such as `0.2.0`.
const char *vw_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* VAULTWRIGHT_H */
