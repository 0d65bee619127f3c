/** The members that Keyv requires of an adapter, and nothing more: no `has`, no iterator, no answer to `delete`. */
export function leastAdapter() {
  const values = new Map<string, unknown>();
  return {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
    clear: async () => values.clear(),
  };
}
