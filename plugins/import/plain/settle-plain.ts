/** Settles resources whose types have no provider of Terraform: types of the engine, and stubs for all others. */
import type { ImportedResource, PlainValue } from "../contract.js";
import { offersOf } from "../infer-dependencies.js";
import { UniqueNames } from "../program/names.js";
import type { SettledResource } from "../program/settled.js";
import { otherUse, ownType } from "./own-types.js";
import { type StubType, stubModule } from "./stub-module.js";

export interface PlainParts {
  readonly resources: readonly SettledResource[];
  /** Modules with stubs, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

interface Stub extends StubType {
  readonly module: string;
  /** Another way than to fill it in. */
  readonly advice?: string;
  readonly all: StubType["all"][number][];
}

type Plain = ImportedResource & { readonly value: PlainValue };

/** Names that a stub cannot have, because the program or its module uses them. */
const TAKEN = [
  "Command",
  "File",
  "Folder",
  "RandomString",
  "Resource",
  "Secret",
  "Promise",
  "Object",
  "Array",
  "Date",
  "Buffer",
];

/** @param tool that the resources come from */
export function settlePlain(resources: readonly ImportedResource[], tool: string): PlainParts {
  const plain = resources.filter((one): one is Plain => one.value.by === "value");
  const stubs = new Map<string, Stub>();
  const [names, modules] = [new UniqueNames(TAKEN), new UniqueNames()];
  const settled = plain.map((one): SettledResource => {
    const { props, output } = one.value;
    const own = ownType(one.type, props, output);
    if (own) {
      return {
        ...commonOf(one),
        kindName: own.functionName.charAt(0).toLowerCase() + own.functionName.slice(1),
        call: { by: "type", module: "scope-engine/resources", functionName: own.functionName },
        props: own.props,
        offers: own.offers,
        ...(own.output && { record: { kind: own.kind, output: own.output } }),
      };
    }
    const kind = kindOf(one.type, tool);
    const advice = otherUse(one.type);
    const stub = stubs.get(kind) ?? {
      kind,
      name: names.unique(typeName(kind, 1), typeName(kind, 2)),
      module: `types/${modules.unique(moduleName(kind))}`,
      all: [],
      ...(advice === undefined ? {} : { advice }),
    };
    stubs.set(kind, stub);
    stub.all.push({ props, output });
    return {
      ...commonOf(one),
      kindName: stub.name.charAt(0).toLowerCase() + stub.name.slice(1),
      call: { by: "type", module: `./${stub.module}.js`, functionName: stub.name },
      props: Object(props),
      offers: offersOf(props, output),
      record: { kind, output },
    };
  });
  const all = [...stubs.values()];
  return {
    resources: settled,
    files: new Map(all.map((stub) => [`${stub.module}.ts`, stubModule(stub, tool)])),
    notes: all.map(
      ({ kind, module, advice, all: { length } }) =>
        `Fill in create, update and delete of "${kind}" in ${module}.ts before you change ${length === 1 ? "its resource" : `one of its ${length} resources`}.${advice === undefined ? "" : ` ${advice}`}`,
    ),
  };
}

function commonOf({ address, scope, name, key, dependencies, protect, retain }: Plain) {
  const options = { ...(protect && { protect }), ...(retain && { retainOnDelete: true }) };
  return { address, scope, name, ...(key === undefined ? {} : { key }), dependencies, options };
}

/** Kinds of the engine's own types begin so: a stub with the kind of one would conflict with it. */
const OWN_KINDS = /^(?:fs|os|random|terraform):/;

function kindOf(type: string, tool: string): string {
  const kind = type.replaceAll("::", ":");
  return OWN_KINDS.test(kind) ? `${tool.toLowerCase()}:${kind}` : kind;
}

/** E.g. `Bucket` for the last word of `cloudflare:Bucket`, `CloudflareBucket` for two. */
function typeName(kind: string, length: number): string {
  const last = kind.split(/[:/]/).slice(-length).join("-");
  const words = last.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : `Type${joined}`;
}

function moduleName(kind: string): string {
  const name = kind
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  return name === "" ? "type" : name.slice(0, 100);
}
