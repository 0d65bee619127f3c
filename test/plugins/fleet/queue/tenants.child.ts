/** A worker or a conductor of the fleet in tenants.ts, in a process of its own. */
import { tenants } from "./tenants.js";

const [role = "", queue = "", settings = "{}"] = process.argv.slice(2);
const fleet = tenants(JSON.parse(settings));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const onWarning = (code: string, message: string): void => say(`warning ${code} ${message}`);
const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"]) process.once(name, () => stop.abort());

if (role === "worker") {
  const worker = await fleet.work({ queue, signal: stop.signal, grace: 200, onWarning });
  say("ready");
  const { ended, refused } = await worker.done;
  say(`ended ${ended} ${refused}`);
} else {
  const command = role as "up" | "destroy" | "retry" | "plan" | "drift" | "cancel";
  const onProgress = ({ stages }: { stages: object }): void => say(`progress ${JSON.stringify(stages)}`);
  try {
    const options = { queue, signal: stop.signal, lockTimeout: 60_000, onWarning, onProgress };
    const report = await fleet[command](options);
    say(`report ${JSON.stringify(report)}`);
  } catch (error) {
    say(`error ${String(error)}`);
    process.exitCode = 1;
  }
}
