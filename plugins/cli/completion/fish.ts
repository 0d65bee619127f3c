import type { Words } from "./words.js";

/** A script for fish; file names where no command or option fits. */
export function fishScript(all: readonly Words[]): string {
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
