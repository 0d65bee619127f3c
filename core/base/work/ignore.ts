/** Takes an outcome that is of no interest where it comes, e.g. a rejection that is told by another promise as well. */
export function ignore(): void {}
