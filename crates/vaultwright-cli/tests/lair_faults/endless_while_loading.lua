-- options: --instructions 100000
while true do end
