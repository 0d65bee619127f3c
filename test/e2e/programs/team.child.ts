/**
 * A deployment from one of several machines: `team STORE PREFIX [holder]`; a holder stays in its handler until the test
 * releases it.
 */
import { existsSync } from "node:fs";
import type { StateStore } from "../../../core/contract/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { type RemoteName, remoteStore } from "../../helpers/stores/remote-stores.js";
import { until } from "../../helpers/time/until.js";

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

// Through a proxy.
const { TEAM_URL: url, TEAM_IMPATIENT } = process.env;
const open = (more = {}): StateStore =>
  remoteStore(name as RemoteName, prefix, url === undefined ? {} : { url, ...more });
const patient = open();
/** Once the service is down, waiting is useless. Before that, it may be slow. */
const impatient = open({ retryTimeout: 1_500 });
const isDown = (): boolean => TEAM_IMPATIENT === "1" && (role !== "holder" || existsSync("released"));
const store = (): StateStore => (isDown() ? impatient : patient);
const stateStore: StateStore = {
  name: patient.name,
  location: patient.location,
  get: (key) => store().get(key),
  getMany: (keys) => store().getMany(keys),
  set: (key, value) => store().set(key, value),
  deleteMany: (keys) => store().deleteMany(keys),
  create: (key, value, options) => store().create(key, value, options),
  list: (from) => store().list(from),
  close: async () => void (await Promise.all([patient.close?.(), impatient.close?.()])),
};
const app = await engine("team", { stateStore: () => stateStore });
await Thing(role ?? "common");
await app.finalize();
say("finalized");
await new Promise(setImmediate);
// Except the pipe that this is printed to.
say(`kept alive by [${process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap")}]`);
