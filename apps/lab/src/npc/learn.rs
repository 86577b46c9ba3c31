//! `throng lab learn explore`: what parameters are best on seeds for training, kept in a file.
//!
//! A pattern search: beginning with the second method of the settings, one parameter after the other takes each of its values while
//! the others stay, and keeps the best; once a whole round has changed nothing it is over. A setting counts by its mean ticks over those
//! of the first method, the mean of all worlds and errands, so that large maps count no more than small ones. Nothing is drawn: the
//! same settings learn the same.

use super::expedition::{Method, Own, Row, Which, everywhere, expedition};
use crate::settings::Settings;
use crate::stats::mean;
use crate::table::number;
use crate::{LabError, Request, Table, Watch, weights};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use throng::planners::registry::Spec;

const NAME: &str = "learn explore";
const SETTINGS: &str = include_str!("../../../../experiments/learn-explore.toml");

/// Seeds from here on are for judging; whoever learns never sees them.
const JUDGED: u64 = 1000;
/// A search that goes on for longer is stopped.
const ROUNDS: usize = 4;
/// For a first look: one round, and so many values of each parameter.
const QUICK: usize = 2;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Lessons {
    #[serde(flatten)]
    own: Own,
    parameter: Vec<Tuned>,
}

/// A parameter, and what it may be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tuned {
    name: String,
    values: Vec<String>,
}

/// What was learned.
#[derive(Clone, Debug, Serialize)]
pub struct Learned {
    /// The planner with its parameters.
    pub spec: String,
    /// Its mean ticks over those of the heat map.
    pub score: f64,
    /// All settings that were tried.
    pub tried: Vec<Tried>,
    /// A file for `weights=FILE`.
    #[serde(skip)]
    pub file: String,
    /// All that was tried, for people.
    #[serde(skip)]
    pub report: String,
}

/// A setting that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// The planner with its parameters.
    pub spec: String,
    /// Its mean ticks over those of the heat map, the mean of all worlds and errands.
    pub score: f64,
    /// The same for each of them.
    pub times: Vec<(String, f64)>,
}

/// Learns parameters for a planner; with `quick` from a few runs, which is good for a first look alone.
pub fn learn(planner: &str, quick: bool, watch: &dyn Watch) -> Result<Learned, LabError> {
    if planner != "explore" {
        return Err(LabError::NothingToLearn { planner: planner.to_owned() });
    }
    let request = Request { quick, originals: None, data: None, shard: None, out: PathBuf::new() };
    let Settings { own: lessons, scale, places } =
        Settings::<Lessons>::open(NAME, SETTINGS, &request, watch)?;
    let wrong = |why: &str| LabError::Settings { experiment: NAME, why: why.to_owned() };
    let settings = Settings { own: lessons.own, scale, places };
    let [heat, start] = settings.own.methods.as_slice() else {
        return Err(wrong("expected two methods: what others are compared with, and the first guess"));
    };
    if settings.own.first_seed + settings.scale.seeds > JUDGED {
        return Err(wrong("expected seeds below 1000: the others are for judging"));
    }
    let best = Spec::parse(&start.spec).map_err(throng::Error::from)?;
    let base = Sums::of(&run(&settings, std::slice::from_ref(heat), watch)?[0]);
    let mut school = School { settings: &settings, base, known: BTreeMap::new(), tried: Vec::new(), watch };
    let mut parameters = lessons.parameter;
    if quick {
        parameters.iter_mut().for_each(|parameter| parameter.values.truncate(QUICK));
    }
    let best = school.search(best, &parameters, if quick { 1 } else { ROUNDS })?;
    let score = school.known[&best.to_string()];
    let (tried, settings) = (school.tried, school.settings);
    Ok(Learned {
        file: weights::write(&comment(settings, quick, &start.spec, score, &tried), &best),
        spec: best.to_string(),
        score,
        report: report(&best, &tried),
        tried,
    })
}

