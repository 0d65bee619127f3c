// Imports a side and opens an app on an empty stage; the whole process is measured. Prints one line of JSON.
//   node start.mjs nothing | ours ENTRY | peer (PEER names its folder)
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { usage } from "./usage.mjs";

process.env.DO_NOT_TRACK = "1";
process.env.ALCHEMY_TELEMETRY_DISABLED = "1";
// Without it, Alchemy refuses to keep its state in files if CI is set.
process.env.ALCHEMY_CI_STATE_STORE_CHECK = "false";
const [side, entry] = process.argv.slice(2);
const options = { stage: "b", phase: "up", quiet: true, noTrack: true };
if (side === "ours") {
  const { engine } = await import(entry);
  await engine("bench", { ...options, argv: [], env: {} });
} else if (side === "peer") {
  const { default: alchemy } = await import(
    pathToFileURL(join(process.env.PEER, "node_modules/alchemy/lib/index.js")).href
  );
  await alchemy("bench", options);
}
console.log(JSON.stringify(usage()));
process.exit(0);
