/** Opens a page in the user's browser. */
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ignore } from "../../core/base/index.js";
import { childEnvironment } from "../internal/process/child-process.js";

/** Milliseconds after which a browser has read the file. */
const TIMEOUT = 20_000;

/** True on a terminal of this machine with a screen. */
export function wantsBrowser(env: NodeJS.ProcessEnv = process.env): boolean {
  const isSeen = process.stdout.isTTY === true && process.stderr.isTTY === true;
  const isRemote = Boolean(env.CI || env.SSH_CONNECTION || env.SSH_TTY);
  const hasScreen = process.platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return isSeen && !isRemote && hasScreen;
}

/**
 * Opens the URL with a short-lived file that only this user can read: the URL contains a token, and other users can see
 * the arguments of every program. Failures are ignored, because the URL is printed as well.
 */
export async function openBrowser(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "engine-ui-"));
  const end = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", end);
  setTimeout(() => {
    process.off("exit", end);
    end();
  }, TIMEOUT).unref();
  const file = join(folder, "open.html");
  const target = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${target}">\n`, { mode: 0o600 });
  const [program, ...args] = openerOf(process.platform);
  spawn(program, [...args, pathToFileURL(file).href], { stdio: "ignore", detached: true, env: childEnvironment() })
    .on("error", ignore)
    .unref();
}

function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
