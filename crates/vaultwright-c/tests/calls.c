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

struct errand {
    VwEngine *foreign;
    VwLibrary *library;
    VwLevel *level;
};

static void *elsewhere(void *given)
{
    struct errand *errand = given;
    VwLevel *level = NULL;
    size_t count = 7;
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

        // Another thread.
        struct errand errand = {engine, NULL, NULL};
        EXPECT(vw_library_of(engine, &errand.library) == VW_OK);
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, elsewhere, &errand) == 0);
        EXPECT(pthread_join(thread, NULL) == 0);
        vw_library_free(errand.library);
        // It outlives the engine and the thread that made it.
        EXPECT(errand.level && !strcmp(errand.level->vaults[errand.level->vault_count - 1].name, "cellar"));
        vw_level_free(errand.level);
    }
    EXPECT(vw_engine_free(engine) == VW_OK);
    return 0;
}
