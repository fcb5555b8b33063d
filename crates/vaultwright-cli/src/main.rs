//! The program `vaultwright`.

mod allocator;

use std::ffi::{c_int, c_long};

use vaultwright_cli::Itself;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// The option of mimalloc 2 for how long memory that is free is kept, in milliseconds.
const PURGE_DELAY: c_int = 15;

unsafe extern "C" {
    fn mi_option_set_default(option: c_int, value: c_long);
}

fn main() {
    // Half of the page faults of many rolls came from giving memory back after ten milliseconds.
    // SAFETY: sets a number, before there is another thread; the environment goes before it.
    unsafe { mi_option_set_default(PURGE_DELAY, 500) };
    let code = vaultwright_cli::run(std::env::args_os(), Itself::default());
    std::process::exit(i32::from(code));
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn mi_option_get(option: c_int) -> c_long;
    }

    #[test]
    fn the_option_is_the_one_that_is_ten_milliseconds_by_itself() {
        // SAFETY: as above; nothing else reads or sets options here.
        unsafe {
            assert_eq!(mi_option_get(PURGE_DELAY), 10);
            mi_option_set_default(PURGE_DELAY, 500);
            assert_eq!(mi_option_get(PURGE_DELAY), 500);
        }
    }
}
