/** A bill of materials, as CycloneDX, of the packages that the build includes: `npm run sbom -- FILE`. */
import { writeFileSync } from "node:fs";
import { read } from "../house/project.ts";
import { builtIn } from "./notices.ts";

type Component = Pick<ReturnType<typeof builtIn>[number], "name" | "version" | "licence">;

/** The same text for the same packages: it has no time and no serial number. */
export function billOf(all: readonly Component[]) {
  const { name, version, license, dependencies }: Manifest = JSON.parse(read("package.json"));
  const own = component({ name, version, licence: license });
  const components = all.map(component);
  // Dependencies are not built in: npm installs them beside the package.
  const installed = Object.entries(dependencies).map(([one, exact]) => purlOf(one, exact));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components,
    compositions: [{ aggregate: "complete", assemblies: [own["bom-ref"]] }],
    dependencies: [{ ref: own["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) }],
    properties: installed.map((value) => ({ name: "scope-engine:installed-beside", value })),
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function component({ name, version, licence }: Component) {
  const purl = purlOf(name, version);
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: [{ license: { id: licence } }] };
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

const [, program, file] = process.argv;
if (program === import.meta.filename) {
  if (file === undefined) throw new Error("Name the file: npm run sbom -- FILE");
  writeFileSync(file, `${JSON.stringify(billOf(builtIn()), null, 2)}\n`);
}
