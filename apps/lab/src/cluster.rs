//! Job scripts: the shards of an experiment as an array of jobs on a cluster.

use crate::LabError;
use std::fmt;
use std::str::FromStr;

/// Who gives jobs to machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cluster {
    /// An array of `sbatch`.
    Slurm,
    /// An array of `hq submit`.
    HyperQueue,
}

impl FromStr for Cluster {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        match text {
            "slurm" => Ok(Self::Slurm),
            "hq" => Ok(Self::HyperQueue),
            _ => Err(LabError::NoCluster { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slurm => "slurm",
            Self::HyperQueue => "hq",
        })
    }
}

/// A job script that runs one shard in each job of an array, on a file system that all machines share. `call` is what comes after
/// `throng lab run`, already quoted for a shell, `merge` what comes after `throng lab merge`. Jobs that are lost are run again and
/// go on where their journal ends.
#[must_use]
pub fn script(
    cluster: Cluster,
    name: &str,
    shards: usize,
    threads: usize,
    call: &str,
    merge: &str,
) -> String {
    let (submit, directives, place) = match cluster {
        Cluster::Slurm => (
            format!("#   sbatch --wait SCRIPT && throng lab merge {merge}\n"),
            format!(
                "#SBATCH --job-name=throng-{name}\n#SBATCH --array=1-{shards}\n#SBATCH --cpus-per-task={threads}\n\
                 #SBATCH --requeue\n#SBATCH --open-mode=append\n"
            ),
            "SLURM_ARRAY_TASK_ID",
        ),
        Cluster::HyperQueue => (
            format!("#   hq submit --wait SCRIPT && throng lab merge {merge}\n"),
            format!(
                "#HQ --name throng-{name}\n#HQ --array 1-{shards}\n#HQ --cpus {threads}\n#HQ --crash-limit 10\n"
            ),
            "HQ_TASK_ID",
        ),
    };
    format!(
        "#!/bin/bash\n{directives}# Submit it, and put the rows together when all are done:\n{submit}set -euo pipefail\n\
         export RAYON_NUM_THREADS={threads}\n\
         shard=\"${{{place}:?expected one job of an array}}\"\n\
         exec \"${{THRONG:-throng}}\" lab run {call} --shard \"$shard/{shards}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_run_one_shard_each() {
        for cluster in [Cluster::Slurm, Cluster::HyperQueue] {
            assert_eq!(cluster.to_string().parse::<Cluster>().unwrap(), cluster);
            let text = script(cluster, "budget", 12, 2, "budget --out /scratch", "budget --out /scratch");
            assert!(text.starts_with("#!/bin/bash\n#") && text.contains("1-12\n"), "{text}");
            assert!(text.ends_with("lab run budget --out /scratch --shard \"$shard/12\"\n"), "{text}");
        }
        assert!("pbs".parse::<Cluster>().unwrap_err().to_string().contains("slurm and hq"));
    }
}
