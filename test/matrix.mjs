/**
 * Maps a path of the project to the matrix tests that prove it. `npm run test:rest -- PATH…` runs those of each given
 * path; CONTRIBUTING.md shows the table. A row names beginnings of files below test/ without `.matrix.test.ts`.
 */
export const MATRIX = {
  "adapters/fs": [
    "adapters/fs",
    "core/state/",
    "faults/contention-fs",
    "faults/kill-fs",
    "faults/stopped",
    "faults/storage-",
  ],
  "adapters/keyv": ["adapters/keyv"],
  "adapters/postgres": [
    "adapters/postgres",
    "adapters/remote-",
    "faults/contention-postgres",
    "faults/kill-postgres",
    "faults/network-postgres",
    "faults/paused-remote",
    "faults/stopped",
  ],
  "adapters/redis": [
    "adapters/redis",
    "adapters/remote-",
    "faults/contention-redis",
    "faults/kill-redis",
    "faults/network-redis",
    "faults/paused-remote",
    "faults/stopped",
    "servers/redis",
  ],
  "adapters/s3": [
    "adapters/remote-",
    "adapters/s3",
    "e2e/moved-state",
    "faults/contention-s3",
    "faults/kill-s3",
    "faults/network-s3",
    "faults/paused-remote",
    "faults/stopped",
    "servers/rgw",
  ],
  bench: ["bench/"],
  "core/apply": [
    "core/lifecycle/",
    "e2e/one-after-another",
    "e2e/process-handlers",
    "faults/kill-",
    "faults/throws",
    "simulation/",
  ],
  "core/destroy": ["core/lifecycle/", "e2e/process-destroy", "faults/kill-", "simulation/"],
  "core/engine": ["core/lifecycle/", "e2e/process-", "e2e/references", "faults/signals", "simulation/"],
  "core/state": [
    "attacks/",
    "core/state/",
    "e2e/recovery-file",
    "faults/contention-",
    "faults/kill-",
    "faults/stopped",
    "faults/storage-",
    "faults/values-remote",
    "model/",
    "simulation/",
  ],
  docs: ["docs/", "e2e/example", "servers/rabbitmq"],
  "package.json": ["package/", "runtimes/"],
  "plugins/admin": ["plugins/cli/state/"],
  "plugins/audit-log": ["plugins/audit-log"],
  "plugins/cli": ["e2e/terminal", "e2e/watch", "plugins/cli/"],
  "plugins/cli/import": ["plugins/import/"],
  "plugins/console-output": ["e2e/process-json", "e2e/process-streams", "e2e/terminal"],
  "plugins/fleet": ["plugins/fleet/"],
  "plugins/import": ["plugins/import/"],
  "plugins/plan": ["core/lifecycle/programs", "e2e/example-plan", "plugins/cli/plan", "simulation/"],
  "plugins/processes": ["e2e/processes", "e2e/process-leftovers", "e2e/watch-processes", "plugins/processes/"],
  "plugins/resources": ["e2e/example", "faults/oracles", "plugins/resources/"],
  "plugins/secrets": ["attacks/", "e2e/secrets-canary", "faults/kill-sealed", "plugins/secrets/"],
  "plugins/ssh-tunnel": ["e2e/tunnel", "plugins/ssh-tunnel"],
  "plugins/telemetry": ["plugins/telemetry/"],
  "plugins/terraform": ["plugins/cli/add-provider", "plugins/cli/providers", "plugins/terraform/"],
  "plugins/terraform/export": ["plugins/cli/export", "plugins/import/round-trip", "plugins/terraform/lifecycle/export"],
  "plugins/ui": ["docs/peers", "plugins/cli/ui", "plugins/ui/"],
  "plugins/webhook": ["plugins/webhook"],
};

const MATRIX_FILE = ".matrix.test.ts";

/**
 * Filters for Vitest: parts of the names of the files to run. A path may be a row (`adapters/redis`), a file or folder
 * below it (`adapters/redis/connect.ts`), a folder above rows (`adapters`), or a test file or folder (`test/faults`).
 * Of rows in each other, a path below both takes the inner one.
 */
export function matrixOf(paths) {
  const filters = new Set();
  const unknown = [];
  for (const given of paths) {
    const path = given.replace(/^\.\//, "").replace(/\/$/, "");
    const around = Object.keys(MATRIX).filter((row) => isWithin(path, row));
    // The nearest row proves the path.
    const nearest = around.sort((one, other) => other.length - one.length).slice(0, 1);
    const rows = [...new Set([...nearest, ...Object.keys(MATRIX).filter((row) => isWithin(row, path))])];
    for (const row of rows) for (const beginning of MATRIX[row]) filters.add(`test/${beginning}`);
    if (isWithin(path, "test")) filters.add(path);
    else if (rows.length === 0) unknown.push(given);
  }
  return { filters: [...filters].sort(), unknown };
}

/** Beginnings that match no matrix file, and matrix files that no row names; both are mistakes of the table. */
export function mistakesIn(files) {
  const names = files.filter((file) => file.endsWith(MATRIX_FILE)).map((file) => file.replace(/^test\//, ""));
  const beginnings = Object.values(MATRIX).flat();
  return {
    unused: beginnings.filter((beginning) => !names.some((name) => name.startsWith(beginning))),
    missing: names.filter((name) => !beginnings.some((beginning) => name.startsWith(beginning))),
  };
}

function isWithin(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}
