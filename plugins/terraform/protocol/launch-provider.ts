import { sleep } from "../../../core/base/index.js";
import { GrpcClient } from "./client/grpc-client.js";
import { Rpcs } from "./client/rpcs.js";
import { messageCodec, SHUTDOWN } from "./messages/index.js";
import {
  Connection,
  isOfLostConnection,
  loadGrpc,
  ownCertificate,
  type ProviderLaunch,
  ProviderProcess,
} from "./process/index.js";
import type { ProviderClient } from "./provider-client.js";

/** Milliseconds to say how it is to be reached: some providers unpack themselves first. */
const START = 60_000;
/** Milliseconds to end by itself. */
const GRACE = 2_000;

/**
 * Starts the process of a provider, for this process alone: it ends with `close()`, and with this process, whatever ends that. It keeps
 * no program from ending.
 *
 * @throws EngineError `PROVIDER_FAILED` where it cannot be started, or does not say in time how it is to be reached;
 * `PACKAGE_MISSING` without `@grpc/grpc-js`
 */
export async function launchProvider(launch: ProviderLaunch): Promise<ProviderClient> {
  const own = await ownCertificate();
  launch.signal?.throwIfAborted();
  const provider = new ProviderProcess(launch, own.certificate);
  try {
    // Loaded while it starts.
    const [handshake, grpc, five, six] = await Promise.all([
      provider.handshake(launch.startTimeout ?? START, launch.signal),
      loadGrpc(),
      messageCodec(5),
      messageCodec(6),
    ]);
    const connection = await Connection.open(grpc, provider, handshake, own);
    const codec = handshake.protocol === 5 ? five : six;
    provider.unref();
    const rpcs = new Rpcs(provider.name, handshake.protocol, connection, codec);
    let ending: Promise<void> | undefined;
    return new GrpcClient(rpcs, {
      get hasEnded() {
        return provider.hasEnded;
      },
      note: (level, text) => launch.log(level, text),
      end() {
        ending ??= end(provider, connection);
        return ending;
      },
    });
  } catch (error) {
    provider.kill();
    await provider.ended;
    throw error;
  }
}

/** It is asked, told, and after two seconds no longer asked. */
async function end(provider: ProviderProcess, connection: Connection): Promise<void> {
  provider.ref();
  const patience = new AbortController();
  try {
    await Promise.race([ask(provider, connection, patience.signal), sleep(GRACE, patience.signal)]);
  } finally {
    patience.abort();
    provider.kill();
    connection.close();
    await provider.ended;
  }
}

async function ask(provider: ProviderProcess, connection: Connection, signal: AbortSignal): Promise<void> {
  const call = { path: SHUTDOWN, name: "Shutdown", message: Buffer.alloc(0), read: () => true, signal };
  // A connection that breaks here is how its end begins; and where it does not know the question, there is another way to ask.
  const isTold = await connection.call(call).catch(isOfLostConnection);
  if (!isTold && !provider.hasEnded) provider.terminate();
  await provider.ended;
}
