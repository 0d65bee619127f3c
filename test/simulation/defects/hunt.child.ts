/** Runs the histories of seeds, one after the other, up to the first that goes wrong; prints its seed. */

import { live } from "../live.ts";
import { type WorldName, worlds } from "../worlds.ts";

const seeds: readonly number[] = JSON.parse(process.argv[2] ?? "");
const historyOf = worlds[(process.argv[3] ?? "processes") as WorldName];

for (const seed of seeds) {
  const { problems } = await live(historyOf(seed));
  if (problems.length === 0) continue;
  process.stdout.write(JSON.stringify({ seed, problems }));
  break;
}
