/** Lists the differences of two values, for people. */
export function differingPaths(one: unknown, other: unknown, path = ""): readonly string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  const areHolders = [one, other].every((value) => typeof value === "object" && value !== null);
  if (!areHolders || Array.isArray(one) !== Array.isArray(other))
    return [`${path}: ${JSON.stringify(one)?.slice(0, 300)} <> ${JSON.stringify(other)?.slice(0, 300)}`];
  const names = new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))]);
  return [...names].flatMap((name) => differingPaths(Object(one)[name], Object(other)[name], `${path}/${name}`));
}
