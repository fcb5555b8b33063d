autocmd BufNewFile,BufRead *.des setfiletype des
