// Calls everything, rightly and wrongly; ends with 0 if all is as promised.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vaultwright.h>

#define EXPECT(what)                                                                               \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #what, vw_last_error());       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char VAULT[] = "NAME: cellar\nDEPTH: D:1-3\nMONS: rat\nMAP\nxxx\nx1x\nx+x\nENDMAP\n"
                            "NAME: wrong\nMONS: bullfrogg\nMAP\n1\nENDMAP\n";

// A plate that opens the way, and a voice.
static const char PLAYED[] =
    "{{ function speak() crawl.mpr(\"A voice.\", \"warning\") end\n"
    "function fall(data, triggerable, triggerer, marker, ev)\n  local x, y = marker:pos()\n"
    "  dgn.terrain_changed(x + 1, y, \"floor\", false)\nend }}\n"
    "NAME: played\nDEPTH: D\nTAGS: no_rotate no_hmirror no_vmirror\nMONS: rat\nITEM: dagger\n"
    "MARKER: a = lua:function_at_spot(\"speak\")\nMARKER: b = lua:function_at_spot(\"fall\")\n"
    "SUBST: ab = .\nMAP\n..a.bx1d\nENDMAP\n";

struct errand {
    VwEngine *foreign;
    VwPlay *play;
    VwLibrary *library;
    VwLevel *level;
};

static void *elsewhere(void *given)
{
    struct errand *errand = given;
    VwLevel *level = NULL;
    size_t count = 7;
    EXPECT(vw_play_act(errand->play, "wait", 0, 0) == VW_WRONG_THREAD);
    EXPECT(vw_play_cells(errand->play, &count) == NULL && count == 0);
    EXPECT(vw_play_free(errand->play) == VW_WRONG_THREAD);
    EXPECT(vw_engine_level(errand->foreign, "D:1", 1, false, NULL, &level) == VW_WRONG_THREAD);
    EXPECT(level == NULL && strstr(vw_last_error(), "thread"));
    EXPECT(vw_engine_problems(errand->foreign, &count) == NULL && count == 0);
    EXPECT(vw_engine_free(errand->foreign) == VW_WRONG_THREAD);
    VwEngine *own = NULL;
    EXPECT(vw_library_engine(errand->library, &own) == VW_OK);
    EXPECT(vw_engine_level(own, "D:1", 5, true, "cellar", &errand->level) == VW_OK);
    // What was wrong with the vaults is known to it, too.
    EXPECT(vw_engine_problems(own, &count)->line == 10 && count == 1);
    EXPECT(vw_engine_free(own) == VW_OK);
    return NULL;
}

static const char *news_of(VwPlay *play)
{
    const char *json = NULL;
    EXPECT(vw_play_news(play, &json) == VW_OK && json);
    return json;
}

// Nothing is played with what is not there.
static void play_wrongly(VwEngine *engine)
{
    VwPlay *play = NULL;
    VwLevel *level = NULL;
    const char *json = NULL;
    const uint8_t *bytes = NULL;
    size_t count = 7;
    EXPECT(vw_play_at(NULL, "D:1", 1, false, &play) == VW_BAD_ARGUMENT && !play);
    EXPECT(vw_play_at(engine, NULL, 1, false, &play) == VW_BAD_ARGUMENT && !play);
    EXPECT(vw_play_at(engine, "D:1", 1, false, NULL) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_at(engine, "D:0", 1, false, &play) == VW_UNKNOWN_NAME && !play);
    EXPECT(vw_play_in(engine, "cellars", 1, false, &play) == VW_UNKNOWN_NAME && !play);
    EXPECT(vw_play_in(engine, "wrong", 1, false, &play) == VW_NO_LEVEL && !play);
    EXPECT(vw_play_load(engine, NULL, 9, &play) == VW_BAD_ARGUMENT && !play);
    EXPECT(vw_play_load(engine, (const uint8_t *)"PNG", 3, &play) == VW_BAD_SAVE && !play);
    EXPECT(vw_play_act(NULL, "wait", 0, 0) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_go(NULL, "D:2") == VW_BAD_ARGUMENT && vw_play_pass(NULL, 10) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_event(NULL, "turn", 1, 1) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_kill(NULL, 1) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_move_monster(NULL, 1, 1, 1) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_news(NULL, &json) == VW_BAD_ARGUMENT && !json);
    EXPECT(vw_play_markers(NULL, &json) == VW_BAD_ARGUMENT && !json);
    EXPECT(vw_play_level(NULL, &level) == VW_BAD_ARGUMENT && !level);
    EXPECT(vw_play_cells(NULL, &count) == NULL && count == 0 && !vw_play_cells(NULL, NULL));
    EXPECT(vw_play_save(NULL, &bytes, &count) == VW_BAD_ARGUMENT && !bytes);
    EXPECT(vw_play_free(NULL) == VW_OK);
}

