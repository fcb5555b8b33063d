//! Browsers that tests use one after the other: to start one takes a fourth of a test.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::browser::Browser;
use crate::common::temporary;

static SHELF: Mutex<Shelf> = Mutex::new(Shelf { free: Vec::new(), borrowed: 0 });

struct Shelf {
    free: Vec<Browser>,
    borrowed: usize,
}

/// A browser that one test has for itself.
pub struct Borrowed {
    /// There until it is given back.
    browser: Option<Browser>,
}

impl Borrowed {
    /// Returns one that another test is done with, or opens one.
    pub fn take() -> Borrowed {
        let free = {
            let mut shelf = shelf();
            shelf.borrowed += 1;
            shelf.free.pop()
        };
        let browser = free.unwrap_or_else(|| Browser::open(&temporary("profile")));
        Borrowed { browser: Some(browser) }
    }
}

impl Deref for Borrowed {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser.as_ref().expect("it is not given back yet")
    }
}

impl Drop for Borrowed {
    /// Gives it back, unless the test has failed with it. Whoever gives back the last one closes
    /// them all: nobody would at the end of the process.
    fn drop(&mut self) {
        shelf().borrowed -= 1;
        let browser = self.browser.take().filter(|_| !std::thread::panicking());
        if let Some(browser) = &browser {
            browser.forget();
        }
        let mut shelf = shelf();
        shelf.free.extend(browser);
        if shelf.borrowed == 0 {
            shelf.free.drain(..).for_each(|browser| browser.close());
        }
    }
}

fn shelf() -> MutexGuard<'static, Shelf> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}
