/** The commands about secrets. What they do is loaded when one is called. */
import type { Command } from "commander";
import { addFlags, FLAGS, OWN } from "../flags.js";

export function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .summary("change the password or the key of secrets")
    .description("Changes the password or the key of the secrets of a stage.");
  const rotate = secrets
    .command("rotate")
    .summary("another password opens the secrets of a stage from now on")
    .description(
      "Another password opens the secrets of a stage from now on: one small write. It is asked for, or taken from ENGINE_NEW_PASSWORD.",
    )
    .option("--new-password-file <file>", "file whose first line is the new password")
    .option("--rekey", "encrypt every secret anew by a new key; without a new password, the old one stays")
    .option("--scope <path>", "scope that has a password of its own");
  addFlags(rotate, [OWN.entry, OWN.app, OWN.envFile, OWN.json, ...FLAGS.state]).action(
    async (_given, command: Command) => {
      const { inState } = await import("../state/in-state.js");
      await inState(command, async (context) => (await import("./rotate.js")).rotate(context));
    },
  );
}
