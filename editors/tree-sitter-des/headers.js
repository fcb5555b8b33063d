// Written by editors/generate from the headers of the language. Do not edit.

module.exports = {
  text: ["DESC:", "ORIENT:", "WELCOME:", "CLEAR:", "LFLOORCOL:", "LROCKCOL:", "LFLOORTILE:", "LROCKTILE:", "LFLAGS:", "BFLAGS:"],
  numbers: ["ORDER:", "CHANCE:", "WEIGHT:"],
  places: ["DEPTH:", "PLACE:"],
  words: ["TAGS:"],
  glyph_substitutions: ["SUBST:", "NSUBST:"],
  glyph_lists: ["SHUFFLE:"],
  keyed_lists: ["COLOUR:", "FTILE:", "RTILE:", "TILE:", "FHEIGHT:"],
  lists: ["ITEM:", "MONS:"],
  keyed: ["KFEAT:", "KMONS:", "KITEM:", "KMASK:", "KPROP:", "SUBVAULT:"],
  markers: ["MARKER:"],
};
