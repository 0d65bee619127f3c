/** Conducts stages that do nothing: `memory COUNT`. Prints its memory and the requests to its store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { keepHeapSmall } from "../../../plugins/cli/small-heap.js";
import { Conductor } from "../../../plugins/fleet/conductor/conductor.js";
import { listStages } from "../../../plugins/fleet/conductor/listing.js";
import { parseWaves } from "../../../plugins/fleet/conductor/waves.js";
import { FleetRecord } from "../../../plugins/fleet/record.js";
import { storeAround } from "../../helpers/stores/store-around.js";

const count = Number(process.argv[2]);
let requests = 0;
let bytes = 0;
keepHeapSmall();

const folder = await mkdtemp(join(tmpdir(), "memory-of-fleet-"));
// A store in memory would count as memory of the conductor.
const store = storeAround(fsStoreAt(folder), ({ value = "" }, act) => {
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
  forgives: false,
  waves,
  limits: limit,
  maxFailures: "10%",
  record,
  options: {},
  lanes: {
    window: 64,
    async run() {
      return { outcome: "changed", duration: 3, resources: { created: 5 } };
    },
    interrupt() {},
  },
}).conduct();
await record.close();
await rm(folder, { recursive: true });
const peak = process.resourceUsage().maxRSS * 1_024;
process.stdout.write(
  `${JSON.stringify({ peak, requests, bytes, state: report.state, changed: report.stages.changed })}\n`,
);
