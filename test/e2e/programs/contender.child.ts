/**
 * One of several writers of a stage. `contender rounds NAME COUNT`: as many runs, each with one resource more;
 * `contender waits NAME`: a run whose handler waits for SIGUSR2, with a short lease.
 */
import { appendFile } from "node:fs/promises";
import { fsStore } from "../../../adapters/fs/index.js";
import { Resource } from "../../../core/resource/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { processExit } from "../../../plugins/process-exit/index.js";

const [job, name = "", count = "1"] = process.argv.slice(2);
const engine = createEngine({ plugins: [processExit()], leaseTtl: 600 });
const usual = { stage: "dev", stateStore: fsStore(), destroyOrphans: false, lockTimeout: 60_000 };

/** The world: a line for every call of a handler. */
const Thing = Resource<{ by: number }, { waits?: boolean }>("contender:Thing", {
  async create({ id, props }) {
    if (props.waits) {
      const told = new Promise((resolve) => process.once("SIGUSR2", resolve));
      // The interval alone keeps the process alive meanwhile.
      const alive = setInterval(() => {}, 1_000);
      process.stdout.write("waiting\n");
      await told;
      clearInterval(alive);
    }
    await appendFile("world.log", `create ${id}\n`);
    return { by: process.pid };
  },
  async delete({ id }) {
    await appendFile("world.log", `delete ${id}\n`);
  },
});

if (job === "rounds") {
  for (let round = 0; round < Number(count); round++) {
    const app = await engine("app", usual);
    for (let earlier = 0; earlier <= round; earlier++) await Thing(`${name}${earlier}`, {});
    await app.finalize();
  }
} else {
  const app = await engine("app", usual);
  await Thing(`${name}0`, {});
  await Thing(`${name}1`, { waits: true });
  await Thing(`${name}2`, {});
  await app.finalize();
}
