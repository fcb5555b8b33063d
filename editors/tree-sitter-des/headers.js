module.exports = {
  text: ["DESC:", "ORIENT:", "WELCOME:", "CLEAR:", "LFLOORCOL:", "LROCKCOL:", "LFLOORTILE:", "LROCKTILE:", "LFLAGS:", "BFLAGS:"],
  places: ["DEPTH:", "PLACE:"],
  keyed: ["KFEAT:", "KMONS:", "KITEM:", "KMASK:", "KPROP:", "SUBVAULT:"],
  keyed_lists: ["COLOUR:", "FTILE:", "RTILE:", "TILE:", "FHEIGHT:"],
  lists: ["ITEM:", "MONS:"],
  glyph_substitutions: ["SUBST:", "NSUBST:"],
  glyph_lists: ["SHUFFLE:"],
  markers: ["MARKER:"],
  words: ["TAGS:"],
  numbers: ["CHANCE:", "WEIGHT:", "ORDER:"],
};
