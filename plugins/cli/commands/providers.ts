import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { type Given, sentenceOf } from "../run-command.js";

export function addProviders(program: Command): void {
  const providers = program
    .command("providers")
    .summary("list, update and verify the Terraform providers of the project")
    .description('List, update and verify the Terraform providers in engine.lock.json. Use "engine add" to add one.');
  const add = (syntax: string, summary: string, isDefault = false): Command =>
    addFlags(providers.command(syntax, { isDefault }).summary(summary).description(sentenceOf(summary)));

  add("list", "list the providers: range, version, state of the cache, newest version in the range", true).action(
    async (given: Given) => (await import("../providers/print-providers.js")).list(given),
  );
  add(
    "update [provider]",
    "update one or all providers, and their generated types, to the newest version in their range",
  ).action(async (named: string | undefined, given: Given) => {
    const [{ update }, { providerWork }] = await Promise.all([
      import("../providers/update.js"),
      import("../providers/print-providers.js"),
    ]);
    await update(named, providerWork(given));
  });
  add("verify", "verify cached providers against the lock file").action(async (given: Given) =>
    (await import("../providers/print-providers.js")).verify(given),
  );
}
