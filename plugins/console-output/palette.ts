/** Colours of lines, or none. */

type Style = (text: string) => string;

export interface Palette {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly magenta: Style;
  readonly cyan: Style;
}

const same: Style = (text) => text;

export const PLAIN: Palette = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  magenta: same,
  cyan: same,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** As https://no-color.org and https://force-color.org have it; else where somebody looks at a terminal that can. */
export function wantsColours(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal && !env.CI && env.TERM !== "dumb";
}

/** What is done, and what will be, looks the same everywhere. */
export function styleOf(palette: Palette, action: string): Style {
  switch (action) {
    case "create":
    case "created":
      return palette.green;
    case "update":
    case "updated":
      return palette.yellow;
    case "replace":
    case "replaced":
      return palette.magenta;
    case "adopt":
    case "adopted":
    case "rename":
      return palette.cyan;
    case "delete":
    case "deleted":
      return palette.red;
    default:
      return palette.dim;
  }
}
