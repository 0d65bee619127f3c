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

/** Milliseconds to report its address. Some providers unpack themselves first. */
const START = 60_000;
/** Milliseconds that a process has to end by itself. */
const GRACE = 2_000;

/**
 * Starts a provider process for this process only. It ends with `close()`, or with this process, even if this process
 * is killed. It does not keep the program alive.
 *
 * @throws EngineError `PROVIDER_FAILED` if it cannot be started, or does not report its address in time;
 * `PACKAGE_MISSING` without `@grpc/grpc-js`
 */
export async function launchProvider(launch: ProviderLaunch): Promise<ProviderClient> {
  const own = await ownCertificate();
  launch.signal?.throwIfAborted();
  const provider = new ProviderProcess(launch, own.certificate);
  try {
    // Loaded while the process starts.
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

/** Requests a shutdown, then terminates the process, and kills it after two seconds. */
async function end(provider: ProviderProcess, connection: Connection): Promise<void> {
  provider.ref();
  const grace = new AbortController();
  try {
    await Promise.race([requestEnd(provider, connection, grace.signal), sleep(GRACE, grace.signal)]);
  } finally {
    grace.abort();
    provider.kill();
    connection.close();
    await provider.ended;
  }
}

async function requestEnd(provider: ProviderProcess, connection: Connection, signal: AbortSignal): Promise<void> {
  const call = { path: SHUTDOWN, name: "Shutdown", message: Buffer.alloc(0), read: () => true, signal };
  // A lost connection means that the end has begun. A process that does not implement the request gets a signal.
  const isRequested = await connection.call(call).catch(isOfLostConnection);
  if (!isRequested && !provider.hasEnded) provider.terminate();
  await provider.ended;
}
