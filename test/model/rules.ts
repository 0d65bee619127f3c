/** The rules of the protocol, each of which can be switched off to show its purpose. */
export interface Rules {
  /** N: the number of newest checkpoints that trimming keeps. */
  readonly keep: number;
  /** Trimming spares the first entry: without any checkpoint, its absence means an empty stage. */
  readonly guardFirst: boolean;
  /**
   * Trimming spares every `open` that took over from a session that had not closed: that session's next write meets it.
   */
  readonly guardTakeovers: boolean;
  /** Trimming spares the entries by which a session rolled over its own segment, too. */
  readonly guardRollovers: boolean;
  /** Trimming replaces the lines of a guard by an empty value. */
  readonly stubGuards: boolean;
  /** Trimming goes no further than the entries that the trimming session has folded itself. */
  readonly trimCap: boolean;
  /** A load that has read entries lists the checkpoints again before its result is used. */
  readonly verifyLoad: boolean;
  readonly verifyBeforeOpen: boolean;
  readonly verifyAfterOpen: boolean;
  /**
   * A load that finds no entry after its base may trust it, or list again. It may also look for that entry first and
   * get the checkpoint after that: trimming deletes the checkpoint before that entry.
   */
  readonly bareLoad: "trusted" | "verified" | "probe-first";
  /** Whether a loader looks for entry q + 1 after it has read q, or before. */
  readonly nextLook: "after-read" | "before-read";
  /** When an appender looks for the fence. */
  readonly fenceLook: "after-write" | "before-write" | "never";
  /** After a failed write, an owner reads its file, or repeats the line in a new segment at once. */
  readonly failedWrite: "read-back" | "repeated";
  /** An appender whose `close` met the fence asks whether the fence was put up because of that very `close`. */
  readonly askAfterClose: boolean;
  /** Whether an appender holds its file open, or opens it by name for each line. */
  readonly handle: "held" | "reopened";
  /** When a new owner reads the segment before its own to the end. */
  readonly settleRead: "after-create" | "before-create";
  /** Whether a new owner verifies its `open` after it has read that segment again, or before. */
  readonly settleVerify: "after-reread" | "before-reread";
  /** A second read must begin with the contents of the first: otherwise it is another file under the same name. */
  readonly sameFile: boolean;
  /** The moment from which a new owner relies on its `open`. */
  readonly relyOnTakeover: "settled" | "created";
  /** An `open` records the length of its base's segment, too, when the entry after the base does not. */
  readonly namesBase: boolean;
  /** The last line that an unsettled `open` names need only be somewhere in the segment before, not at its end. */
  readonly looseOpen: boolean;
  /** Readers count as many lines as a later `settled` says. */
  readonly settledCounts: boolean;
  /** A `close` line ends its segment even if a later line says that the segment ended before. */
  readonly closeBeatsSettled: boolean;
  /** A load reads a segment again if it has met a later one that does not record its length. */
  readonly rereadUnsettled: boolean;
  /** After its `open`, a new owner reads the segment before, or everything that a load reads. */
  readonly rereads: "segment" | "all";
  /** The first `open`, and one that takes over, is alone in an entry that does not grow: it may stay for ever. */
  readonly opensAlone: boolean;
  /** An `open` records the length of the entry before it, if that is final. Otherwise only its `prev` tells. */
  readonly opensName: boolean;
  /** If it does not, it names a line of the segment before, perhaps one that only a checkpoint covers. */
  readonly opensNear: boolean;
  /** If the checkpoint does not cover that line, and there is a newer checkpoint, a load begins again. */
  readonly baseAgain: boolean;
  /** Instead of that: it may name any line; if that is not the last one, a line after it records the length. */
  readonly opensSettle: boolean;
  /** Lines that may not follow a segment without a recorded length: all except an `open`, or changes. */
  readonly settledFirst: "lines" | "changes" | "nothing";
  /** The length that a line records for the segment that a checkpoint ends with must agree with the checkpoint. */
  readonly checksBase: boolean;
  /** Parts that the MAC of a line covers besides its contents. */
  readonly macSeq: boolean;
  readonly macNumber: boolean;
  readonly macPrev: boolean;
  /** The MAC of a checkpoint covers the folded contents, not only their position. */
  readonly macFolded: boolean;
  /** A load checks the MACs of lines that come after the one that vouches, or after the checkpoint. */
  readonly checksLines: boolean;
  /** A load checks the MAC of the line that vouches. */
  readonly checksVouching: boolean;
  /** A load compares the contents that a line with a key vouches for with those before the line. */
  readonly checksVouched: boolean;
  /** A load checks the MAC of the checkpoint that it begins with. */
  readonly checksCheckpoints: boolean;
  /** A client with a key refuses a state that has records but no MAC. */
  readonly refusesUnsealed: boolean;
  /** A key comes with the first line of an entry: no `open` that was written without it can follow it. */
  readonly keyBegins: boolean;
  /** A state counts as empty only if plugins have no data, either. */
  readonly bareKeepsNothing: boolean;
}

