/** A deployment from one of several machines: `team STORE PREFIX [holder]`; a holder stays in its handler until told. */
import { existsSync } from "node:fs";
import { engine, Resource } from "../../../plugins/index.js";
import { type RemoteName, remoteStore } from "../../helpers/remote-stores.js";
import { until } from "../../helpers/until.js";

const [name, prefix = "", role] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const Thing = Resource("e2e:TeamThing", {
  async create({ id }) {
    say(`creating ${id}`);
    if (role === "holder") await until(() => existsSync("released"));
    return { id };
  },
  delete: () => {},
});

// Through a proxy, by a store that gives up soon.
const { TEAM_URL: url } = process.env;
/** Impatient: the service is down, and there is nothing to wait for. */
const isImpatient = process.env.TEAM_IMPATIENT === "1";
const way = url === undefined ? {} : { url, ...(isImpatient ? { retryTimeout: 1_500 } : {}) };
const app = await engine("team", { stateStore: () => remoteStore(name as RemoteName, prefix, way) });
await Thing(role ?? "common");
await app.finalize();
say("finalized");
await new Promise(setImmediate);
// But for the pipe that this goes through.
say(`kept alive by [${process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap")}]`);
