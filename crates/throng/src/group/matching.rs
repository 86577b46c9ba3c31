//! The cheapest matching of rows with columns.

/// A column that nobody has yet.
const NOBODY: u32 = u32::MAX;

/// So often at most all pairs are asked to exchange.
const PASSES: usize = 8;

/// Costs of `rows` × `columns`, row by row.
#[derive(Debug)]
pub(super) struct Costs {
    pub(super) columns: usize,
    pub(super) cells: Vec<u32>,
}

impl Costs {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        Self { columns, cells: vec![0; rows * columns] }
    }

    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.columns..(row + 1) * self.columns]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.cells[row * self.columns..(row + 1) * self.columns]
    }

    /// For each row its column, so that the sum of costs is the least possible; where several are, one in
    /// which rows share it evenly. There must not be more rows than columns.
    ///
    /// Source: Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
    /// problems" (1987). Prices begin at the cheapest cost of each column, then rows bid for columns in turn, and
    /// what is left is matched by shortest augmenting paths. With fewer rows than columns prices begin at 0: those
    /// of columns that nobody gets must stay there. O(rows² · columns), no recursion.
    pub(super) fn cheapest(&self, rows: usize) -> Vec<usize> {
        let mut matching = Matching::new(self, rows);
        matching.reduce();
        let free = matching.bid();
        matching.augment_all(&free);
        let mut column_of: Vec<usize> = matching.column_of.iter().map(|&column| column as usize).collect();
        self.even_out(&mut column_of);
        column_of
    }

    /// Lets pairs of rows exchange their columns where the sum stays and its two parts become more alike, which the
    /// sum of squares tells.
    ///
    /// Many matchings cost the same where all ways lead through one door, and this chooses the one in which whoever
    /// is nearer to it goes deeper: nobody has to pass anybody who already rests.
    fn even_out(&self, column_of: &mut [usize]) {
        // Along one way a single pass puts all in order. Elsewhere exchanges can bring on others, which may go on for
        // long and matter less.
        // Kept aside: all pairs are asked, and rows that lie far apart in memory are slow to look up.
        let mut costs: Vec<u32> =
            (0..).zip(&*column_of).map(|(row, &column)| self.row(row)[column]).collect();
        for _ in 0..PASSES {
            let mut changed = false;
            for one in 0..column_of.len() {
                let row = self.row(one);
                for other in one + 1..column_of.len() {
                    let (here, there) = (costs[one], costs[other]);
                    let exchanged = row[column_of[other]];
                    // Parts of the same sum are more alike if they lie between these.
                    if here.min(there) >= exchanged || exchanged >= here.max(there) {
                        continue;
                    }
                    let back = self.row(other)[column_of[one]];
                    if back.checked_add(exchanged) == here.checked_add(there) {
                        column_of.swap(one, other);
                        (costs[one], costs[other]) = (exchanged, back);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }
}

struct Matching<'a> {
    costs: &'a Costs,
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    /// What a column takes off the costs of whoever has it; it only falls, and only once somebody has the column.
    price: Vec<i64>,
}

impl<'a> Matching<'a> {
    fn new(costs: &'a Costs, rows: usize) -> Self {
        Self {
            costs,
            column_of: vec![NOBODY; rows],
            row_of: vec![NOBODY; costs.columns],
            price: vec![0; costs.columns],
        }
    }

    /// If every column will be taken, its price can begin at what it costs the row that is nearest to it, and
    /// that row can have it.
    fn reduce(&mut self) {
        if self.column_of.len() < self.costs.columns {
            return;
        }
        let mut least = vec![(u32::MAX, NOBODY); self.costs.columns];
        for row in 0..self.column_of.len() {
            for (&cost, least) in self.costs.row(row).iter().zip(&mut least) {
                if cost < least.0 {
                    *least = (cost, row as u32);
                }
            }
        }
        for (column, (cost, row)) in least.into_iter().enumerate() {
            self.price[column] = i64::from(cost);
            if row != NOBODY && self.column_of[row as usize] == NOBODY {
                self.give(row, column as u32);
            }
        }
    }

    /// Each row takes the column that is cheapest for it and lowers its price by as much as the second best is
    /// worse; who had it bids again. A row that gains nothing waits; those rows are returned.
    fn bid(&mut self) -> Vec<u32> {
        let mut free: Vec<u32> = (0..self.column_of.len() as u32)
            .rev()
            .filter(|&row| self.column_of[row as usize] == NOBODY)
            .collect();
        // Prices move by small amounts where many rows want the same columns. Paths are faster then.
        let mut patience = 8 * free.len();
        let mut waiting = Vec::new();
        while let Some(row) = free.pop() {
            if patience == 0 {
                waiting.push(row);
                continue;
            }
            patience -= 1;
            let (best, second) = self.two_best(row);
            let (mut column, gain) = (best.1, second.0 - best.0);
            let mut before = self.row_of[column as usize];
            if gain == 0 && before != NOBODY && second.1 != NOBODY {
                column = second.1;
                before = self.row_of[column as usize];
            }
            if before != NOBODY && gain == 0 {
                waiting.push(row);
                continue;
            }
            if second.1 != NOBODY {
                self.price[column as usize] -= gain;
            }
            self.give(row, column);
            if before != NOBODY {
                self.column_of[before as usize] = NOBODY;
                free.push(before);
            }
        }
        waiting
    }

    fn give(&mut self, row: u32, column: u32) {
        self.column_of[row as usize] = column;
        self.row_of[column as usize] = row;
    }

    /// The two columns that are cheapest for a row, with what they cost it.
    fn two_best(&self, row: u32) -> ((i64, u32), (i64, u32)) {
        let (mut best, mut second) = ((i64::MAX, NOBODY), (i64::MAX, NOBODY));
        for ((&cost, &price), column) in self.costs.row(row as usize).iter().zip(&self.price).zip(0..) {
            let cost = i64::from(cost) - price;
            if cost < second.0 {
                if cost < best.0 {
                    (second, best) = (best, (cost, column));
                } else {
                    second = (cost, column);
                }
            }
        }
        if second.1 == NOBODY {
            second.0 = best.0;
        }
        (best, second)
    }

    /// Matches every free row along the cheapest way of passing columns on.
    fn augment_all(&mut self, free: &[u32]) {
        let mut path = Path {
            cost: vec![0; self.costs.columns],
            from: vec![0; self.costs.columns],
            order: Vec::with_capacity(self.costs.columns),
        };
        for &row in free {
            let end = path.find(self, row);
            let mut column = end;
            loop {
                let owner = path.from[column as usize];
                let next = self.column_of[owner as usize];
                self.give(owner, column);
                if owner == row {
                    break;
                }
                column = next;
            }
        }
    }
}

/// Dijkstra's algorithm from one free row to the nearest column that nobody has.
struct Path {
    cost: Vec<i64>,
    /// The row that would take this column.
    from: Vec<u32>,
    /// Columns: first those that are done, then those at the least cost, then the others.
    order: Vec<u32>,
}

impl Path {
    fn find(&mut self, matching: &mut Matching<'_>, start: u32) -> u32 {
        let costs = matching.costs;
        self.order.clear();
        self.order.extend(0..costs.columns as u32);
        for ((cost, &price), &c) in self.cost.iter_mut().zip(&matching.price).zip(costs.row(start as usize)) {
            *cost = i64::from(c) - price;
        }
        self.from.fill(start);
        let (mut done, mut ready, mut least) = (0, 0, 0);
        let mut before = 0;
        let end = 'search: loop {
            if done == ready {
                before = done;
                least = self.gather(&mut ready);
                if let Some(&free) =
                    self.order[done..ready].iter().find(|&&c| matching.row_of[c as usize] == NOBODY)
                {
                    break free;
                }
            }
            let column = self.order[done] as usize;
            done += 1;
            let row = matching.row_of[column];
            let values = costs.row(row as usize);
            let spent = i64::from(values[column]) - matching.price[column] - least;
            let rest = ready;
            for k in rest..self.order.len() {
                let other = self.order[k] as usize;
                let cost = i64::from(values[other]) - matching.price[other] - spent;
                if cost < self.cost[other] {
                    self.from[other] = row;
                    if cost == least {
                        if matching.row_of[other] == NOBODY {
                            break 'search other as u32;
                        }
                        self.order.swap(k, ready);
                        ready += 1;
                    }
                    self.cost[other] = cost;
                }
            }
        };
        for &column in &self.order[..before] {
            matching.price[column as usize] += self.cost[column as usize] - least;
        }
        end
    }

    /// Moves the columns of least cost to the front of those not ready; answers that cost.
    fn gather(&mut self, ready: &mut usize) -> i64 {
        let begin = *ready;
        let mut least = i64::MAX;
        for k in begin..self.order.len() {
            let cost = self.cost[self.order[k] as usize];
            if cost <= least {
                if cost < least {
                    *ready = begin;
                    least = cost;
                }
                self.order.swap(k, *ready);
                *ready += 1;
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least sum by trying everything.
    fn brute(costs: &Costs, rows: usize, row: usize, used: &mut Vec<bool>) -> u64 {
        if row == rows {
            return 0;
        }
        let mut best = u64::MAX;
        for column in 0..costs.columns {
            if !used[column] {
                used[column] = true;
                let rest = brute(costs, rows, row + 1, used);
                best = best.min(u64::from(costs.row(row)[column]) + rest);
                used[column] = false;
            }
        }
        best
    }

    fn matrix(most: u32, range: u32) -> impl Strategy<Value = (usize, Costs)> {
        (1..=most as usize, 0..=2usize).prop_flat_map(move |(rows, more)| {
            let columns = rows + more;
            prop::collection::vec(0..range, rows * columns)
                .prop_map(move |cells| (rows, Costs { columns, cells }))
        })
    }

    proptest! {
        #[test]
        fn the_matching_is_the_cheapest((rows, costs) in matrix(5, 9)) {
            let found = costs.cheapest(rows);
            let mut seen = vec![false; costs.columns];
            prop_assert!(found.iter().all(|&column| !std::mem::replace(&mut seen[column], true)));
            let sum: u64 = found.iter().enumerate().map(|(r, &c)| u64::from(costs.row(r)[c])).sum();
            prop_assert_eq!(sum, brute(&costs, rows, 0, &mut vec![false; costs.columns]));
        }
    }

    #[test]
    fn whoever_is_nearer_goes_deeper() {
        // Rows are 3, 1, 4, 2, 0 before a door, columns 2, 0, 4, 1, 3 behind it: every matching costs 20.
        let (before, behind) = ([3, 1, 4, 2, 0], [2, 0, 4, 1, 3]);
        let cells = before.iter().flat_map(|b| behind.iter().map(move |d| b + d)).collect();
        let found = Costs { columns: 5, cells }.cheapest(5);
        assert!(found.iter().zip(before).all(|(&column, b)| behind[column] == 4 - b), "{found:?}");
    }

    #[test]
    fn nobody_and_one_alone() {
        assert!(Costs { columns: 3, cells: Vec::new() }.cheapest(0).is_empty());
        assert_eq!(Costs { columns: 1, cells: vec![7] }.cheapest(1), [0]);
        assert_eq!(Costs { columns: 3, cells: vec![7, u32::MAX, 1] }.cheapest(1), [2]);
    }
}
