/// Placeholder
pub fn format(source: &[u8]) -> Vec<u8> {
    source.to_vec()
}
