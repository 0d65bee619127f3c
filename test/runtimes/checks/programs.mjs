/** Programs that checks start. */
import process from "node:process";

/** The command with which this runtime runs a file. */
export const runFile = globalThis.Deno ? [process.execPath, "run", "-A"] : [process.execPath];

/** Has a handler that ends at its signal, and a cleanup. */
export const slow = `
import { engine, Resource } from "scope-engine";
const Slow = Resource("t:Slow", {
  async create({ signal }) {
    await new Promise((resolve) => {
      const timer = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => { clearInterval(timer); resolve(); });
      console.log("running");
    });
    return { made: true };
  },
  delete: () => {},
});
const app = await engine("interrupted");
app.onCleanup(async () => { await new Promise((resolve) => setTimeout(resolve, 10)); console.log("cleaned"); });
await Slow("first");
await app.finalize();
`;

/** Starts another process like itself, prints the pids of both, and stays. */
export const pair = `
import { spawn } from "node:child_process";
import process from "node:process";
const child = spawn(process.execPath, ${JSON.stringify(runFile.slice(1))}.concat(process.argv[2]), { stdio: "ignore" });
console.log("pids", process.pid, child.pid);
setInterval(() => {}, 1000);
`;

/** Stays. */
export const lonely = "setInterval(() => {}, 1000);";

/** Makes one file. */
export const greeting = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
const app = await engine("greeting");
await File("hello", { path: "hello.txt", content: app.stage });
await app.finalize();
`;
