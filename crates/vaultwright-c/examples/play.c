// Plays some turns, saves, and goes on in two games, which go the same way: cc play.c -lvaultwright_c && ./a.out D:1 7

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vaultwright.h>

static void complain(VwStatus status)
{
    if (status != VW_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, vw_last_error());
        exit(1);
    }
}

// Explores until something turns up; where nothing is left to explore, goes down.
static void take_turn(VwPlay *play)
{
    VwStatus status = vw_play_act(play, "explore", 0, 0);
    if (status == VW_REFUSED)
        status = vw_play_act(play, "next_level", 0, 0);
    if (status == VW_REFUSED) {
        printf("(%s)\n", vw_last_error());
        status = vw_play_act(play, "wait", 0, 0);
    }
    complain(status);
}

static const char *news_of(VwPlay *play)
{
    const char *json = NULL;
    complain(vw_play_news(play, &json));
    return json;
}

// Shows what the player knows of the level.
static void draw(VwEngine *engine, VwPlay *play)
{
    size_t count;
    VwLevel *level = NULL;
    const VwFeature *features = vw_engine_features(engine, &count);
    const uint8_t *cells = vw_play_cells(play, &count);
    complain(vw_play_level(play, &level));
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x < level->width; x++) {
            uint32_t cell = y * level->width + x;
            uint32_t glyph = features[level->features[cell]].glyph;
            putchar(!(cells[cell] & VW_KNOWN) ? ' ' : glyph < 128 ? (int)glyph : '?');
        }
        putchar('\n');
    }
    vw_level_free(level);
}

int main(int argc, char **argv)
{
    const char *place = argc > 1 ? argv[1] : "D:1";
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    VwEngine *engine = NULL;
    VwPlay *play = NULL, *again = NULL;
    complain(vw_engine_new(VW_ABI_VERSION, NULL, &engine));
    complain(vw_play_at(engine, place, seed, true, &play));
    for (int turn = 0; turn < 10; turn++) {
        take_turn(play);
        puts(news_of(play));
    }
    const char *markers = NULL;
    complain(vw_play_markers(play, &markers));
    printf("markers: %s\n", markers);

    // The bytes may be written to a file, and be loaded by another process.
    const uint8_t *bytes;
    size_t length;
    complain(vw_play_save(play, &bytes, &length));
    complain(vw_play_load(engine, bytes, length, &again));
    printf("saved in %zu bytes\n", length);
    news_of(again); // that it is on a level at all is new to it
    for (int turn = 0; turn < 10; turn++) {
        take_turn(play);
        take_turn(again);
        if (strcmp(news_of(play), news_of(again)) != 0) {
            fprintf(stderr, "they go different ways\n");
            return 1;
        }
    }
    draw(engine, again);
    complain(vw_play_free(play));
    complain(vw_play_free(again));
    complain(vw_engine_free(engine));
    return 0;
}
