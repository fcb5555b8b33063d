dofile("../../Cargo.toml")
function map_cares_insert() return true end
