/** A worker of the fleet in docs/examples/tenants. */
import fleet from "../../../docs/examples/tenants/tenants.run.ts";

const [queue = "", rootDir = ""] = process.argv.slice(2);
const worker = await fleet.work({ queue, defaults: { rootDir, lockTimeout: 60_000 }, concurrency: 4 });
process.stdout.write("ready\n");
await worker.done;
