/** Lives through the histories of seeds, one after the other, up to the first that goes wrong; says which one that was. */

import { live } from "../live.ts";
import { historyOf } from "../random-history.ts";

const seeds: readonly number[] = JSON.parse(process.argv[2] ?? "");

for (const seed of seeds) {
  const { problems } = await live(historyOf(seed));
  if (problems.length === 0) continue;
  process.stdout.write(JSON.stringify({ seed, problems }));
  break;
}
