/** Takes over a project of OpenTofu, and checks that nothing changes and that no secret is in the clear. */
import { expect } from "vitest";
import { checkFormat, checkTypes, SECRET, type TofuProject, textBelow } from "./tofu-project.ts";

/** Reads of a provider, and plans; everything else would be a change. */
const HARMLESS =
  /^(GetProviderSchema|GetSchema|(Validate|Configure|Prepare|Upgrade|Plan|Read)\w*|Stop\w*|GetMetadata|Configure)$/;

export interface TakenOver {
  /** The variables that the program reads. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the files of the program. */
  readonly files: readonly string[];
}

/** @param secrets by variable, those that `variables` does not find */
export async function takeOver(
  project: TofuProject,
  secrets: Readonly<Record<string, string>> = {},
): Promise<TakenOver> {
  project.asked();
  const shown = await project.imports("--plan");
  expect(shown, shown.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was written.") });
  expect(await project.project.names()).not.toContain("engine.run.ts");
  expect(await project.project.names()).not.toContain(".engine");
  const imported = await project.imports("--json");
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  const env = { ...(await project.variables(imported.stdout)), ...secrets };
  const planned = await project.engine(env, "plan", "--exit-code");
  expect(planned.stdout, planned.stderr).toContain("nothing to do");
  expect(planned.code).toBe(0);
  expectNoWrite(project);
  await expectNoSecret(project);
  const { files } = JSON.parse(imported.stdout) as { files: readonly string[] };
  await checkFormat(await project.project.read("engine.run.ts"));
  await checkTypes(project.project);
  return { env, files };
}

/** Since the last call of `asked`. */
export function expectNoWrite(project: TofuProject): void {
  expect(project.asked().filter((rpc) => !HARMLESS.test(rpc))).toEqual([]);
}

/** Neither one of the configuration, nor a computed one of the fixture. */
export async function expectNoSecret({ project }: TofuProject): Promise<void> {
  const written = await textBelow(project.folder, ["tf", "unchanged", "back", "node_modules", "mirror", "cache"]);
  expect(written).not.toContain(SECRET);
  expect(written).not.toMatch(/"password-\d/);
}
