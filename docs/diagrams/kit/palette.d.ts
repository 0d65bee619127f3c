export type Color =
  | "ink"
  | "soft"
  | "line"
  | "ground"
  | "plain"
  | "edge"
  | "tint"
  | "accent"
  | "on-accent"
  | "bad"
  | "bad-tint";
export const light: Readonly<Record<Color, string>>;
export const dark: Readonly<Record<Color, string>>;
/** A text, and what is behind it. */
export const PAIRS: readonly (readonly [Color, Color])[];
