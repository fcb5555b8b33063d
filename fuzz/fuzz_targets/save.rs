//! Saved games with a right checksum and whatever inside.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use vaultwright::play::{Session, exercise};
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, MapId};

thread_local! {
    static SESSION: RefCell<Option<(Session, Vec<u8>)>> = const { RefCell::new(None) };
}

const VAULT: &[u8] =
    b"NAME: a\nDEPTH: D\nMARKER: m = lua:fog_machine { size = 2, pow_max = 3, delay = 20 }\n\
    MONS: rat\nITEM: dagger\nSUBST: m = .\nMAP\n.m.\n1.d\nENDMAP\n";

/// Bytes before the payload: magic, version, checksum.
const HEAD: usize = 16;

fuzz_target!(|changes: &[u8]| {
    SESSION.with(|cell| {
        let mut cell = cell.borrow_mut();
        let (session, saved) = cell.get_or_insert_with(|| {
            let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
            let mut engine = Engine::new(options).expect("an engine");
            engine.load(vec![Source::new("a.des", VAULT)]);
            let mut session = Session::new(engine, 1);
            exercise(&mut session, MapId(0), 1, 10).expect("a vault");
            let saved = session.save().expect("a saved game");
            (session, saved)
        });
        // Triples of bytes: where to change what into what.
        let mut payload = saved[HEAD..].to_vec();
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % payload.len();
            payload[at] = change[2];
        }
        let mut bytes = saved[..HEAD - 4].to_vec();
        bytes.extend(crc32fast::hash(&payload).to_le_bytes());
        bytes.extend(payload);
        if session.load(&bytes).is_ok() {
            for _ in 0..3 {
                session.wait();
            }
            let _ = session.kill_nearest();
            let _ = session.pick_up();
            session.take_messages();
        }
    });
});
