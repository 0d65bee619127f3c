/** Defines the commands about secrets. Their implementation is loaded when one is called. */
import type { Command } from "commander";
import { addFlags } from "../flags.js";
import { print } from "../output.js";

export function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .summary("change the password or key of secrets, and generate keys")
    .description("Change the password or the key of the secrets of a stage, and generate keys.");
  secrets
    .command("generate-key")
    .summary("print a new key for secrets")
    .description(
      "Print a new key of 256 random bits, for ENGINE_KEY, --key-file or { key }. It is not stored: keep it with your other secrets.",
    )
    .action(async () => print((await import("../../secrets/opener.js")).newKeyText()));
  const rotate = secrets
    .command("rotate")
    .summary("change the password or key of the secrets of a stage")
    .description(
      "Change the password or key of the secrets of a stage. The secrets themselves are not re-encrypted (for that, pass --rekey), so this is fast, however many there are. Pass the new password or key with a flag below, or in ENGINE_NEW_PASSWORD, ENGINE_NEW_KEY or ENGINE_NEW_KEY_COMMAND. Without any of them, the command asks for a password on a terminal. With --rekey, a new one is optional.",
    );
  addFlags(rotate).action(async (_given, command: Command) => {
    const { inState } = await import("../state/in-state.js");
    await inState(command, async (context) => (await import("./rotate.js")).rotate(context));
  });
}
