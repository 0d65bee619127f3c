/**
 * `offer FIRST LAST`: a stage that offers one value after the other, until there is a file `enough`. `read COUNT`:
 * another stage that refers to it so many times.
 */
import { existsSync } from "node:fs";
import { setTimeout as passed } from "node:timers/promises";
import { engine, Resource } from "../../../plugins/index.js";

const [role, first = "0", last = "0"] = process.argv.slice(2);
const { PHASE } = process.env;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const Thing = Resource("e2e:ReferencesThing", { create: ({ id }) => ({ id }), update: ({ id }) => ({ id }) });

interface Offered {
  readonly one: number;
  readonly other: { readonly same: number };
}

async function offer(): Promise<void> {
  const app = await engine("network", { quiet: true, durability: "full" });
  for (let round = Number(first); round <= Number(last) && !existsSync("enough"); round++) {
    await app.outputs({ one: round, at: new Date(round), other: { same: Thing(`t${round}`).then(() => round) } });
    say(`offered ${round}`);
    await passed(1);
  }
  await app.finalize();
}

async function read(): Promise<void> {
  const app = await engine("reader", { quiet: true, ...(PHASE === "destroy" ? { phase: PHASE } : {}) });
  for (let round = 0; round < Number(first); round++) {
    await app.run(async () => {
      const { one, other } = await engine.ref<Offered>("network");
      say(`read ${String(one)} ${String(other.same)}`);
    });
    await app.finalize();
  }
}

await (role === "offer" ? offer() : read());
