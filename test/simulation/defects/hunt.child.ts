/** Lives through the histories of seeds, one after the other, up to the first that goes wrong; says which one that was. */

import { live } from "../live.ts";
import { historyOf } from "../random-history.ts";

const seeds = Number(process.argv[2]);

for (let seed = 1; seed <= seeds; seed++) {
  const { problems } = await live(historyOf(seed));
  if (problems.length === 0) continue;
  process.stdout.write(JSON.stringify({ seed, problems }));
  break;
}
