/** Values that a program gives outside of a declaration, where nothing resolves them. */

/** What is promised in them, in its place. */
export async function resolved(given: unknown): Promise<unknown> {
  const value = isThenable(given) ? await given : given;
  if (Array.isArray(value)) return await Promise.all(value.map(resolved));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(async ([name, member]) => [name, await resolved(member)] as const);
  return Object.fromEntries(await Promise.all(members));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  return isHolder && typeof Reflect.get(value, "then") === "function";
}
