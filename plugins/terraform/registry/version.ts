const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** True for e.g. `1.2.3` and `1.2.3-beta.1`. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}
