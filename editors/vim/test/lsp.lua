-- Whether a file of vaults starts a language server, and the server's finding is shown.
-- Writes `fine`, or what is wrong, to $DES_OUT.

local editors, folder = os.getenv 'DES_EDITORS', os.getenv 'DES_FOLDER'
vim.opt.runtimepath:prepend(editors .. '/vim')
vim.cmd 'filetype plugin on'

require('vaultwright').setup {
  command = { 'python3', editors .. '/vim/test/server.py' },
  arguments = { '--data', 'none' },
}

vim.fn.mkdir(folder .. '/tree/des', 'p')
vim.fn.writefile({}, folder .. '/tree/pack.json')
vim.fn.writefile({ 'NAME: a', 'MONS: wrong' }, folder .. '/tree/des/a.des')
vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/tree/des/a.des'))

local faults = {}
local function expect(what, found, wanted)
  if not vim.deep_equal(found, wanted) then
    table.insert(faults, what .. ': ' .. vim.inspect(found))
  end
end

vim.wait(5000, function()
  return #vim.diagnostic.get(0) > 0
end, 20)
local found = vim.diagnostic.get(0)[1] or {}
expect('what it was called with', found.message, 'lsp --data none')
expect('the line', found.lnum, 1)
expect('the column', found.col, 6)

-- A second file of the same tree goes to the same server.
vim.fn.writefile({ 'NAME: b' }, folder .. '/tree/b.des')
vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/tree/b.des'))
local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
expect('how many servers there are', #clients, 1)
local root = clients[1] and clients[1].config.root_dir
expect('the folder', root and vim.loop.fs_realpath(root), vim.loop.fs_realpath(folder .. '/tree'))
expect('what is attached', #vim.tbl_keys(vim.lsp.buf_get_clients and vim.lsp.buf_get_clients(0) or clients), 1)

vim.fn.writefile(#faults == 0 and { 'fine' } or faults, os.getenv 'DES_OUT')
vim.cmd 'qa!'
