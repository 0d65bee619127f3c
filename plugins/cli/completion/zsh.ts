import type { Words } from "./words.js";

/** Returns the script for zsh. It completes file names if no command or option matches. */
export function zshScript(all: readonly Words[]): string {
  const steps = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const cases = all.map(({ path, commands, options }) => {
    const described = commands.map(({ name, about }) => quoted(about === "" ? name : `${name}:${about}`));
    const flags = options.map(({ long, short, about, takesValue, choices }) => {
      const action = choices.length > 0 ? `:value:(${choices.join(" ")})` : takesValue ? ":value:_files" : "";
      const text = about.replace(/[[\]:]/g, "\\$&");
      return short === undefined
        ? quoted(`${long}[${text}]${action}`)
        : `{${short},${long}}${quoted(`[${text}]${action}`)}`;
    });
    return [
      `    ${path === "" ? "''" : quoted(path)})`,
      `      commands=(${described.join(" ")})`,
      `      flags=(${flags.join(" ")}) ;;`,
    ].join("\n");
  });
  return `#compdef engine
# zsh completion for engine: source it, e.g. by a line in ~/.zshrc: source <(engine completion zsh)
_engine() {
  local command_path='' next word
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${command_path:+$command_path }$word"
    case "$next" in
      ${steps.join("|")}) command_path="$next" ;;
    esac
  done
  case "$command_path" in
${cases.join("\n")}
  esac
  if (( $#commands )) && [[ "$words[CURRENT]" != -* ]]; then
    _describe 'command' commands
  else
    _arguments -S $flags '*:file:_files'
  fi
}
(( $+functions[compdef] )) && compdef _engine engine`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