// A vault is played: its markers act, and a saved game goes on like the other.
static void play_rightly(VwEngine *engine)
{
    VwPlay *play = NULL, *again = NULL;
    VwLevel *level = NULL;
    const char *json = NULL;
    const uint8_t *bytes = NULL;
    size_t count = 0, length = 0;
    int monster = 0;
    EXPECT(vw_engine_add_text(engine, "played.des", (const uint8_t *)PLAYED, strlen(PLAYED)) == VW_OK);
    EXPECT(vw_play_in(engine, "played", 3, false, &play) == VW_OK);
    const VwFeature *features = vw_engine_features(engine, &count);
    EXPECT(vw_play_level(play, &level) == VW_OK && level->vault_count == 1);
    const int32_t x = level->vaults[0].x, y = level->vaults[0].y;
    EXPECT(level->monster_count == 1 && level->monsters[0].x == x + 6 && level->item_count == 1);
    EXPECT(level->marker_count == 2 && !strcmp(level->items[0].spec, "dagger"));
    EXPECT(features[level->features[y * level->width + x + 5]].solid);
    EXPECT(!strstr(vw_level_json(level), "\"seed\""));
    EXPECT(vw_play_markers(play, &json) == VW_OK && strstr(json, "\"class\":\"TriggerableFunction\""));
    EXPECT(strstr(news_of(play), "\"new_level\":true") && strstr(news_of(play), "\"new_level\":false"));

    // What cannot be done.
    EXPECT(vw_play_act(play, "dance", 0, 0) == VW_UNKNOWN_NAME);
    EXPECT(vw_play_act(play, NULL, 0, 0) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_act(play, "step", 2, 0) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_act(play, "step", INT32_MIN, INT32_MAX) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_act(play, "teleport", INT32_MAX, INT32_MIN) == VW_REFUSED);
    EXPECT(vw_play_act(play, "stairs", 0, 0) == VW_REFUSED && strstr(vw_last_error(), "no way here"));
    EXPECT(vw_play_pass(play, 0) == VW_BAD_ARGUMENT && vw_play_pass(play, ~0u) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_event(play, "zzz", x, y) == VW_UNKNOWN_NAME);
    EXPECT(vw_play_event(play, "turn", -5, 500) == VW_BAD_ARGUMENT);
    EXPECT(vw_play_go(play, "D:0") == VW_UNKNOWN_NAME && vw_play_kill(play, 999) == VW_REFUSED);
    EXPECT(vw_play_move_monster(play, 999, x, y) == VW_REFUSED);

    // A step on the first marker, and the game is saved.
    EXPECT(vw_play_act(play, "teleport", x + 1, y) == VW_OK);
    EXPECT(strstr(news_of(play), "\"messages\":[]"));
    EXPECT(vw_play_act(play, "step", 1, 0) == VW_OK);
    const char *news = news_of(play);
    EXPECT(strstr(news, "{\"channel\":\"warning\",\"text\":\"A voice.\"}") && strstr(news, "\"cells\":[]"));
    EXPECT(vw_play_save(play, &bytes, &length) == VW_OK && length > 100);
    EXPECT(vw_play_load(engine, bytes, length - 1, &again) == VW_BAD_SAVE && !again);
    EXPECT(vw_play_load(engine, bytes, length, &again) == VW_OK);
    EXPECT(strstr(news_of(again), "\"new_level\":true") && strstr(news_of(again), "\"messages\":[]"));
    VwPlay *both[] = {play, again};
    for (int one = 0; one < 2; one++) {
        EXPECT(vw_play_act(both[one], "step", 1, 0) == VW_OK);
        EXPECT(vw_play_act(both[one], "step", 1, 0) == VW_OK);
    }
    news = news_of(play);
    EXPECT(!strcmp(news, news_of(again)));
    char changed[80];
    snprintf(changed, sizeof changed, "\"x\":%d,\"y\":%d}]", x + 5, y);
    EXPECT(strstr(news, changed) && strstr(news, "\"cells\":[{\"feature\":"));
    const uint8_t *cells = vw_play_cells(again, &count);
    EXPECT(count == VW_WIDTH * VW_HEIGHT && cells[y * VW_WIDTH + x] & VW_KNOWN);
    EXPECT(cells[y * VW_WIDTH + x + 4] == (VW_KNOWN | VW_IN_SIGHT));

    // The game of the program moves and kills monsters.
    const char *number = strstr(news, "\"monsters\":[");
    number = number ? strstr(number, "\"number\":") : NULL;
    EXPECT(number && sscanf(number, "\"number\":%d", &monster) == 1);
    EXPECT(vw_play_move_monster(again, monster, x + 5, y) == VW_OK);
    EXPECT(vw_play_act(again, "step", 1, 0) == VW_REFUSED && strstr(vw_last_error(), "rat"));
    EXPECT(vw_play_kill(again, monster) == VW_OK && vw_play_pass(again, 10) == VW_OK);
    EXPECT(vw_play_event(again, "door_opened", x, y) == VW_OK);
    EXPECT(strstr(news_of(again), "\"monsters\":[]"));
    vw_level_free(level);
    EXPECT(vw_play_free(play) == VW_OK && vw_play_free(again) == VW_OK);
}

