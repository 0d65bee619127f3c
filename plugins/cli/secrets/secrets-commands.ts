/** The commands about secrets. What they do is loaded when one is called. */
import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { print } from "../output.js";

export function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .summary("change what opens secrets, and make keys")
    .description("Changes the password or the key of the secrets of a stage, and makes keys.");
  secrets
    .command("generate-key")
    .summary("print a new key for secrets")
    .description(
      "Prints a new key of 256 random bits, for ENGINE_KEY, --key-file or { key }. It is kept nowhere: put it where your secrets are.",
    )
    .action(async () => print((await import("../../secrets/opener.js")).newKeyText()));
  const rotate = secrets
    .command("rotate")
    .summary("another password or key opens the secrets of a stage from now on")
    .description(
      "Another password or key opens the secrets of a stage from now on: one small write. It is taken from ENGINE_NEW_PASSWORD, ENGINE_NEW_KEY or ENGINE_NEW_KEY_COMMAND, or a password is asked for.",
    );
  addFlags(rotate).action(async (_given, command: Command) => {
    const { inState } = await import("../state/in-state.js");
    await inState(command, async (context) => (await import("./rotate.js")).rotate(context));
  });
}
