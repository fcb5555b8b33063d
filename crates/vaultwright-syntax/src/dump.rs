//! The output of the reference for `-dump-maps`.

use crate::{ChunkKind, Map};

/// Appends what `crawl -dump-maps -builddb` prints for a map (spec 01 §7).
pub fn dump_map(map: &Map, source: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\n----------------------------------------\nMap: ");
    out.extend_from_slice(map.name.bytes(source));
    out.push(b'\n');
    for kind in ChunkKind::ALL {
        let chunk = map.chunk(kind);
        if chunk.pieces.is_empty() {
            continue;
        }
        out.extend_from_slice(format!("function {}()\n", kind.name()).as_bytes());
        chunk.write_lua(source, out);
        out.extend_from_slice(b"\nend\n");
    }
    out.push(b'\n');
}
