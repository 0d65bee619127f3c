/** The diagrams that there are, by their names. */
export const names: readonly string[];
/** A diagram as SVG. */
export function drawn(name: string): Promise<string>;
