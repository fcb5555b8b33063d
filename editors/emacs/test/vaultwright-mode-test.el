;;; vaultwright-mode-test.el --- Tests of vaultwright-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Code:

(require 'ert)
(require 'imenu)
(require 'vaultwright-mode)

(defconst vaultwright-test-text
  "# A pond
default-depth: D:2-5
: local deep = 3
NAME:   sample_pond
TAGS:   no_rotate uniq_pond mine
KMONS:  a = frog w:5 / \\
            rat
MAP
 xxxx
# not a comment
 x\"
ENDMAP
validate {{
  return has_tag(\"mine\") -- a # word
}}
WEIGHT: 10
NAME:   sample_second
"
  "A file with one thing of each kind.")

(defmacro vaultwright-test-with (&rest body)
  "Run BODY in a buffer of vaults."
  `(with-temp-buffer
     (insert vaultwright-test-text)
     (vaultwright-mode)
     (font-lock-ensure)
     ,@body))

(defun vaultwright-test-face (text)
  "Return the face of the first character of TEXT."
  (goto-char (point-min))
  (let ((case-fold-search nil)) (search-forward text))
  (get-text-property (match-beginning 0) 'face))

(ert-deftest vaultwright-faces ()
  (vaultwright-test-with
   (pcase-dolist (`(,text . ,face)
                  '(("A pond" . font-lock-comment-face)
                    ("default-depth" . font-lock-keyword-face)
                    ("local" . font-lock-keyword-face)
                    ("NAME" . font-lock-keyword-face)
                    ("sample_pond" . font-lock-function-name-face)
                    ("no_rotate" . font-lock-type-face)
                    ("uniq_pond" . font-lock-type-face)
                    ("w:5" . font-lock-variable-name-face)
                    ("MAP" . font-lock-keyword-face)
                    ("xxxx" . vaultwright-drawing)
                    ("# not a comment" . vaultwright-drawing)
                    ("ENDMAP" . font-lock-keyword-face)
                    ("validate" . font-lock-preprocessor-face)
                    ("return" . font-lock-keyword-face)
                    ("has_tag" . font-lock-builtin-face)
                    ("-- a" . font-lock-comment-face)
                    ("WEIGHT" . font-lock-keyword-face)
                    ("sample_second" . font-lock-function-name-face)))
     (should (equal (cons text (vaultwright-test-face text)) (cons text face))))
   (should-not (vaultwright-test-face "mine"))))

(ert-deftest vaultwright-typing-in-a-drawing ()
  (vaultwright-test-with
   (search-backward "xxxx")
   (insert "\n#new\n")
   (font-lock-ensure)
   (should (eq (vaultwright-test-face "#new") 'vaultwright-drawing))
   (should (eq (vaultwright-test-face "WEIGHT") 'font-lock-keyword-face))))

(ert-deftest vaultwright-vaults-are-listed ()
  (vaultwright-test-with
   (should (equal (mapcar #'car (cdr (imenu--make-index-alist t))) '("sample_pond" "sample_second")))))

(ert-deftest vaultwright-files-and-commands ()
  (should (equal (assoc-default "a.des" auto-mode-alist #'string-match) 'vaultwright-mode))
  (let ((vaultwright-arguments '("--data" "/c")))
    (should (equal (vaultwright-command "lsp") '("vaultwright" "lsp" "--data" "/c")))))

;;; vaultwright-mode-test.el ends here
