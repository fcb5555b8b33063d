" Looks at what the syntax file makes of a vault. Writes `fine`, or what is wrong, to $DES_OUT.

set nocompatible
exe 'set rtp^=' . fnameescape($DES_EDITORS . '/vim')
let g:vaultwright_lsp = 0
filetype plugin on
syntax on
exe 'edit ' . fnameescape($DES_EDITORS . '/vim/test/sample.des')

" A line, a text on it, the group that its first character has.
let s:expected = [
      \ [1, 'A pond', 'desComment'],
      \ [2, 'default-depth', 'desHeader'],
      \ [2, 'Lair', 'desPlace'],
      \ [3, 'local', 'luaStatement'],
      \ [4, 'NAME', 'desHeader'],
      \ [4, 'sample_pond', 'desName'],
      \ [5, 'no_rotate', 'desKnownTag'],
      \ [5, 'uniq_pond', 'desKnownTag'],
      \ [5, 'mine', 'desTag'],
      \ [6, 'WEIGHT', 'desHeader'],
      \ [6, '10', 'desNumber'],
      \ [7, 'KMONS', 'desHeader'],
      \ [7, 'a =', 'desKey'],
      \ [7, 'frog', 'desWord'],
      \ [7, 'w:', 'desAttribute'],
      \ [8, 'rat', 'desWord'],
      \ [9, '? =', 'desListKey'],
      \ [9, ':20', 'desWeight'],
      \ [10, '3:', 'desCount'],
      \ [11, 'no_item_gen', 'desKnownWord'],
      \ [12, 'lua:', 'desChunk'],
      \ [12, 'single_cloud', 'desFunction'],
      \ [12, '{', 'luaTable'],
      \ [13, 'float', 'desSide'],
      \ [14, 'MAP', 'desHeader'],
      \ [15, 'xx', 'desWallGlyph'],
      \ [16, '# not', 'desDrawing'],
      \ [18, 'ENDMAP', 'desHeader'],
      \ [19, 'validate', 'desChunk'],
      \ [20, 'return', 'luaStatement'],
      \ [20, 'has_tag', 'desFunction'],
      \ [21, '}}', 'desChunk'],
      \ [22, 'dgn.', 'desFunction'],
      \ [23, 'NAME', 'desHeader'],
      \ ]

let s:faults = []
if &filetype !=# 'des'
  call add(s:faults, 'the file type is ' . &filetype)
endif
for [s:line, s:text, s:group] in s:expected
  let s:column = stridx(getline(s:line), s:text) + 1
  let s:found = synIDattr(synID(s:line, s:column, 1), 'name')
  if s:column == 0 || s:found !=# s:group
    call add(s:faults, printf('line %d, %s: %s instead of %s', s:line, s:text, s:found, s:group))
  endif
endfor
if foldlevel(5) != 1 || &commentstring !=# '# %s'
  call add(s:faults, 'the settings of the file type are missing')
endif

call writefile(empty(s:faults) ? ['fine'] : s:faults, $DES_OUT)
qa!
