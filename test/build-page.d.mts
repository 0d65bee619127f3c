/** @returns names of the files that the page is built from */
export function buildPage(root: string, outdir: string): Promise<readonly string[]>;
