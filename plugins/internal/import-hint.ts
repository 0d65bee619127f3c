/** Which import is missing where a program uses a name of this package without one. */

/** By entry, the values that programs write most. */
export const IMPORTED: Readonly<Record<string, readonly string[]>> = {
  "scope-engine": ["engine", "definePlugin", "memoryStore", "Resource", "Secret"],
  // `File` is also a class of Node, so that its call does not say that the name is unknown.
  "scope-engine/resources": ["Command", "CopyFile", "File", "Folder", "Password", "Process", "RandomString"],
};

/** As Node and Deno, Bun, and Safari's engine say it. */
const MISSING = [
  /\b(\w+) is not defined\b/,
  /\bClass constructor (\w+) cannot be invoked without 'new'/,
  /\bCannot call a class constructor (\w+) without \|new\|/,
  /\bCan't find variable: (\w+)/,
];

/** The import to write, as a sentence; nothing if the message is about something else. */
export function importHint(message: string): readonly string[] {
  for (const pattern of MISSING) {
    const [, name = ""] = pattern.exec(message) ?? [];
    const [entry] = Object.entries(IMPORTED).find(([, names]) => names.includes(name)) ?? [];
    if (entry !== undefined) return [`Is its import missing? import { ${name} } from "${entry}";`];
  }
  return [];
}
