/** The command: see release.ts. */
import { Refusal } from "./refusal.js";
import { release } from "./release.js";

const context = {
  root: process.cwd(),
  today: new Date().toISOString().slice(0, 10),
  say: (line: string) => void process.stdout.write(`${line}\n`),
};
await release(process.argv.slice(2), context).catch((error: unknown) => {
  const text = error instanceof Refusal ? error.message : `The release failed; nothing was changed here.\n${error}`;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
