/** A deployment from one of several machines: `team STORE PREFIX [holder]`; a holder stays in its handler until told. */
import { existsSync } from "node:fs";
import { setTimeout as passed } from "node:timers/promises";
import { engine, Resource } from "../../../plugins/index.js";
import { type RemoteName, remoteStore } from "../../helpers/remote-stores.js";

const [name, prefix = "", role] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const Thing = Resource("e2e:TeamThing", {
  async create({ id }) {
    say(`creating ${id}`);
    // Where its test has failed nobody tells it.
    const isForgotten = (): boolean => performance.now() > 60_000;
    while (role === "holder" && !existsSync("released") && !isForgotten()) await passed(20);
    return { id };
  },
  delete: () => {},
});

// Through a proxy, by a store that gives up soon.
const { TEAM_URL: url } = process.env;
const way = url === undefined ? {} : { url, requestTimeout: 500, retryTimeout: 1_500 };
const app = await engine("team", { stateStore: () => remoteStore(name as RemoteName, prefix, way) });
await Thing(role ?? "common");
await app.finalize();
const over = performance.now();
say("finalized");
process.on("exit", () => say(`ended after ${Math.round(performance.now() - over)} ms`));
