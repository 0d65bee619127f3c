import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Secret } from "../../../plugins/index.js";
import { Command, type CommandOutput } from "../../../plugins/resources/index.js";
import { textIn } from "../../helpers/apps/secret-stage.ts";
import { isAlive } from "../../helpers/processes/processes.js";
import { until } from "../../helpers/time/until.js";
import { projects } from "./project.ts";

const newProject = projects();

describe("Command", () => {
  test("keeps the end of an output that is long, and no half characters", async () => {
    const project = await newProject();
    let output: CommandOutput | undefined;
    const script = `process.stdout.write("ü🎈\\n".repeat(40_000) + "end")`;
    await project.up(async () => {
      output = await Command("c", { command: [process.execPath, "-e", script] });
    });
    expect(Buffer.byteLength(output?.stdout ?? "")).toBeLessThanOrEqual(64 * 1024);
    expect(output?.stdout).toMatch(/^(ü🎈\n)+end$/u);
  });

  test.each([0, 1])(
    "keeps and tells no part of a secret that is longer than what is kept, with exit code %d",
    async (code) => {
      const stateStore = memoryStore();
      const project = await newProject({ stateStore, password: "p" });
      const long = Array.from({ length: 9_000 }, (_, number) => `key-${number}`).join(" ");
      const script = `process.stdout.write(process.env.LONG); process.stderr.write(process.env.LONG); process.exitCode = ${code}`;
      const { errors } = await project.run(() =>
        Command("c", { command: [process.execPath, "-e", script], env: { LONG: new Secret(long) } }),
      );
      const message = `The command "${process.execPath} -e ${script}" ended with exit code 1. The last line of its output is longer than 64 KiB and is not shown.`;
      expect(errors.map((error) => error.message)).toEqual(code === 0 ? [] : [expect.stringContaining(message)]);
      expect(await textIn(stateStore)).not.toMatch(/key-\d/);
    },
  );
});

describe("Command, and what it has started:", () => {
  test("an interrupted run ends the whole group", async () => {
    const project = await newProject();
    const controller = new AbortController();
    // The grandchild reports its pid, and would live forever.
    const grandchild = `require("fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)`;
    const command = `"${process.execPath}" -e '${grandchild}' & wait`;
    const program = async () => {
      const running = Command("c", { command });
      running.catch(() => {});
      await until(async () => (await project.read("pid").catch(() => "")) !== "");
      controller.abort();
      await running;
    };
    const { errors } = await project.run(program, { signal: controller.signal });
    expect(errors.map(({ code }) => code)).toContain("ABORTED");
    const pid = Number(await project.read("pid"));
    await until(() => !isAlive(pid));
  });

  test("a process left in the background does not keep it waiting for ever", async () => {
    const project = await newProject();
    let output: CommandOutput | undefined;
    const command = "sleep 1000 & echo $!";
    await project.up(async () => {
      output = await Command("c", { command });
    });
    const pid = Number(output?.stdout);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });
});
