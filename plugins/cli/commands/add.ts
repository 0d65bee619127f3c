import { resolve } from "node:path";
import type { Command } from "commander";
import { addFlags, textOf } from "../flags.js";
import type { Given } from "../run-command.js";

export function addAdd(program: Command): void {
  const command = program
    .command("add [provider] [names...]")
    .summary("add a Terraform provider, and the types of its resources that are named")
    .description(
      `Finds a provider, verifies it, notes it in engine.lock.json, and writes a module with the types of what is named of it.

  $ engine add cyrilgdn/postgresql                  all of a small provider
  $ engine add hashicorp/aws@~>5.2 s3_bucket 'iam_*' data.region
  $ engine add --used                               what the program uses besides
  $ engine add --from ./infra                       what a folder with .tf files, or CDKTF's JSON, uses
  $ engine add registry.example.com/acme/thing
  $ engine add ./terraform-provider-thing           a file or folder of this machine`,
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
