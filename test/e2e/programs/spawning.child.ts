/** Spawns a process that lives until it is ended, unless told not to, and runs to its end. */
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { EnginePlugin } from "../../../core/contract/plugin/index.js";
import { engine } from "../../../plugins/index.js";
import { until } from "../../helpers/time/until.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const told = process.argv.slice(2);
const telling: EnginePlugin = {
  name: "telling",
  apply: ({ events }) => events.on("process:started", ({ pid }) => say(`started ${pid}`)),
};
const app = await engine("spawning", { quiet: true, plugins: [telling] });
if (told.includes("exec")) {
  const running = app.exec("deaf", "trap '' TERM; echo $$ > exec.pid; while :; do sleep 0.1; done");
  running.catch(() => {});
  say("running");
}
if (told.includes("meet")) {
  say("there");
  await until(() => existsSync("go"));
}
if (!told.includes("nothing")) {
  const pid = await app.spawn("web", {
    command: process.execPath,
    args: ["-e", "console.log('pid ' + process.pid); setInterval(() => {}, 1000)"],
    extract: (line) => /^pid (\d+)$/.exec(line)?.[1],
  });
  say(`spawned ${pid}`);
}
if (told.includes("wait")) await pause(1_000_000);
await app.finalize();
say("finalized");
if (told.includes("throw")) throw new Error("The program is wrong.");
