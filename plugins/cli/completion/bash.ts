import type { Words } from "./words.js";

/** A script for bash; file names where no command or option fits. */
export function bashScript(all: readonly Words[]): string {
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
