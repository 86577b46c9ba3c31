//! The least sum of delays that satisfies all pairs: of each pair, both together are delayed by so much at least.

/// Steps of the search in one component; beyond that a simpler bound must do.
const STEPS: u32 = 4000;

/// Two units and what they need more together.
pub(super) type Pair = (u32, u32, u32);

/// A lower bound on the sum, which mostly is the sum.
pub(super) fn cover(pairs: &[Pair], units: usize) -> u64 {
    let mut parent: Vec<u32> = (0..units as u32).collect();
    for &(one, other, _) in pairs {
        let (one, other) = (find(&mut parent, one), find(&mut parent, other));
        parent[one.max(other) as usize] = one.min(other);
    }
    let mut sorted: Vec<(u32, Pair)> = pairs.iter().map(|&pair| (find(&mut parent, pair.0), pair)).collect();
    sorted.sort_unstable();
    let mut sum = 0;
    for part in sorted.chunk_by(|one, other| one.0 == other.0) {
        sum += component(part.iter().map(|&(_, pair)| pair).collect());
    }
    sum
}

fn find(parent: &mut [u32], mut unit: u32) -> u32 {
    while parent[unit as usize] != unit {
        parent[unit as usize] = parent[parent[unit as usize] as usize];
        unit = parent[unit as usize];
    }
    unit
}

/// Branch and bound: the unit with most pairs is delayed by each amount in turn, which leaves less to the others of its pairs.
fn component(pairs: Vec<Pair>) -> u64 {
    if let [(_, _, weight)] = pairs[..] {
        return u64::from(weight);
    }
    let floor = matching(&pairs);
    let (mut best, mut steps) = (u64::MAX, 0);
    // Pairs that are left, and what was paid so far.
    let mut stack = vec![(pairs, 0u64)];
    while let Some((pairs, paid)) = stack.pop() {
        if pairs.is_empty() {
            best = best.min(paid);
            if best == floor {
                break;
            }
            continue;
        }
        steps += 1;
        if steps > STEPS {
            return floor;
        }
        if paid + matching(&pairs) >= best {
            continue;
        }
        let (unit, most) = busiest(&pairs);
        for delay in 0..=most {
            // Either the unit is delayed by so much, or by no more, and then the others have to make up for it.
            let mut left: Vec<Pair> = Vec::with_capacity(pairs.len());
            let mut owed: Vec<(u32, u32)> = Vec::new();
            for &(one, other, weight) in &pairs {
                match (one == unit, other == unit) {
                    (false, false) => left.push((one, other, weight)),
                    (mine, _) => {
                        let rest = weight.saturating_sub(delay);
                        owed.push((if mine { other } else { one }, rest));
                    }
                }
            }
            let mut extra = 0;
            owed.sort_unstable_by(|a, b| b.cmp(a));
            owed.dedup_by_key(|&mut (unit, _)| unit);
            for &(who, debt) in owed.iter().filter(|&&(_, debt)| debt > 0) {
                extra += u64::from(debt);
                for pair in left.iter_mut().filter(|pair| pair.0 == who || pair.1 == who) {
                    pair.2 = pair.2.saturating_sub(debt);
                }
            }
            left.retain(|pair| pair.2 > 0);
            stack.push((left, paid + u64::from(delay) + extra));
        }
    }
    best
}

/// The unit of most pairs, and the largest delay that a pair of it asks for.
fn busiest(pairs: &[Pair]) -> (u32, u32) {
    let mut ends: Vec<(u32, u32)> =
        pairs.iter().flat_map(|&(one, other, weight)| [(one, weight), (other, weight)]).collect();
    ends.sort_unstable();
    let groups = ends.chunk_by(|one, other| one.0 == other.0);
    groups.max_by_key(|group| group.len()).map_or((0, 0), |group| (group[0].0, group[group.len() - 1].1))
}

/// Pairs without a unit in common add up.
fn matching(pairs: &[Pair]) -> u64 {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable_by_key(|&(one, other, weight)| (std::cmp::Reverse(weight), one, other));
    let (mut taken, mut sum) = (Vec::new(), 0);
    for (one, other, weight) in sorted {
        if !taken.contains(&one) && !taken.contains(&other) {
            taken.extend([one, other]);
            sum += u64::from(weight);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All delays of up to the largest weight.
    fn brute(pairs: &[Pair], units: usize) -> u64 {
        let most = pairs.iter().map(|pair| pair.2).max().unwrap_or(0);
        let mut best = u64::MAX;
        for code in 0..(most + 1).pow(units as u32) {
            let delay = |unit: u32| code / (most + 1).pow(unit) % (most + 1);
            if pairs.iter().all(|&(one, other, weight)| delay(one) + delay(other) >= weight) {
                best = best.min((0..units as u32).map(|unit| u64::from(delay(unit))).sum());
            }
        }
        best
    }

    #[test]
    fn it_is_the_least_sum() {
        let mut dice = 1u64;
        let mut roll = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % sides
        };
        for _ in 0..500 {
            let mut pairs = Vec::new();
            for one in 0..5u32 {
                for other in one + 1..5 {
                    if roll(2) == 0 {
                        pairs.push((one, other, 1 + roll(3) as u32));
                    }
                }
            }
            assert_eq!(cover(&pairs, 5), brute(&pairs, 5), "{pairs:?}");
        }
    }
}
