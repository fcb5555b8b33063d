;;; vaultwright-mode.el --- Mode for .des vaults of roguelikes  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Version: 0.2.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, games

;;; Commentary:

;; Highlighting of headers, drawings and Lua, an outline of the vaults of a file, the language
;; server `vaultwright lsp' for Eglot, and `vaultwright-studio', which opens a file in the studio.

;;; Code:

(require 'vaultwright-words)

(defgroup vaultwright nil
  "Vaults of roguelikes."
  :group 'languages)

(defcustom vaultwright-program "vaultwright"
  "The program: a name on the path, or a file."
  :type 'string)

(defcustom vaultwright-arguments nil
  "Further arguments of the program, such as (\"--data\" \"~/crawl\")."
  :type '(repeat string))

(defface vaultwright-drawing
  '((t :inherit font-lock-string-face))
  "Rows of a drawing."
  :group 'vaultwright)

(defvar vaultwright-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\n ">" table)
    ;; Any of these may stand in a text without another one.
    (dolist (character '(?\" ?\\ ?# ?' ?: ?= ?% ?* ?/ ?+ ?- ?& ?| ?< ?>))
      (modify-syntax-entry character "." table))
    table)
  "Syntax of vaults; where comments and drawings are depends on the line.")

(defconst vaultwright--header
  (concat "\\(?:^\\|[ \t]\\)" (regexp-opt vaultwright-words-headers t) ":")
  "A header's keyword.")

(defconst vaultwright--block
  (concat "^[ \t]*\\(" (regexp-opt vaultwright-words-chunks) "\\)?[ \t]*{{")
  "What opens a block of Lua.")

(defun vaultwright--propertize (start end)
  "Mark comments, drawings and Lua between START and END."
  (goto-char start)
  (remove-text-properties start end '(vaultwright-lua nil))
  (let ((opener (concat "^[ \t]*\\(#\\)\\|^s*\\(MAP\\)[ \t]*$\\|" vaultwright--block
                        "\\|^[ \t]*\\(:\\)")))
    (while (re-search-forward opener end t)
      (cond
       ((match-beginning 1) (vaultwright--put (match-beginning 1) "<") (end-of-line))
       ((match-beginning 2) (vaultwright--drawing end))
       ((match-beginning 4) (vaultwright--lua (point) (line-end-position)))
       (t (vaultwright--lua
           (point)
           (if (re-search-forward "}}[ \t]*$" nil t) (match-beginning 0) (point-max))))))))

(defun vaultwright--put (position syntax)
  "Give the character at POSITION a SYNTAX."
  (put-text-property position (1+ position) 'syntax-table (string-to-syntax syntax)))

(defun vaultwright--lua (start end)
  "Mark what stands between START and END as Lua."
  (put-text-property start end 'vaultwright-lua t)
  (goto-char end))

(defun vaultwright--drawing (end)
  "Mark the drawing whose MAP line point is on, which may go on behind END."
  (end-of-line)
  (unless (eobp)
    (vaultwright--put (point) "|")
    (if (re-search-forward "\n\\(s*ENDMAP\\) *$" nil t)
        (progn
          (vaultwright--put (match-beginning 0) "|")
          (goto-char (match-end 0)))
      (goto-char (max end (point))))))

(defun vaultwright--extend (start end)
  "Let propertizing from START to END begin outside of blocks and drawings."
  (save-excursion
    (goto-char start)
    (let ((case-fold-search nil))
      (unless (re-search-backward "^\\(NAME\\|default-depth\\):" nil t)
        (goto-char (point-min))))
    (let ((begin (point)))
      (goto-char end)
      (let ((case-fold-search nil))
        (unless (re-search-forward "^\\(NAME\\|default-depth\\):" nil t)
          (goto-char (point-max))))
      (let ((finish (max end (line-beginning-position))))
        (unless (and (= begin start) (= finish end))
          (cons begin finish))))))

(defun vaultwright--in-lua (regexp limit)
  "Find REGEXP before LIMIT where Lua stands."
  (let (found)
    (while (and (not found) (re-search-forward regexp limit t))
      (setq found (get-text-property (match-beginning 0) 'vaultwright-lua)))
    found))

(defun vaultwright--outside-lua (regexp limit)
  "Find REGEXP before LIMIT where no Lua stands."
  (let (found)
    (while (and (not found) (re-search-forward regexp limit t))
      (setq found (not (get-text-property (match-beginning 0) 'vaultwright-lua))))
    found))

(defun vaultwright--lua-matcher (words)
  "Return a matcher of WORDS in Lua."
  (let ((regexp (concat "\\_<" (regexp-opt words) "\\_>")))
    (lambda (limit) (vaultwright--in-lua regexp limit))))

(defconst vaultwright--lua-words
  '("and" "break" "do" "else" "elseif" "end" "for" "function" "if" "in" "local" "not" "or" "repeat"
    "return" "then" "until" "while" "true" "false" "nil")
  "What Lua itself knows.")

(defconst vaultwright-font-lock-keywords
  `(("^\\(NAME\\):[ \t]*\\(.*?\\)[ \t]*$"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    (,(lambda (limit) (vaultwright--outside-lua vaultwright--header limit))
     (1 font-lock-keyword-face))
    ("^s*\\(MAP\\)[ \t]*$" (1 font-lock-keyword-face t))
    ("^s*\\(ENDMAP\\) *$" (1 font-lock-keyword-face t))
    (,vaultwright--block (0 font-lock-preprocessor-face))
    ("\\(}}\\)[ \t]*$" (1 font-lock-preprocessor-face))
    ("^[ \t]*\\(:\\)" (1 font-lock-preprocessor-face))
    ("\\(\\\\\\)[ \t]*$" (1 font-lock-warning-face))
    (,(vaultwright--lua-matcher vaultwright--lua-words) (0 font-lock-keyword-face))
    (,(vaultwright--lua-matcher vaultwright-words-functions) (0 font-lock-builtin-face))
    (,(lambda (limit) (vaultwright--in-lua "--.*$" limit)) (0 font-lock-comment-face t))
    (,(lambda (limit) (vaultwright--in-lua "\"[^\"\n]*\"\\|'[^'\n]*'" limit))
     (0 font-lock-string-face))
    (,(regexp-opt (append vaultwright-words-tags vaultwright-words-masks
                          vaultwright-words-properties)
                  'symbols)
     (0 font-lock-type-face))
    (,(concat "\\_<" (regexp-opt vaultwright-words-tag-prefixes) "[-_[:alnum:]]+")
     (0 font-lock-type-face))
    ("\\_<[a-z_]+:" (0 font-lock-variable-name-face))
    ("\\_<[0-9]+\\(\\.[0-9]+\\)?%?" (0 font-lock-constant-face)))
  "What `vaultwright-mode' highlights.")

(defun vaultwright--syntactic-face (state)
  "Return the face of what the parser's STATE is in."
  (if (nth 3 state) 'vaultwright-drawing 'font-lock-comment-face))

;;;###autoload
(define-derived-mode vaultwright-mode prog-mode "Vaults"
  "Major mode for .des files."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local comment-end "")
  (setq-local parse-sexp-lookup-properties t)
  (setq-local syntax-propertize-function #'vaultwright--propertize)
  (add-hook 'syntax-propertize-extend-region-functions #'vaultwright--extend nil t)
  (setq-local font-lock-defaults
              '(vaultwright-font-lock-keywords
                nil nil nil
                (font-lock-syntactic-face-function . vaultwright--syntactic-face)))
  (setq-local imenu-generic-expression '((nil "^NAME:[ \t]*\\(.+?\\)[ \t]*$" 1)))
  (setq-local outline-regexp "NAME:")
  ;; Tabs end a row of a drawing.
  (setq-local indent-tabs-mode nil)
  (setq-local require-final-newline t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.des\\'" . vaultwright-mode))

(defun vaultwright-command (subcommand &rest more)
  "Return the command line of a SUBCOMMAND with MORE behind it."
  (append (list vaultwright-program subcommand) more vaultwright-arguments))

(defvar eglot-server-programs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(vaultwright-mode . (lambda (&rest _) (vaultwright-command "lsp")))))

(defun vaultwright-studio ()
  "Show this buffer's file in the studio, which opens the browser."
  (interactive)
  (unless buffer-file-name
    (user-error "The studio shows a file: save the text first"))
  (save-buffer)
  (let ((command (vaultwright-command "studio" buffer-file-name)))
    (make-process :name "vaultwright studio" :buffer "*vaultwright studio*" :command command)
    (message "%s" (mapconcat #'identity command " "))))

(provide 'vaultwright-mode)
;;; vaultwright-mode.el ends here
