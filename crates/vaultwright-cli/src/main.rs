//! The program `vaultwright`.

mod allocator;

use vaultwright_cli::Itself;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() {
    allocator::prepare();
    let code = vaultwright_cli::run(std::env::args_os(), Itself::default());
    std::process::exit(i32::from(code));
}
