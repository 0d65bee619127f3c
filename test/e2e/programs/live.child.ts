/** Keeps handlers running for as long as the test wants, and ends as its last argument says. */
import { existsSync } from "node:fs";
import { engine, Resource } from "../../../plugins/index.js";

/** Resolves when the test has made a file of this name. */
const opened = (name: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearInterval(alive);
      reject(new Error("It was told to stop."));
    };
    const alive = setInterval(() => {
      if (!existsSync(name)) return;
      clearInterval(alive);
      signal.removeEventListener("abort", stop);
      resolve();
    }, 5);
    signal.addEventListener("abort", stop);
  });

const Slow = Resource("e2e:Slow", {
  async create({ id, signal, props }: { id: string; signal: AbortSignal; props: { fails?: boolean } }) {
    await opened("go", signal);
    if (props.fails) throw new Error("No paper.\nThe tray is empty.", { cause: new Error("connect ECONNREFUSED") });
    return { id };
  },
  delete: () => {},
});
const Quick = Resource("e2e:Quick", { create: ({ id }) => ({ id }), delete: () => {} });

const mode = process.argv.at(-1);
const app = await engine("live");
await Quick("quick");
const all = [Slow("first"), Slow("日本語のとても長い名前のリソース🚀".repeat(4)), Slow("x".repeat(100))];
if (mode === "failing") all.push(Slow("broken", { fails: true }));
if (mode === "many") for (let number = 1; number <= 30; number++) all.push(Slow(`n${number}`));
if (mode === "chatty") {
  const chat = setInterval(() => {
    if (!existsSync("talk")) return;
    clearInterval(chat);
    process.stdout.write("one\ntwo\n");
    process.stderr.write("to standard error\n");
    process.stdout.write("a part ");
    setTimeout(() => {
      process.stdout.write("and the rest\n");
      process.stdout.write("talked\n");
    }, 400);
  }, 5);
}
// The live lines would have appeared by then.
if (mode === "hushed") setTimeout(() => process.stdout.write("long enough\n"), 700);
if (mode === "exiting" || mode === "hushed") {
  const leave = setInterval(() => {
    if (!existsSync("leave")) return;
    clearInterval(leave);
    process.exit(7);
  }, 5);
}
await Promise.all(all);
await app.finalize();
