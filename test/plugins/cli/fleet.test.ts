import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { until } from "../../helpers/time/until.ts";
import { describeUnless } from "../../servers/given.ts";
import { fleetProgram } from "./fleet-program.ts";

let project: Project;
beforeEach(async () => {
  project = await engineProject({ "tenants.run.mjs": fleetProgram });
});
afterEach(() => project.remove());

const FILE = "tenants.run.mjs";

describeUnless(lacksPackage, "engine fleet", () => {
  it("applies, plans, compares and destroys all stages, with a summary of each", async () => {
    const up = await project.engine("fleet", "up", FILE);
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toMatch(
      /^tenants up: 3 stages\nresources {2}3 created\nslowest {4}.*\ntenants up done in .*: 3 stages, 3 changed\n$/,
    );
    expect(await project.names()).toContain("ada.txt");
    expect((await project.engine("fleet", "plan", FILE, "--exit-code")).code).toBe(0);
    const plan = await project.engineWith({ TEXT: "large" }, "fleet", "plan", FILE, "--exit-code");
    expect(plan.code).toBe(2);
    expect(plan.stdout).toMatch(/to change:\n( {2}(ada|bob|carl)\n){3}/);
    await project.write("ada.txt", "other");
    const drift = await project.engine("fleet", "drift", FILE, "--exit-code");
    expect(drift).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("drifted:\n  ada: plan (fs:File)\nresources  1 drifted, 2 unchanged\n"),
    });
    const destroyed = await project.engine("fleet", "destroy", FILE, "--yes");
    expect(destroyed).toMatchObject({ code: 0, stdout: expect.stringContaining("tenants destroy done") });
    expect(await project.names()).not.toContain("bob.txt");
    expect(await project.engine("fleet", "status", FILE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("tenants destroy done"),
    });
  });

  it("ends with 4 if drift cannot read a resource, and with 2 if another one has drifted", async () => {
    const blind = `const Blind = Resource("fleet-cli:Blind", { create: () => ({}), delete() {} });\nexport default fleet(`;
    const text = (await project.read(FILE)).replace("export default fleet(", blind);
    await project.write("blind.mjs", text.replace('await File("plan"', 'await Blind("blind");\n    await File("plan"'));
    expect((await project.engine("fleet", "up", "blind.mjs")).code).toBe(0);
    const unread = expect.stringContaining("resources  3 unchanged, 3 unread\n");
    const drift = await project.engine("fleet", "drift", "blind.mjs", "--exit-code");
    expect(drift).toMatchObject({ code: 4, stdout: unread });
    expect(await project.engine("fleet", "drift", "blind.mjs")).toMatchObject({ code: 0, stdout: unread });
    await project.write("ada.txt", "other");
    expect((await project.engine("fleet", "drift", "blind.mjs", "--exit-code")).code).toBe(2);
  });

  it("shows two causes without a resource as two groups", async () => {
    const throws = `async program(app, { stage }) {
    if (stage.startsWith("c")) throw new Error("the quota of " + stage + " is used up");
    if (stage.startsWith("d")) throw new Error("no server for " + stage);`;
    await project.write("causes.mjs", (await project.read(FILE)).replace("async program(app, { stage }) {", throws));
    const { stderr } = await project.engineWith({ STAGES: "ada c1 d1 c2 d2 c3" }, "fleet", "up", "causes.mjs");
    const status = await project.engine("fleet", "status", "causes.mjs");
    for (const text of [stderr, status.stderr]) {
      expect(text).toMatch(/^FAILED {3}3 stages: the quota of c\d is used up \[RUN_FAILED\]\n {9}c\d, c\d, c\d\n/m);
      expect(text).toMatch(/^FAILED {3}2 stages: no server for d\d \[RUN_FAILED\]\n {9}d\d, d\d\n/m);
    }
  });

  it("runs nothing of a program that calls engine() or its fleet itself", async () => {
    const calls = `import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
const app = await engine("plain");
await File("page", { path: "page.txt", content: "x" });
await app.finalize();
`;
    await project.write("plain.mjs", calls);
    const plain = await project.engine("fleet", "plan", "plain.mjs");
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("calls engine() itself") });
    const text = await project.read(FILE);
    await project.write(
      "eager.mjs",
      text.replace("export default fleet(", "const all = fleet(").concat("await all.up();\nexport default all;\n"),
    );
    const eager = await project.engine("fleet", "plan", "eager.mjs");
    expect(eager).toMatchObject({ code: 1, stderr: expect.stringContaining("calls tenants.up() itself") });
    expect(await project.names()).not.toEqual(expect.arrayContaining(["page.txt", "ada.txt"]));
  });

  it("destroys nothing if there is no terminal to ask on", async () => {
    await project.engine("fleet", "up", FILE);
    const { code, stderr } = await project.engine("fleet", "destroy", FILE);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Pass --yes to destroy") });
    expect(await project.names()).toContain("ada.txt");
  });

  it("groups failed stages, names the next commands, and begins only the failed stages again", async () => {
    const stages = { STAGES: "ada bad1 bad2" };
    const up = await project.engineWith(stages, "fleet", "up", FILE);
    expect(up).toMatchObject({ code: 1, stdout: expect.stringContaining("tenants up FAILED") });
    expect(up.stderr).toContain("FAILED   2 stages at check: connection refused [HANDLER_FAILED]\n");
    expect(up.stderr).toMatch(/^next {5}engine fleet status tenants\.run\.mjs --stage bad\d /m);
    expect(up.stderr).toMatch(/^next {5}engine fleet retry tenants\.run\.mjs /m);
    const listed = await project.engine("state", "list", "--entry", FILE, "--stage", "bad1");
    expect(listed.stdout).toContain("tenants/bad1/plan");
    await project.write("mended", "");
    const retried = await project.engineWith(stages, "fleet", "retry", FILE, "--json");
    expect(retried.code).toBe(0);
    const named = objectsIn(retried.stdout).flatMap(({ type, stage }) => (type === "stage" ? [stage] : []));
    expect(named.toSorted()).toEqual(["bad1", "bad2"]);
  });

  it("prints NDJSON: the states, each stage and the report, and the program's own output to standard error", async () => {
    await project.write("loud.mjs", `console.log("loud");\nexport { default } from "./${FILE}";\n`);
    const { code, stdout, stderr } = await project.engine("fleet", "up", "loud.mjs", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "loud\n" });
    const objects = objectsIn(stdout);
    expect(objects[0]).toMatchObject({ v: 1, type: "state", state: "running", command: "up" });
    expect(objects.filter(({ type }) => type === "stage")).toHaveLength(3);
    expect(objects.at(-1)).toMatchObject({ type: "report", state: "done", stages: { total: 3, changed: 3 } });
    const status = await project.engine("fleet", "status", "loud.mjs", "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({ v: 1, type: "report", fleet: "tenants", state: "done" });
  });

  it("ends with 0 where the next wave begins by hand, and resume begins it", async () => {
    const waves = { WAVES: "yes", STAGES: "a b c d e f g h" };
    const up = await project.engineWith(waves, "fleet", "up", FILE);
    expect(up).toMatchObject({ code: 0, stdout: expect.stringContaining("tenants up WAITING") });
    expect(up.stderr).toContain(`next     engine fleet resume ${FILE}  begins the next wave\n`);
    const resumed = await project.engineWith(waves, "fleet", "resume", FILE);
    // The time of the first wave is only in the whole time.
    expect(resumed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ in \S+ m?s \(.+ in all\): 8 stages, 8 changed/),
    });
  });

  it("runs as many stages at once as --concurrency says", async () => {
    const most = async (...flags: string[]): Promise<string> => {
      const { stdout, stderr, code } = await project.engineWith(
        { STAGES: "m1 m2 m3 m4 m5 m6", MEASURE: "yes" },
        ...["fleet", "plan", FILE, ...flags],
      );
      expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      return /^most at once: (\d+)$/m.exec(stdout)?.[1] ?? "";
    };
    expect([await most(), await most("--concurrency", "1"), await most("--concurrency", "5")]).toEqual(["2", "1", "5"]);
    for (const value of ["0", "many"])
      expect(await project.engine("fleet", "up", FILE, "--concurrency", value)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--concurrency"),
      });
    expect(
      await project.engine("fleet", "up", FILE, "--concurrency", "4", "--queue", "redis://127.0.0.1:1"),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining("--concurrency would have no effect") });
  });

  it("says in a pipe that it waits at a gate, and that it goes on", async () => {
    const waves = { WAVES: "yes", STAGES: "a b c d e f g h" };
    const up = project.engineWith(waves, "fleet", "up", FILE, "--wait");
    await until(async () => (await project.engineWith(waves, "fleet", "status", FILE)).stdout.includes("WAITING"));
    const resumed = await project.engineWith(waves, "fleet", "resume", FILE, "--force");
    expect(resumed.stdout).toContain("asked the process that runs it to resume");
    expect(resumed.stderr).toContain("warning  --force has no effect");
    const { code, stdout } = await up;
    expect(code).toBe(0);
    expect(stdout).toContain(
      `tenants up: waiting (wave 2 of 2 begins by hand); continue with: engine fleet resume ${FILE}\ntenants up: continues\n`,
    );
  });

  it("shows the outcome of one stage with its message, and all failures of a cause by name", async () => {
    const stages = Array.from({ length: 30 }, (_, at) => `bad${at}`);
    const up = await project.engineWith({ STAGES: stages.join(" ") }, "fleet", "up", FILE);
    expect(up.stderr.match(/^FAILED/gm)).toHaveLength(4);
    expect(up.stderr).toContain("FAILED   30 stages at check: connection refused");
    const status = await project.engine("fleet", "status", FILE);
    for (const stage of stages) expect(status.stderr).toContain(stage);
    const one = await project.engine("fleet", "status", FILE, "--stage", "bad7");
    expect(one.stdout).toMatch(/^tenants\/bad7: failed by up in .*, wave 1 at check \[HANDLER_FAILED\]\n/);
    expect(one.stdout).toContain("connection refused");
    const json = await project.engine("fleet", "status", FILE, "--stage", "bad7", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ v: 1, type: "stage", stage: "bad7", wave: 1, outcome: "failed" });
    const none = await project.engine("fleet", "status", FILE, "--stage", "zoe");
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('has ended the stage "zoe"') });
  });

  it("names the store and the command if there is no run, and the commands for all stages", async () => {
    const status = await project.engine("fleet", "status", FILE);
    expect(status.stderr).toMatch(
      /no recorded run in the state at \/.*\. Start a run: engine fleet up tenants\.run\.mjs/,
    );
    const drift = await project.engine("drift", FILE);
    expect(drift.stderr).toContain(`For all of them, use: engine fleet drift ${FILE}`);
  });

  it("keeps its record and its stages in the store of --state", async () => {
    expect((await project.engine("fleet", "up", FILE, "--state", "./shared")).code).toBe(0);
    expect(await project.engine("fleet", "status", FILE)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("NOT_RECORDED"),
    });
    expect((await project.engine("fleet", "status", FILE, "--missing-ok")).code).toBe(0);
    expect((await project.engine("fleet", "status", FILE, "--state", "./shared")).code).toBe(0);
    const listed = await project.engine("state", "list", "--entry", FILE, "--stage", "ada", "--state", "./shared");
    expect(listed.stdout).toContain("tenants/ada/plan");
  });
});

describeUnless(lacksPackage, "a program that is not the one that the command needs", () => {
  it("is refused with the line to write, or the command to use", async () => {
    await project.write("none.mjs", "export default 3;");
    const none = await project.engine("fleet", "up", "none.mjs");
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("Write: export default fleet(") });
    const up = await project.engine("up", FILE);
    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`For all its stages, use: engine fleet up ${FILE}`),
    });
    const list = await project.engine("state", "list", "--entry", FILE);
    expect(list).toMatchObject({ code: 1, stderr: expect.stringContaining("Name one of them with --stage") });
    const worker = await project.engine("worker", FILE);
    expect(worker).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --queue URL, or set ENGINE_QUEUE") });
  });
});

function objectsIn(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
