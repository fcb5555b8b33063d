// Prints a level: cc level.c -lvaultwright_c && ./a.out D:3 7

#include <stdio.h>
#include <stdlib.h>
#include <vaultwright.h>

static void complain(VwStatus status)
{
    if (status != VW_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, vw_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const char *place = argc > 1 ? argv[1] : "D:1";
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    VwOptions options = {0};
    VwEngine *engine = NULL;
    VwLevel *level = NULL;
    options.concrete = true;
    options.data = argc > 3 ? argv[3] : NULL;
    complain(vw_engine_new(VW_ABI_VERSION, &options, &engine));

    size_t count;
    const VwProblem *problems = vw_engine_problems(engine, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s:%u: %s\n", problems[i].file, problems[i].line, problems[i].message);

    complain(vw_engine_level(engine, place, seed, false, NULL, &level));
    const VwFeature *features = vw_engine_features(engine, &count);
    for (uint32_t y = 0; y < level->height; y++) {
        char row[401]; // no level is wider
        for (uint32_t x = 0; x < level->width; x++) {
            uint32_t glyph = features[level->features[y * level->width + x]].glyph;
            row[x] = glyph < 128 ? (char)glyph : '?';
        }
        row[level->width] = 0;
        for (size_t i = 0; i < level->monster_count; i++) {
            const VwMonster *monster = &level->monsters[i];
            if (monster->y == (int32_t)y)
                row[monster->x] = monster->kind ? monster->kind[0] : 'M';
        }
        puts(row);
    }
    for (size_t i = 0; i < level->vault_count; i++) {
        const VwVault *vault = &level->vaults[i];
        printf("%s at %d,%d\n", vault->name, vault->x, vault->y);
    }
    printf("%zu monsters, %zu items, %zu markers\n", level->monster_count, level->item_count,
           level->marker_count);
    vw_level_free(level);
    complain(vw_engine_free(engine));
    return 0;
}
