/** Conducts stages that do nothing: `memory COUNT`. Prints its heap and the requests to its store. */
import { memoryStore } from "../../../adapters/memory/index.js";
import { Conductor } from "../../../plugins/fleet/conductor/conductor.js";
import { listStages } from "../../../plugins/fleet/conductor/listing.js";
import { parseWaves } from "../../../plugins/fleet/conductor/waves.js";
import { FleetRecord } from "../../../plugins/fleet/record.js";
import { storeAround } from "../../helpers/stores/store-around.js";

const count = Number(process.argv[2]);
const gc: () => void = Object(globalThis).gc;
let requests = 0;
let bytes = 0;
let peak = 0;
const measure = (): void => {
  gc();
  peak = Math.max(peak, process.memoryUsage().heapUsed);
};

const store = storeAround(memoryStore(), ({ value = "" }, act) => {
  requests++;
  bytes += value.length;
  return act();
});
const record = await FleetRecord.open("many", { stateStore: store }, "up");
const waves = parseWaves(["5%", "25%", "100%"]);
async function* stages() {
  for (let index = 0; index < count; index++) yield { stage: `tenant-${index}`, input: { plan: "small", index } };
}
const limit = { key: (input: unknown): string => `server-${Object(input).index % 1_000}`, concurrency: 50 };
const entries = await listStages("many", { stages, limit }, { waves, record, command: "up", signal: undefined });
measure();
let ended = 0;
const report = await new Conductor({
  fleet: "many",
  entries: entries ?? [],
  run: {
    id: "run",
    command: "up",
    version: "0",
    state: "running",
    began: "2026-01-01T00:00:00.000Z",
    attempt: 0,
    begun: 0,
    waves: [],
    left: [],
  },
  retries: false,
  forgives: false,
  waves,
  limits: limit,
  maxFailures: "10%",
  record,
  options: {},
  lanes: {
    window: 64,
    async run() {
      ended++;
      if (ended % 20_000 === 0) measure();
      return { outcome: "changed", duration: 3, resources: { created: 5 } };
    },
    interrupt() {},
  },
}).conduct();
measure();
await record.close();
process.stdout.write(
  `${JSON.stringify({ peak, requests, bytes, state: report.state, changed: report.stages.changed })}\n`,
);
