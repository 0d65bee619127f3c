/**
 * The checks of this folder on the package as it is installed on this system, on any platform:
 * `installed.mjs core stores`. Run `npm run build` first. Ends as they do.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { argv, execPath, exit, platform } from "node:process";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(realpathSync(tmpdir()), "scope-engine-installed-"));
const suite = join(folder, "suite");

/** On Windows npm is a batch file, which a shell has to start; nothing here needs quotes. */
function npm(args, cwd) {
  execFileSync("npm", args, { cwd, shell: platform === "win32", stdio: ["ignore", "ignore", "inherit"] });
}

function run() {
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], join(here, "../.."));
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  mkdirSync(suite);
  for (const part of ["run.mjs", "checks"]) cpSync(join(here, part), join(suite, part), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  npm(["install", "--no-audit", "--no-fund", `./${tarball}`], folder);
  execFileSync(execPath, [join(suite, "run.mjs"), ...argv.slice(2)], { cwd: folder, stdio: "inherit" });
}

let code = 0;
try {
  run();
} catch (error) {
  code = error.status || 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
exit(code);
