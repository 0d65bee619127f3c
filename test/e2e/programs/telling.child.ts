/** A run that sends telemetry. Its first argument says how it ends. */
import { prepareSender } from "../../../adapters/posthog/sender.js";
import "../../../adapters/posthog/index.js";
import { engine, memoryStore, Resource } from "../../../plugins/index.js";
import "../../../plugins/telemetry/delivery.js";
import { RandomString } from "../../../plugins/resources/index.js";
import { setSpentPatience } from "../../helpers/time/hold-time.js";

// The test is about the end of a run, not about the time that this machine takes to load the sender.
await prepareSender({ key: "none", host: "http://127.0.0.1" });
if (process.env.PATIENT) setSpentPatience(-Number(process.env.PATIENT));

const [mode = "up"] = process.argv.slice(2);
/** In every name, value and message of a program. */
const own = process.env.CANARIES ? "canary" : "own";

const Thing = Resource(`e2e:${own}-thing`, {
  async create({ id, signal, props }: { id: string; signal: AbortSignal; props: { text: string } }) {
    if (mode === "fails") throw new Error(`no such ${own} thing`);
    if (mode === "waits") {
      process.stdout.write(`at work ${id}\n`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      signal.throwIfAborted();
    }
    return { id, ...props };
  },
  delete: () => {},
});

const embedded = mode === "embedded" ? { argv: [] } : {};
const app = await engine(`${own}-app`, { ...embedded, ...(mode === "memory" ? { stateStore: memoryStore() } : {}) });
await RandomString("random", { length: 8 });
await engine.run(`${own}-scope`, () => Thing(`${own}-thing`, { text: `${own} text` }));
await app.finalize();
