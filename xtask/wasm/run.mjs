// node run.mjs MODULE CASES TICKS: prints the state hash of every case, one on each line.
import { readFile } from "node:fs/promises";

const [module, cases, ticks] = process.argv.slice(2);
// No imports: the module could not ask for a clock, a thread or a file if it wanted to.
const { instance } = await WebAssembly.instantiate(await readFile(module), {});
for (let each = 0; each < Number(cases); each += 1) {
  const hash = BigInt.asUintN(64, instance.exports.throng_run(each, BigInt(ticks)));
  console.log(`0x${hash.toString(16).padStart(16, "0")}`);
}
