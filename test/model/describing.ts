/** Describes lines, files and histories in words, for traces. */
import type { CheckpointId, ContentId, History, HistoryId, LineId } from "./history.js";

export function describeContent(history: History, id: ContentId): string {
  const words: string[] = [];
  for (let node = id; node !== 0; node = history.content(node).parent)
    words.push(describeLine(history, history.content(node).line));
  return id === 0 ? "nothing" : `${history.content(id).seq}[${words.reverse().join(" ")}]`;
}

/** A MAC is shown as "*", one that is not the line's own as "?"; a key that is brought as "+". */
export function describeLine(history: History, id: LineId): string {
  const { kind, session, names, takeover, seal } = history.lineOf(id);
  const named = names.map((name) => `${history.content(name).seq}:${history.content(name).length}`);
  const mac = seal?.mac && kind !== "torn" ? (seal.mac.body === history.body(id) ? "*" : "?") : "";
  const lengths = named.length > 0 ? `(${named.join(" ")})` : "";
  return `${kind}${takeover ? "!" : ""}#${session}${lengths}${seal?.brings ? "+" : ""}${mac}`;
}

export function describeHistory(history: History, id: HistoryId): string {
  const files: string[] = [];
  let node = id;
  while (node !== 0) {
    const { content, seq, line, parent } = history.history(node);
    if (content === 0) {
      files.push(`${describeLine(history, line)} said to be of ${seq}`);
      node = parent;
      continue;
    }
    files.push(describeContent(history, content));
    while (node !== 0 && history.history(node).seq === seq) node = history.history(node).parent;
  }
  return files.reverse().join(" ") || "nothing";
}

export function describeCheckpoint(history: History, id: CheckpointId): string {
  const { folds, mac } = history.checkpointOf(id);
  const seal = mac ? (mac.folds === folds ? "*" : "?") : "";
  return `checkpoint ${history.history(folds).seq}${seal} of ${describeHistory(history, folds)}`;
}
