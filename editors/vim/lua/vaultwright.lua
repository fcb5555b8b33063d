-- Starts `vaultwright lsp` for buffers of vaults, in Neovim 0.7 and later.
--
--   vim.g.vaultwright_lsp = 0                       no language server
--   require('vaultwright').setup {
--     command = { 'vaultwright' },                  the program
--     arguments = { '--data', '/path/to/crawl' },   what stands behind `lsp`
--   }

local M = {}

local settings = { command = { 'vaultwright' }, arguments = {} }
local clients = {}

function M.setup(wanted)
  for name, value in pairs(wanted or {}) do
    settings[name] = value
  end
end

-- The folder that the server looks at: a tree or a pack around the file, else its own folder.
function M.root(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  local at = folder
  while true do
    for _, mark in ipairs { 'pack.json', 'crawl-ref', '.git' } do
      local found = at .. '/' .. mark
      if vim.fn.filereadable(found) == 1 or vim.fn.isdirectory(found) == 1 then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      return folder
    end
    at = above
  end
end

-- The configuration that vim.lsp.start, vim.lsp.start_client and vim.lsp.config take.
function M.config(root)
  local command = vim.list_extend({}, settings.command)
  table.insert(command, 'lsp')
  vim.list_extend(command, settings.arguments)
  return { name = 'vaultwright', cmd = command, root_dir = root, filetypes = { 'des' } }
end

function M.attach(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  if vim.fn.executable(settings.command[1]) == 0 then
    return
  end
  local root = M.root(vim.api.nvim_buf_get_name(buffer))
  if vim.lsp.start then
    vim.lsp.start(M.config(root), { bufnr = buffer })
    return
  end
  local client = clients[root]
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client(M.config(root))
    clients[root] = client
  end
  if client then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

-- Shows the buffer's file in the studio, in a terminal below.
function M.studio()
  local file = vim.api.nvim_buf_get_name(0)
  local command = vim.list_extend({}, settings.command)
  vim.list_extend(command, { 'studio', file })
  vim.list_extend(command, settings.arguments)
  vim.cmd 'botright 6new'
  vim.fn.termopen(command)
  vim.cmd 'wincmd p'
end

return M
