import { expect, it } from "vitest";
import { newUser } from "./told.ts";

it("nothing that is anybody's own is in the bytes that a server gets", async () => {
  const user = await newUser();
  try {
    const env = { CANARIES: "1", ENGINE_STAGE: "canary-stage", OTEL_SERVICE_NAME: "canary-service" };
    for (const mode of ["waits", "fails", "up"]) {
      const program = user.start([mode], { ...env, USER: "canary-user" });
      if (mode === "waits") {
        await program.printed("at work");
        program.process.kill("SIGINT");
      }
      const { stdout, stderr } = await program.ended;
      expect(`${stdout}${stderr}`).toContain("canary");
    }
    await user.run(["memory"], env);
    expect(user.server.events.filter(({ event }) => event === "run finished")).toHaveLength(4);
    const sent = user.server.bodies.join("\n");
    expect(sent).not.toMatch(/canary/i);
    expect(sent).not.toContain(user.folder.split("/")[2]);
    expect(sent).not.toContain(process.cwd());
  } finally {
    await user.leave();
  }
});
