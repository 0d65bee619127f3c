/** What makes a line one of those who have the key. */
import type { History, KeyId, Line, LineId, RecordedId } from "./history.js";

export interface Sealing {
  /** The key of what the writer goes on from; 0 for none. */
  readonly key: KeyId;
  /** The how manieth line of its entry it is. */
  readonly number: number;
  /** Another key, or the first one, that is among the line's changes. */
  readonly brings?: KeyId | undefined;
  /** What is recorded before it. */
  readonly recorded: RecordedId;
}

export function sealedLine(history: History, line: Line, { key, number, brings = 0, recorded }: Sealing): LineId {
  const by = brings || key;
  if (by === 0) return history.line(line);
  const seal = brings === 0 ? { brings } : { brings, vouches: recorded };
  const body = history.line({ ...line, seal });
  return history.line({ ...line, seal: { ...seal, mac: { key: by, number, body } } });
}
