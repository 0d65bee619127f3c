/** The commands about secrets. What they do is loaded when one is called. */
import type { Command } from "commander";
import { addFlags, FLAGS, OWN } from "../flags.js";

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
    .action(async () => (await import("./generate-key.js")).generateKey());
  const rotate = secrets
    .command("rotate")
    .summary("another password or key opens the secrets of a stage from now on")
    .description(
      "Another password or key opens the secrets of a stage from now on: one small write. It is taken from ENGINE_NEW_PASSWORD, ENGINE_NEW_KEY or ENGINE_NEW_KEY_COMMAND, or a password is asked for.",
    )
    .option("--new-password-file <file>", "file whose first line is the new password")
    .option("--new-key-file <file>", "file with the new key")
    .option("--new-key-command <line>", "command that prints the new key")
    .option("--rekey", "encrypt every secret anew by a new key; without a new password or key, the present one stays")
    .option("--scope <path>", "scope that has a password or a key of its own")
    .option(
      "--scope-password-file <file>",
      "file with its present password, where the stage has one besides (default: ENGINE_SCOPE_PASSWORD)",
    )
    .option("--scope-key-file <file>", "file with its present key, likewise (default: ENGINE_SCOPE_KEY)");
  addFlags(rotate, [OWN.entry, OWN.app, OWN.envFile, OWN.json, ...FLAGS.state]).action(
    async (_given, command: Command) => {
      const { inState } = await import("../state/in-state.js");
      await inState(command, async (context) => (await import("./rotate.js")).rotate(context));
    },
  );
}
