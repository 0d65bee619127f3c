import { Argument, type Command } from "commander";
import { bashScript } from "../completion/bash.js";
import { fishScript } from "../completion/fish.js";
import { wordsOf } from "../completion/words.js";
import { zshScript } from "../completion/zsh.js";
import { printText } from "../output.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .summary("print a script that completes commands and options on TAB")
    .description(
      `Prints a script that completes commands and options on TAB.

  bash   source <(engine completion bash)       in ~/.bashrc
  zsh    source <(engine completion zsh)        in ~/.zshrc, behind compinit
  fish   engine completion fish | source        in ~/.config/fish/config.fish`,
    )
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => printText(SCRIPTS[shell](wordsOf(program))));
}
