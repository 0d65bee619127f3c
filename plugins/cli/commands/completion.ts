import { Argument, type Command } from "commander";
import { type Words, wordsOf } from "../completion/words.js";
import { zshScript } from "../completion/zsh.js";
import { printText } from "../output.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .summary("print a script that completes commands and options on Tab")
    .description(
      `Print a script that completes commands and options on Tab.

  bash   source <(engine completion bash)       in ~/.bashrc
  zsh    source <(engine completion zsh)        in ~/.zshrc, after compinit
  fish   engine completion fish | source        in ~/.config/fish/config.fish`,
    )
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => printText(SCRIPTS[shell](wordsOf(program))));
}

/** Returns the script for bash. It completes file names if no command or option matches. */
function bashScript(all: readonly Words[]): string {
  const steps = all.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const choices = all.flatMap(({ path, commands, options }) => {
    const words = [
      ...commands.map(({ name }) => name),
      ...options.flatMap(({ long, short }) => (short ? [short, long] : [long])),
    ];
    const values = options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `      ${long}) words="${choices.join(" ")}" ;;`);
    const free = options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
    const names = free.flatMap(({ long, short }) => (short ? [short, long] : [long]));
    return [
      `    "${path}") words="${words.join(" ")}"`,
      '      case "$before" in',
      ...values,
      ...(names.length > 0 ? [`      ${names.join("|")}) words="" ;;`] : []),
      "      esac ;;",
    ];
  });
  return `# bash completion for engine: source it, e.g. by a line in ~/.bashrc: source <(engine completion bash)
_engine_completion() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${steps.join("|")}) path="$next" ;;
    esac
  done
  case "$path" in
${choices.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -o bashdefault -F _engine_completion engine`;
}

/** Returns the script for fish. It completes file names if no command or option matches. */
function fishScript(all: readonly Words[]): string {
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return [
    "# fish completion for engine: source it, e.g. engine completion fish > ~/.config/fish/completions/engine.fish",
    "function __engine_at",
    `  set -l known ${paths.join(" ")}`,
    "  set -l path ''",
    "  for word in (commandline -opc)[2..-1]",
    '    set -l next (string trim -- "$path $word")',
    '    contains -- "$next" $known; and set path "$next"',
    "  end",
    '  test "$path" = "$argv[1]"',
    "end",
    ...all.flatMap(({ path, commands, options }) => {
      const at = `complete -c engine -n "__engine_at ${quoted(path)}"`;
      return [
        ...commands.map(({ name, about }) => `${at} -f -a ${quoted(name)} -d ${quoted(about)}`),
        ...options.map(({ long, short, about, takesValue, choices }) => {
          const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
          return `${at} -l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}${value} -d ${quoted(about)}`;
        }),
      ];
    }),
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
