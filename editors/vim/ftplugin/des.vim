" What a buffer of vaults sets.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

let s:cpo_save = &cpo
set cpo&vim

setlocal commentstring=#\ %s
setlocal comments=:#
" A drawing's blanks and columns count.
setlocal formatoptions-=t noexpandtab textwidth=0
setlocal foldmethod=expr foldexpr=getline(v:lnum)=~#'^NAME:'?'>1':'=' foldlevel=99

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< textwidth<'
      \ . ' foldmethod< foldexpr< foldlevel<'

if has('nvim') && get(g:, 'vaultwright_lsp', 1)
  lua require('vaultwright').attach()
endif

let &cpo = s:cpo_save
unlet s:cpo_save