/** The protocol as it holds. */
export const SOUND: Rules = {
  keep: 1,
  guardFirst: true,
  guardTakeovers: true,
  guardRollovers: false,
  stubGuards: false,
  trimCap: true,
  verifyLoad: true,
  verifyBeforeOpen: true,
  verifyAfterOpen: true,
  bareLoad: "verified",
  nextLook: "after-read",
  fenceLook: "after-write",
  failedWrite: "read-back",
  askAfterClose: true,
  handle: "held",
  settleRead: "after-create",
  settleVerify: "after-reread",
  sameFile: true,
  relyOnTakeover: "settled",
  namesBase: true,
  looseOpen: true,
  settledCounts: true,
  closeBeatsSettled: false,
  rereadUnsettled: true,
  rereads: "segment",
  opensAlone: false,
  opensName: true,
  opensNear: true,
  baseAgain: true,
  opensSettle: false,
  settledFirst: "lines",
  checksBase: true,
  macSeq: true,
  macNumber: true,
  macPrev: true,
  macFolded: true,
  checksLines: true,
  checksVouching: true,
  checksVouched: true,
  checksCheckpoints: true,
  refusesUnsealed: true,
  keyBegins: true,
  bareKeepsNothing: true,
};

/** The protocol as core/state implements it: only the `prev` of an `open` says where it follows. */
export const BUILT: Partial<Rules> = { rereads: "all", opensAlone: true, opensName: false };

/** The size of the world that a search covers. */
export interface Scenario {
  readonly writers: number;
  readonly readers: number;
  /** Clients with one growing file per session: none (every entry by `create`), every writer, or every other one. */
  readonly growing: "none" | "all" | "mixed";
  /** Total number of `open` lines that may be written. */
  readonly sessions: number;
  /** Batches of changes in each session. */
  readonly ops: number;
  readonly maxSeq: number;
  /** Owners may roll over, or make a checkpoint in the middle of a run. */
  readonly midRun: boolean;
  /** Mid-run checkpoints are written beside the session's next lines, not between them. */
  readonly background: boolean;
  readonly crashes: boolean;
  /** A write to a file may fail and leave half of its line, or all of it. */
  readonly writeErrors: boolean;
  /** Requests that may still be under way after their client gave them up. Files have none of these. */
  readonly late: number;
  readonly lostReplies: boolean;
  readonly anyTrimOrder: boolean;
  /** All writers have a key: the first change brings it, and seals the lines after it. */
  readonly sealed: boolean;
  /** Later changes may bring another one. */
  readonly rekeys: boolean;
  /** Number of times that a forger without a key may arrange the whole store. */
  readonly forgeries: number;
}

export const SMALL: Scenario = {
  writers: 2,
  readers: 0,
  growing: "all",
  sessions: 2,
  ops: 1,
  maxSeq: 5,
  midRun: false,
  background: false,
  crashes: true,
  writeErrors: false,
  late: 0,
  lostReplies: false,
  anyTrimOrder: false,
  sealed: false,
  rekeys: false,
  forgeries: 0,
};
