/** An S3 clone that ignores the condition of a conditional write. */
import { compiledProgram } from "../helpers/processes/compiled-program.ts";
import { freePort } from "./free-port.js";
import { openPremises } from "./premises.js";
import type { Resident } from "./resident.js";
import type { S3Server } from "./s3-server.js";
import { answersHttp, isUp } from "./up.js";

const program = compiledProgram(new URL("s3rver.child.ts", import.meta.url));

export async function startS3rver(): Promise<S3Server> {
  const premises = await openPremises("s3rver");
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const start = async (): Promise<Resident> => {
    const args = [program, premises.folder, `${port}`];
    const server = await premises.start(process.execPath, args);
    await isUp(server, () => answersHttp(endpoint));
    return server;
  };
  try {
    let server = await start();
    return {
      endpoint,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      kill: () => server.kill(),
      restart: async () => {
        await server.kill();
        server = await start();
      },
      stop: () => premises.leave(),
    };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}
