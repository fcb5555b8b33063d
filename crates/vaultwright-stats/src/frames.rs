//! Values on a pipe: four bytes of length, followed by the value.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The maximum length of a frame.
const MAX_LENGTH: u32 = 1 << 30;

/// Writes a value and flushes.
pub fn write_frame(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    let bytes = postcard::to_stdvec(value).map_err(Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a value. Returns `None` at the end of the pipe.
pub fn read_frame<T: DeserializeOwned>(input: &mut impl Read) -> Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_LENGTH {
        return Err(Error::new(ErrorKind::InvalidData, "a frame that is too long"));
    }
    let mut bytes = vec![0; length as usize];
    input.read_exact(&mut bytes)?;
    postcard::from_bytes(&bytes).map(Some).map_err(Error::other)
}