int main(int argc, char **argv)
{
    bool briefly = argc > 2;
    VwEngine *engine = NULL;
    VwLevel *level = NULL;
    size_t count = 0, length = 0;
    EXPECT(vw_abi_version() == VW_ABI_VERSION && strlen(vw_version()) >= 5);

    // What is not there.
    EXPECT(vw_engine_new(VW_ABI_VERSION + 1, NULL, &engine) == VW_WRONG_VERSION);
    EXPECT(vw_engine_new(VW_ABI_VERSION, NULL, NULL) == VW_BAD_ARGUMENT);
    VwOptions options = {0};
    options.data = "/no/such/folder";
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_BAD_PACK && engine == NULL);
    options.data = "/etc";
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_BAD_PACK && engine == NULL);
    EXPECT(!strcmp(vw_last_error(), "/etc holds neither vaults nor a pack"));
    options.data = "";
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_BAD_PACK && engine == NULL);
    EXPECT(strstr(vw_last_error(), "empty"));
    options.data = "\xff";
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_BAD_ARGUMENT);
    options.data = NULL;
    options.rules = "12.5";
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_BAD_ARGUMENT);
    EXPECT(vw_engine_level(NULL, "D:1", 1, false, NULL, &level) == VW_BAD_ARGUMENT);
    EXPECT(vw_engine_problems(NULL, &count) == NULL && vw_engine_features(NULL, NULL) == NULL);
    EXPECT(vw_engine_free(NULL) == VW_OK && vw_level_json(NULL) == NULL);
    vw_level_free(NULL);
    vw_library_free(NULL);

    // Vaults of one's own.
    memset(&options, 0, sizeof options);
    options.concrete = true;
    options.memory = 64 << 20;
    options.data = briefly ? "none" : NULL;
    EXPECT(vw_engine_new(VW_ABI_VERSION, &options, &engine) == VW_OK);
    EXPECT(vw_engine_problems(engine, &count) != NULL && count == 0);
    const uint8_t *text = (const uint8_t *)VAULT;
    EXPECT(vw_engine_add_text(engine, "mine.des", text, strlen(VAULT)) == VW_OK);
    const VwProblem *problems = vw_engine_problems(engine, &count);
    EXPECT(count == 1 && problems->is_error && problems->line == 10 && !strcmp(problems->map, "wrong"));
    EXPECT(!strcmp(problems->file, "mine.des") && strstr(problems->message, "bullfrogg"));
    EXPECT(vw_engine_add_text(engine, "nothing.des", NULL, 0) == VW_OK);
    EXPECT(vw_engine_add_text(engine, "nothing.des", NULL, 3) == VW_BAD_ARGUMENT);
    char path[4096];
    snprintf(path, sizeof path, "%s/no.des", argv[1]);
    EXPECT(vw_engine_add_file(engine, path) == VW_BAD_PACK);

    // Levels.
    EXPECT(vw_engine_place(engine, "cellar", 3, false, &level) == VW_OK);
    const VwFeature *features = vw_engine_features(engine, &count);
    EXPECT(level->width == VW_WIDTH && level->height == VW_HEIGHT && level->vault_count == 1);
    const VwVault vault = level->vaults[0];
    EXPECT(!strcmp(vault.name, "cellar") && vault.width == 3 && vault.height == 3);
    size_t walls = 0, own = 0, in_vaults = 0;
    for (size_t cell = 0; cell < VW_WIDTH * VW_HEIGHT; cell++) {
        EXPECT(level->features[cell] < count);
        own += level->vault_ids[cell] == 0;
        in_vaults += level->vault_ids[cell] != VW_NO_VAULT;
        walls += level->vault_ids[cell] == 0 && features[level->features[cell]].solid;
        EXPECT(level->masks[cell] >= 0);
    }
    EXPECT(own == 9 && in_vaults == 9 && walls >= 7 && walls <= 8);
    EXPECT(level->monster_count == 1 && !strcmp(level->monsters[0].kind, "rat"));
    EXPECT(level->heights == NULL && level->item_count == 0);
    const char *json = vw_level_json(level);
    EXPECT(json && strstr(json, "\"cellar\"") && vw_level_json(level) == json);
    EXPECT(strstr(json, "\"seed\":3") && !strstr(json, "\"place\""));
    EXPECT(vw_level_png(level, 4, NULL, 0, &length) == VW_OK && length > 100);
    uint8_t *png = malloc(length);
    EXPECT(vw_level_png(level, 4, png, length - 1, &length) == VW_BAD_ARGUMENT);
    EXPECT(vw_level_png(level, 4, png, length, &length) == VW_OK && !memcmp(png, "\x89PNG", 4));
    free(png);
    vw_level_free(level);
    level = NULL;
    EXPECT(vw_engine_place(engine, "cellars", 3, false, &level) == VW_UNKNOWN_NAME && !level);
    EXPECT(vw_engine_place(engine, "wrong", 3, false, &level) == VW_NO_LEVEL && !level);
    EXPECT(strstr(vw_last_error(), "the map 'wrong' does not compile: mine.des:10:"));
    EXPECT(vw_engine_level(engine, "D:0", 3, false, NULL, &level) == VW_UNKNOWN_NAME && !level);
    if (!briefly) {
        EXPECT(vw_engine_level(engine, "D:2", 9, false, NULL, &level) == VW_OK);
        EXPECT(level->monster_count > 0 && level->item_count > 0);
        json = vw_level_json(level);
        EXPECT(strstr(json, "\"seed\":9") && strstr(json, "\"place\":\"D:2\""));
        for (size_t cell = 0; cell < VW_WIDTH * VW_HEIGHT; cell++) {
            uint16_t vault_id = level->vault_ids[cell];
            EXPECT(vault_id == VW_NO_VAULT || vault_id < level->vault_count);
        }
        vw_level_free(level);

        // Levels are left and entered again.
        VwPlay *play = NULL;
        EXPECT(vw_play_at(engine, "D:1", 9, true, &play) == VW_OK);
        EXPECT(vw_play_go(play, "D:2") == VW_OK && strstr(news_of(play), "\"place\":\"D:2\""));
        EXPECT(vw_play_go(play, "D:1") == VW_OK && strstr(news_of(play), "\"new_level\":true"));

        // Another thread.
        struct errand errand = {engine, play, NULL, NULL};
        EXPECT(vw_library_of(engine, &errand.library) == VW_OK);
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, elsewhere, &errand) == 0);
        EXPECT(pthread_join(thread, NULL) == 0);
        vw_library_free(errand.library);
        // It outlives the engine and the thread that made it.
        EXPECT(errand.level && !strcmp(errand.level->vaults[errand.level->vault_count - 1].name, "cellar"));
        vw_level_free(errand.level);
        EXPECT(vw_play_free(play) == VW_OK);
    }
    play_wrongly(engine);
    play_rightly(engine);
    EXPECT(vw_engine_free(engine) == VW_OK);
    return 0;
}
