/** Secrets in the environment of commands that print them, and in the results of a run whose store fails. */
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { Command } from "../../../plugins/resources/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { type Canary, textsOf } from "./canaries.ts";
import type { Journey } from "./journey.ts";
import { acts, Thing } from "./things.ts";

export async function printingCommands(journey: Journey, all: readonly Canary[]): Promise<void> {
  const env = Object.fromEntries(
    all.flatMap(({ text }, index) => (text.includes("\0") ? [] : [[`CANARY_${index}`, new Secret(text)]])),
  );
  const names = Object.entries(env);
  const some = (from: number): typeof env => Object.fromEntries(names.slice(from, from + 60));
  const each =
    (command: string, more: object = {}) =>
    async (): Promise<void> => {
      const made = names.flatMap((_, at) =>
        at % 60 === 0 ? [Command(`c${at}`, { command, env: some(at), ...more })] : [],
      );
      for (const result of await Promise.allSettled(made)) {
        if (result.status === "rejected") journey.tell(result.reason);
        else journey.said.push(result.value.stdout, result.value.stderr);
      }
    };
  const prints = "env | grep -a -v '^PATH'; env | base64 -w 0 >&2";
  await journey.succeeds("commands", each(prints));
  const isPrinted = names.slice(0, 3).every(([name]) => journey.said.some((text) => text.includes(`${name}=***`)));
  if (!isPrinted) journey.missed.push("what commands print");
  await journey.fails("a command", each(`${prints}; exit 3`), { stage: "failing" });
  await journey.fails("an update", each(`${prints}; exit 3`), { json: true });
  await journey.succeeds("commands with a delete", each(prints, { delete: `${prints}; exit 4` }));
  await journey.fails("a delete");
  const withNul = { X: new Secret(`${"long ".repeat(50)}\0${all[0]?.text}`) };
  await journey.fails("a NUL", () => Command("nul", { command: "env", env: withNul }), { stage: "nul" });
}

/** The store fails while results are recorded, with a secret in its error message. */
export async function failingStores(journey: Journey, all: readonly Canary[]): Promise<void> {
  const [everything = ""] = textsOf(all, 300);
  const stateStore = fsStoreAt(join(journey.folder, ".engine"));
  const program = async (): Promise<void> => {
    const value = all.map((one) => new Secret(one.value));
    const made = ["a", "b"].map((id) => Thing(id, { value }));
    for (const result of await Promise.allSettled(made)) if (result.status === "rejected") journey.tell(result.reason);
  };
  acts.set("create a", async ({ set, log, signal }) => {
    const broken = (): Promise<never> => Promise.reject(new Error(`no space for ${everything}`));
    Object.assign(stateStore, { append: broken, create: broken });
    const told = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await set("first", { all: new Secret(everything) });
    await told;
    log(`stopped by ${signal.reason} ${signal.reason.cause}`);
    await set("second", new Set(all.map((one) => new Secret(one.value))));
  });
  await journey.fails("a store", program, { stateStore, concurrency: 1 });
  acts.clear();
  const files = (await readdir(journey.folder)).filter((name) => name.startsWith("engine-recovery."));
  if (files.length !== 1) journey.missed.push("a recovery file");
  for (const file of files) await copyFile(join(journey.folder, file), join(journey.folder, `kept ${file}`));
  await journey.run(program, { phase: "read" });
  await journey.fails("a recovery file with another password", program, { password: "a wrong one" });
  await journey.succeeds("the next run", program);
}
