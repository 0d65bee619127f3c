/** Programs of resources that a test describes. */
import { printProgram } from "../../../plugins/import/print/print-program.js";
import { programOf } from "../../../plugins/import/program/build.js";
import type { SettledProject, SettledResource } from "../../../plugins/import/program/settled.js";

type Given = Partial<Omit<SettledResource, "offers" | "call">> &
  Pick<SettledResource, "address"> & { readonly offers?: Readonly<Record<string, unknown>>; readonly isData?: boolean };

/** E.g. `module.net["eu"].vpc.main`, `data.vpc.main`. */
export function resource({ address, offers = {}, isData = false, ...given }: Given): SettledResource {
  const scope = [...address.matchAll(/module\.(\w+)(?:\["(\w+)"\])?\./g)].map(([, name = "", key]) => ({
    name,
    ...(key === undefined ? {} : { key }),
  }));
  const [kindName = "", name = ""] = address.split(".").slice(-2);
  return {
    address,
    scope,
    name,
    kindName,
    call: { by: "provider", provider: "acme", member: kindName, isData },
    props: {},
    dependencies: [],
    options: {},
    ...given,
    offers: new Map(Object.entries(offers)),
  };
}

export function made(
  resources: readonly SettledResource[],
  outputs: SettledProject["outputs"] = [],
  dependencies?: "inferred" | "unknown",
) {
  const acme = { id: "acme", isNamed: false, module: "./providers/acme.js", functionName: "acme", typeName: "Acme" };
  return programOf({
    app: "shop",
    providers: [{ ...acme, config: {}, show: [] }],
    resources,
    outputs,
    ...(dependencies && { dependencies }),
  });
}

export function printed(...given: Parameters<typeof made>): string {
  return [...printProgram(made(...given), "A test.").files.values()].join("\n");
}

export const output = (name: string, value: unknown) => ({ name, value, isSensitive: false });
