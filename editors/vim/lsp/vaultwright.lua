-- Neovim 0.11: vim.lsp.enable('vaultwright') takes this file.

return {
  cmd = { 'vaultwright', 'lsp' },
  filetypes = { 'des' },
  root_markers = { 'pack.json', 'crawl-ref', '.git' },
}
