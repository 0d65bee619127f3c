/** A program of the canary in a process of its own, with every byte that it prints. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

const program = compiledProgram(new URL("../programs/canary.child.ts", import.meta.url));

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCanary(cwd: string, args: readonly string[], password: string): Promise<Printed> {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ENGINE_STAGE: "dev", ENGINE_PASSWORD: password };
  const child = spawn(process.execPath, [program, ...args], { cwd, env });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  await once(child, "close");
  return { code: child.exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
