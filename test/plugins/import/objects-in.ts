/** The objects of a state of OpenTofu by type and id, so that two states with other addresses can be compared. */

interface Instance {
  readonly schema_version: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly private?: string;
}

interface Resource {
  readonly mode: string;
  readonly type: string;
  readonly instances: readonly Instance[];
}

/** @param text of a file `terraform.tfstate` */
export function objectsIn(text: string): Readonly<Record<string, unknown>> {
  const { resources } = JSON.parse(withExactNumbers(text)) as { resources: readonly Resource[] };
  const managed = resources.filter(({ mode }) => mode === "managed");
  return Object.fromEntries(
    managed.flatMap(({ type, instances }) =>
      instances.map(({ schema_version, attributes, private: bytes }) => {
        return [`${type} ${String(attributes.id)}`, { schema_version, attributes, private: bytes }];
      }),
    ),
  );
}

/** Turns numbers into texts, because JavaScript would round them. */
function withExactNumbers(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (one) => {
    if (one.startsWith('"')) return one;
    return `"number ${/^\d+e\+?\d+$/i.test(one) ? BigInt(Number(one)) : one}"`;
  });
}
