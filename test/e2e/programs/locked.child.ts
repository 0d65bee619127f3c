/** Takes the stage and keeps it until it gets a signal, or fails because another process has it. */
import { engine, Resource } from "../../../plugins/index.js";

const Thing = Resource("e2e:LockedThing", { create: () => ({ made: true }), delete: () => {} });
const app = await engine("locked");
await Thing(process.argv.at(-1) ?? "");
await app.set("key", process.pid);
process.stdout.write("holding\n");
if (process.argv.at(-1) === "holder") await new Promise((resolve) => setTimeout(resolve, 3_600_000));
await app.finalize();
