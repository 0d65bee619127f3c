/** The first app of README.md. */
import { read } from "../house/project.ts";

/** Its text, as a reader would copy it. */
export function firstApp(): string {
  const [, text] = /^## First app\n+```ts runnable\n([^`]*(?:`[^`]+`[^`]*)*?)^```$/m.exec(read("README.md")) ?? [];
  if (text === undefined) throw new Error("README.md has no first app.");
  return text;
}

/** What it makes. */
export const firstAppMakes = { path: "public/dev/index.html", content: "<h1>hello</h1>" } as const;
