(comment) @comment
(keyword) @keyword
(chunk) @keyword

(vault_name) @function
(place) @constant
(tag) @label
(text) @string
(parenthesised) @constant

(glyphs) @character
(replacement (glyphs) @character)
(row) @string.special

(attribute) @attribute
(word) @string
(number) @number
(weight) @number
(count) @number
(priority) @number
(operator) @operator
(continuation) @punctuation.special

["=" ":" "lua:"] @operator
"," @punctuation.delimiter
"{{" @punctuation.bracket