/// By world and errand: the mean ticks.
struct Sums(BTreeMap<(String, &'static str), f64>);

impl Sums {
    fn of(rows: &[Row]) -> Self {
        let mut ticks: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        for row in rows {
            ticks.entry((row.world.clone(), row.errand.name())).or_default().push(row.ticks as f64);
        }
        Self(ticks.into_iter().filter_map(|(key, ticks)| Some((key, mean(ticks)?))).collect())
    }

    /// Each over that of another method.
    fn over(&self, base: &Self) -> Vec<(String, f64)> {
        let name = |(world, errand): &(String, &str)| format!("{world}, {errand}");
        self.0.iter().filter_map(|(key, ticks)| Some((name(key), ticks / base.0.get(key)?))).collect()
    }
}

struct School<'a> {
    settings: &'a Settings<Own>,
    base: Sums,
    known: BTreeMap<String, f64>,
    tried: Vec<Tried>,
    watch: &'a dyn Watch,
}

impl School<'_> {
    fn search(&mut self, mut best: Spec, parameters: &[Tuned], rounds: usize) -> Result<Spec, LabError> {
        self.score(std::slice::from_ref(&best))?;
        for _ in 0..rounds {
            let before = best.clone();
            for Tuned { name, values } in parameters {
                let others: Vec<Spec> = values.iter().map(|value| with(&best, name, value)).collect();
                self.score(&others)?;
                let least = |a: &Spec, b: &Spec| self.known[&a.to_string()] < self.known[&b.to_string()];
                for other in others {
                    if least(&other, &best) {
                        best = other;
                    }
                }
                let score = self.known[&best.to_string()];
                self.watch.note(&format!("{name}: {best} takes {score:.4} of the time of the heat map"));
            }
            if best == before {
                break;
            }
        }
        Ok(best)
    }

    /// Tries those that have not been tried.
    fn score(&mut self, specs: &[Spec]) -> Result<(), LabError> {
        let mut new: Vec<String> = specs.iter().map(Spec::to_string).collect();
        new.retain(|spec| !self.known.contains_key(spec));
        new.dedup();
        let method = |spec: &String| Method { name: spec.clone(), spec: spec.clone(), document: None };
        let methods: Vec<Method> = new.iter().map(method).collect();
        for (spec, rows) in new.into_iter().zip(run(self.settings, &methods, self.watch)?) {
            let times = Sums::of(&rows).over(&self.base);
            let score = mean(times.iter().map(|(_, times)| *times)).unwrap_or(f64::INFINITY);
            self.known.insert(spec.clone(), score);
            self.tried.push(Tried { spec, score, times });
        }
        Ok(())
    }
}

/// A spec with one parameter changed.
fn with(spec: &Spec, name: &str, value: &str) -> Spec {
    let mut spec = spec.clone();
    match spec.parameters.iter_mut().find(|(key, _)| key == name) {
        Some((_, old)) => *old = value.to_owned(),
        None => spec.parameters.push((name.to_owned(), value.to_owned())),
    }
    spec
}

/// By method: the rows of all expeditions.
fn run(settings: &Settings<Own>, methods: &[Method], watch: &dyn Watch) -> Result<Vec<Vec<Row>>, LabError> {
    let all = everywhere(settings);
    let cases: Vec<(&Method, &Which)> =
        methods.iter().flat_map(|method| all.iter().map(move |which| (method, which))).collect();
    watch.begin(cases.len(), 0);
    let rows = cases.into_par_iter().map(|(method, which)| {
        let row = expedition(settings, which, method)?;
        watch.finished(&which.key(settings, &method.name));
        Ok(row)
    });
    let mut rows = rows.collect::<Result<Vec<Row>, LabError>>()?.into_iter();
    Ok(methods.iter().map(|_| rows.by_ref().take(all.len()).collect()).collect())
}

/// How the file was made.
fn comment(settings: &Settings<Own>, quick: bool, start: &str, score: f64, tried: &[Tried]) -> String {
    let Own { first_seed, .. } = settings.own;
    let worlds: Vec<&str> = settings.places.iter().map(|place| place.world.name.as_str()).collect();
    let units: Vec<String> = settings.scale.units.iter().map(usize::to_string).collect();
    let begin = tried.first().map(|tried| tried.score);
    format!(
        "Made by `throng lab learn explore{}`: the best of {} settings on training seeds {first_seed} to {} of worlds {},\n\
         with {} units. It takes {score:.4} of the time of the heat map there; {start}, which it began with, takes {}.",
        if quick { " --quick" } else { "" },
        tried.len(),
        (first_seed + settings.scale.seeds).saturating_sub(1),
        worlds.join(", "),
        units.join(" and "),
        number(begin, 4),
    )
}

fn report(best: &Spec, tried: &[Tried]) -> String {
    let title = "Time over that of the heat map, in the order in which it was tried";
    let worlds = tried.iter().take(1).flat_map(|tried| tried.times.iter().map(|(name, _)| name.as_str()));
    let mut table = Table::new(title, ["spec", "all"].into_iter().chain(worlds));
    for Tried { spec, score, times } in tried {
        let mark = if *spec == best.to_string() { " (best)" } else { "" };
        let times = times.iter().map(|(_, times)| number(Some(*times), 4));
        table.row([format!("{spec}{mark}"), number(Some(*score), 4)].into_iter().chain(times).collect());
    }
    table.markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_parameter_is_changed() {
        let spec = Spec::parse("explore(assign=on,gain=0.2)").unwrap();
        assert_eq!(with(&spec, "gain", "0.4").to_string(), "explore(assign=on,gain=0.4)");
        assert_eq!(with(&spec, "glance", "5").to_string(), "explore(assign=on,gain=0.2,glance=5)");
    }

    #[test]
    fn worlds_count_alike_whatever_their_size() {
        let sums = |small: f64, large: f64| {
            Sums([(("a".to_owned(), "find"), small), (("b".to_owned(), "find"), large)].into())
        };
        let base = sums(10.0, 1000.0);
        assert_eq!(sums(5.0, 1000.0).over(&base), [("a, find".to_owned(), 0.5), ("b, find".to_owned(), 1.0)]);
        assert_eq!(sums(10.0, 500.0).over(&base), [("a, find".to_owned(), 1.0), ("b, find".to_owned(), 0.5)]);
    }
}
