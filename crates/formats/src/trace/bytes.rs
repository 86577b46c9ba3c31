//! Numbers and strings as bytes.

use crate::FormatError;
use throng_core::Cell;

/// Bytes being written.
#[derive(Default)]
pub(crate) struct Output(Vec<u8>);

impl Output {
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Small for numbers near 0 on either side.
    pub(crate) fn signed(&mut self, value: i32) {
        self.number(u64::from((value << 1 ^ value >> 31) as u32));
    }

    pub(crate) fn cell(&mut self, cell: Cell) {
        self.signed(cell.x);
        self.signed(cell.y);
    }

    /// Every bit of it.
    pub(crate) fn float(&mut self, value: f64) {
        self.raw(&value.to_le_bytes());
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.raw(text.as_bytes());
    }
}

/// Bytes being read. Nothing is allocated for a count before as many bytes are known to be there.
#[derive(Clone, Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    /// Reads `bytes` from `at` on; offsets in errors count from the beginning of `bytes`.
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub(crate) const fn corrupt(&self, expected: &'static str) -> FormatError {
        FormatError::Corrupt { offset: self.at, expected }
    }

    pub(crate) fn raw(&mut self, len: usize, expected: &'static str) -> Result<&'a [u8], FormatError> {
        let end = self.at.checked_add(len);
        let bytes = end
            .and_then(|end| self.bytes.get(self.at..end))
            .ok_or(FormatError::CutOff { offset: self.bytes.len(), expected })?;
        self.at += len;
        Ok(bytes)
    }

    pub(crate) fn byte(&mut self, expected: &'static str) -> Result<u8, FormatError> {
        Ok(self.raw(1, expected)?[0])
    }

    pub(crate) fn number(&mut self, expected: &'static str) -> Result<u64, FormatError> {
        let begin = self.at;
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte(expected)?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(FormatError::Corrupt { offset: begin, expected: "a number below 2⁶⁴" })
    }

    /// A number that fits its type.
    pub(crate) fn fit<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T, FormatError> {
        let begin = self.at;
        T::try_from(self.number(expected)?).map_err(|_| FormatError::Corrupt { offset: begin, expected })
    }

    pub(crate) fn signed(&mut self, expected: &'static str) -> Result<i32, FormatError> {
        let value: u32 = self.fit(expected)?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    pub(crate) fn cell(&mut self, expected: &'static str) -> Result<Cell, FormatError> {
        Ok(Cell::new(self.signed(expected)?, self.signed(expected)?))
    }

    pub(crate) fn float(&mut self, expected: &'static str) -> Result<f64, FormatError> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.raw(8, expected)?);
        Ok(f64::from_le_bytes(bytes))
    }

    /// How many things of at least `least` bytes follow: never more than there is room for.
    pub(crate) fn count(&mut self, least: usize, expected: &'static str) -> Result<usize, FormatError> {
        let begin = self.at;
        let count: usize = self.fit(expected)?;
        if count > self.remaining() / least.max(1) {
            return Err(FormatError::Corrupt { offset: begin, expected });
        }
        Ok(count)
    }

    pub(crate) fn string(&mut self, expected: &'static str) -> Result<String, FormatError> {
        let len = self.count(1, expected)?;
        let begin = self.at;
        let bytes = self.raw(len, expected)?;
        let text =
            std::str::from_utf8(bytes).map_err(|_| FormatError::Corrupt { offset: begin, expected })?;
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let signed = [0, -1, 1, 63, -64, 64, i32::MIN, i32::MAX];
        let unsigned = [0, 1, 127, 128, u64::from(u32::MAX), u64::MAX];
        let mut out = Output::default();
        signed.iter().for_each(|&n| out.signed(n));
        unsigned.iter().for_each(|&n| out.number(n));
        let bytes = out.finish();
        let mut input = Input::new(&bytes, 0);
        signed.iter().for_each(|&n| assert_eq!(input.signed("n"), Ok(n)));
        unsigned.iter().for_each(|&n| assert_eq!(input.number("n"), Ok(n)));
        assert_eq!(input.number("n"), Err(FormatError::CutOff { offset: bytes.len(), expected: "n" }));
    }

    #[test]
    fn too_large_is_refused() {
        assert!(matches!(
            Input::new(&[0xff; 11], 0).number("n"),
            Err(FormatError::Corrupt { offset: 0, .. })
        ));
        assert!(Input::new(&[0x80, 0x02], 0).fit::<u8>("n").is_err());
        assert!(Input::new(&[200, 1, 0], 0).count(1, "things").is_err());
        assert!(Input::new(&[2, 0, 0, 0], 0).count(2, "things").is_err());
    }
}
