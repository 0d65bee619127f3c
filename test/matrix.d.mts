export const MATRIX: Readonly<Record<string, readonly string[]>>;
export function matrixOf(paths: readonly string[]): { readonly filters: string[]; readonly unknown: string[] };
export function mistakesIn(files: readonly string[]): { readonly unused: string[]; readonly missing: string[] };
