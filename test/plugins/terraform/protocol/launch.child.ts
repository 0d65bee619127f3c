/** Starts a provider and reports it; then it waits to be killed, or ends. */
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";

const [program = "", folder = "", how = "wait"] = process.argv.slice(2);
await launchProvider({
  command: process.execPath,
  args: [program],
  env: { FIXTURE_PID: `${folder}/pid`, FIXTURE_WORLD: folder },
  folder,
  log: () => {},
});
process.stdout.write("launched\n");
if (how === "wait") setInterval(() => {}, 1_000);
