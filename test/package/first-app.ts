/** The first app of README.md. */

/** Its text, as a reader would copy it. */
export function firstAppIn(readme: string): string {
  const [, , rest] = readme.split(/^(## First app)$/m);
  const [, text] = /^```ts runnable\n(.*?)^```$/ms.exec(rest ?? "") ?? [];
  if (text === undefined) throw new Error("README.md has no first app.");
  return text;
}

/** The file that it makes. */
export const firstAppMakes = { path: "public/dev/index.html", content: "<h1>hello</h1>" } as const;
