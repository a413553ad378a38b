//! Finds the way around damage in a table that is ordered by its row number: where reading can go on,
//! and which number is the last that can be read. It asks, and knows nothing of SQLite.

/// The largest row number that SQLite has.
const END: u64 = i64::MAX as u64;

/// What lies at or after a row number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// This row, and it can be read.
    Row(u64),
    /// No row: the table ends before.
    End,
    /// Something that cannot be read.
    Damage,
}

/// How far every number is asked for: more than the rows of a page or two, which is what damage mostly
/// costs.
const NEAR: u64 = 256;

/// The first row after `damaged` that can be read again; `None` when there is none to be found. After
/// [`NEAR`] it looks in growing steps and then goes back, so that it takes some hundred questions
/// however much is missing; a readable stretch that is shorter than the damage before it can be missed.
pub fn resume(damaged: u64, probe: &mut dyn FnMut(u64) -> Probe) -> Option<u64> {
    let mut bad = damaged;
    let mut step: u64 = 1;
    let mut good = loop {
        let place = damaged.checked_add(step).filter(|place| *place <= END)?;
        match probe(place) {
            Probe::Damage => bad = place,
            found => break (place, found),
        }
        step = if step < NEAR { step + 1 } else { step.checked_mul(2)? };
    };
    while good.0 - bad > 1 {
        let middle = bad + (good.0 - bad) / 2;
        match probe(middle) {
            Probe::Damage => bad = middle,
            found => good = (middle, found),
        }
    }
    match good.1 {
        Probe::Row(row) => Some(row),
        _ => None,
    }
}

/// The last row that can be read when the end of the table cannot; 0 when nothing can be read.
pub fn last(probe: &mut dyn FnMut(u64) -> Probe) -> u64 {
    let mut start = match probe(0) {
        Probe::Row(first) => Some(first),
        Probe::End => None,
        Probe::Damage => resume(0, probe),
    };
    let mut last = 0;
    while let Some(first) = start {
        last = last_of_stretch(first, probe);
        start = resume(last + 1, probe);
    }
    last
}

/// The last row of the readable stretch that begins at `first`.
fn last_of_stretch(first: u64, probe: &mut dyn FnMut(u64) -> Probe) -> u64 {
    let mut last = first;
    let mut step: u64 = 1;
    while let Some(place) = last.checked_add(step).filter(|place| *place <= END) {
        match probe(place) {
            Probe::Row(row) => {
                last = row;
                step = step.saturating_mul(2);
            }
            Probe::End | Probe::Damage if step == 1 => break,
            Probe::End | Probe::Damage => step = (step / 2).max(1),
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of rows 1..=`rows` of which those in `holes` cannot be read.
    fn table(rows: u64, holes: &'static [(u64, u64)]) -> impl FnMut(u64) -> Probe {
        move |place| {
            let row = place.max(1);
            match row {
                _ if holes.iter().any(|(from, to)| (*from..=*to).contains(&row)) => Probe::Damage,
                _ if row > rows => Probe::End,
                _ => Probe::Row(row),
            }
        }
    }

    #[test]
    fn reading_goes_on_at_the_first_row_after_the_hole() {
        for (from, to) in [(5, 5), (5, 6), (5, 50), (2, 700), (999, 999)] {
            let holes: &'static [(u64, u64)] = Box::leak(Box::new([(from, to)]));
            assert_eq!(resume(from, &mut table(1000, holes)), Some(to + 1), "{from}..={to}");
        }
        assert_eq!(resume(990, &mut table(1000, &[(990, 1000)])), None, "the hole reaches to the end");
        assert_eq!(resume(5, &mut table(1000, &[(5, u64::MAX)])), None, "nothing can be read after it");
    }

    #[test]
    fn the_last_readable_row_is_found_when_the_end_is_missing() {
        for last_row in [1, 2, 3, 100, 777] {
            let holes: &'static [(u64, u64)] = Box::leak(Box::new([(last_row + 1, u64::MAX)]));
            assert_eq!(last(&mut table(1000, holes)), last_row);
        }
        assert_eq!(last(&mut table(1000, &[(0, u64::MAX)])), 0);
        assert_eq!(last(&mut table(0, &[])), 0);
        assert_eq!(last(&mut table(1000, &[(1, 3), (500, 520), (800, u64::MAX)])), 799, "also behind holes");
    }
}
