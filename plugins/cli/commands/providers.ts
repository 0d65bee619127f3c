import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { type Given, sentenceOf } from "../run-command.js";

export function addProviders(program: Command): void {
  const providers = program
    .command("providers")
    .summary("list, update and verify the Terraform providers of the project")
    .description("Works on the Terraform providers that engine.lock.json names. New ones come by engine add.");
  const add = (syntax: string, summary: string, isDefault = false): Command =>
    addFlags(providers.command(syntax, { isDefault }).summary(summary).description(sentenceOf(summary)));

  add("list", "list them: range, version, whether it is in the cache, the newest in the range", true).action(
    async (given: Given) => (await import("../providers/print-providers.js")).list(given),
  );
  add("update [provider]", "take the newest version in the range of all or one, and its types").action(
    async (named: string | undefined, given: Given) => {
      const [{ update }, { providerWork }] = await Promise.all([
        import("../providers/update.js"),
        import("../providers/print-providers.js"),
      ]);
      await update(named, providerWork(given));
    },
  );
  add("verify", "hold every byte of them in the cache against the lock file").action(async (given: Given) =>
    (await import("../providers/print-providers.js")).verify(given),
  );
}
