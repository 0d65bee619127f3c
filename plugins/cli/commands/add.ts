import { resolve } from "node:path";
import type { Command } from "commander";
import { addFlags, textOf } from "../flags.js";
import type { Given } from "../run-command.js";

export function addAdd(program: Command): void {
  const command = program
    .command("add [provider] [names...]")
    .summary("add a Terraform provider and generate types for its resources")
    .description(
      `Find a provider, verify it, record it in engine.lock.json, and write a module with the types that you name.

  $ engine add cyrilgdn/postgresql                  all types of a small provider
  $ engine add hashicorp/aws@~>5.2 s3_bucket 'iam_*' data.region
  $ engine add --used                               types that the program uses
  $ engine add --from ./infra                       types in .tf files or CDKTF JSON
  $ engine add registry.example.com/acme/widget
  $ engine add ./terraform-provider-widget          a local file or folder`,
    );
  addFlags(command);
  command.action(async (source: string | undefined, names: readonly string[], given: Given) => {
    const [{ add }, { providerWork }] = await Promise.all([
      import("../providers/add.js"),
      import("../providers/print-providers.js"),
    ]);
    const [out, mirror, from] = [textOf(given.out), textOf(given.mirror), textOf(given.from)];
    await add(
      {
        source,
        names,
        used: given.used === true,
        ...(out === undefined ? {} : { out }),
        ...(from === undefined ? {} : { from: resolve(from) }),
        ...(mirror === undefined ? {} : { mirror: resolve(mirror) }),
      },
      providerWork(given),
    );
  });
}
