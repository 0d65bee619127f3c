export function durationsIn(root: string): Record<string, number>;
export function rememberDurations(root: string, durations: Record<string, number>): void;
export const FIRST: Readonly<Record<string, number>>;
