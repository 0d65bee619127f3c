/** The rules of the protocol, each of which can be switched off to see what it is for. */
export interface Rules {
  /** N: how many of the newest checkpoints trimming keeps. */
  readonly keep: number;
  /** Trimming spares the first entry: without any checkpoint, its absence means an empty stage. */
  readonly guardFirst: boolean;
  /** Trimming spares every `open` that took over from a session that had not closed: that one's next write meets it. */
  readonly guardTakeovers: boolean;
  /** Trimming spares the entries by which a session rolled over its own segment, too. */
  readonly guardRollovers: boolean;
  /** Trimming leaves of a guard an empty value in place of its lines. */
  readonly stubGuards: boolean;
  /** Trimming goes no further than what the trimming session has folded itself. */
  readonly trimCap: boolean;
  /** A load that has read entries lists the checkpoints again before its result is used. */
  readonly verifyLoad: boolean;
  readonly verifyBeforeOpen: boolean;
  readonly verifyAfterOpen: boolean;
  /**
   * What a load does that finds no entry after its base: trust it, list again, or look for that entry first and only
   * then get the checkpoint (which trimming deletes before it deletes that entry).
   */
  readonly bareLoad: "trusted" | "verified" | "probe-first";
  /** Whether a loader looks for entry q + 1 after it has read q, or before. */
  readonly nextLook: "after-read" | "before-read";
  /** When an appender looks for the fence. */
  readonly fenceLook: "after-write" | "before-write" | "never";
  /** What an owner does whose write failed: see what is there of it, or repeat the line in a new segment at once. */
  readonly failedWrite: "read-back" | "repeated";
  /** An appender whose `close` met the fence asks whether the fence was put up because of that very `close`. */
  readonly askAfterClose: boolean;
  /** Whether an appender holds its file open, or opens it by name for each line. */
  readonly handle: "held" | "reopened";
  /** When a new owner reads the segment before its own to the end. */
  readonly settleRead: "after-create" | "before-create";
  /** Whether a new owner verifies its `open` after it has read that segment again, or before. */
  readonly settleVerify: "after-reread" | "before-reread";
  /** What is read again must begin with what was read before: else it is another file under the same name. */
  readonly sameFile: boolean;
  /** From when on a new owner relies on its `open`. */
  readonly relyOnTakeover: "settled" | "created";
  /** An `open` records the length of its base's segment, too, when the entry after the base does not. */
  readonly namesBase: boolean;
  /** The last line that an unsettled `open` names need only be somewhere in the segment before, not at its end. */
  readonly looseOpen: boolean;
  /** Readers count as many lines as a later `settled` says. */
  readonly settledCounts: boolean;
  /** A `close` line ends its segment even when a later line says that the segment ended before. */
  readonly closeBeatsSettled: boolean;
  /** A load reads a segment again, when it has met a later one that does not record its length. */
  readonly rereadUnsettled: boolean;
  /** What a new owner reads once its `open` is there: the segment before, or all that a load reads. */
  readonly rereads: "segment" | "all";
  /** The first `open`, and one that takes over, is alone in an entry that does not grow: it may stay for ever. */
  readonly opensAlone: boolean;
  /** An `open` records the length of what comes before it, where that is final. Else only its `prev` tells. */
  readonly opensName: boolean;
  /** Where it does not, it names a line of the segment before, be it one that only a checkpoint stands for. */
  readonly opensNear: boolean;
  /** Where that is not what the checkpoint stands for, and there is a newer checkpoint, a load begins again. */
  readonly baseAgain: boolean;
  /** In place of that: it may name any line; where that is not the last one, a line after it records the length. */
  readonly opensSettle: boolean;
  /** What may not stand behind a segment whose length nobody has recorded: all but an `open`, or changes. */
  readonly settledFirst: "lines" | "changes" | "nothing";
  /** What a line records of the segment that a checkpoint ends with must be what the checkpoint says. */
  readonly checksBase: boolean;
  /** What a MAC covers of its line, beside all else that the line says. */
  readonly macSeq: boolean;
  readonly macNumber: boolean;
  readonly macPrev: boolean;
  /** The MAC of a checkpoint covers what it folds, and not only up to where. */
  readonly macFolded: boolean;
  /** A load checks the MACs of lines that come after the one that vouches, or after the checkpoint. */
  readonly checksLines: boolean;
  /** A load checks the MAC of the line that vouches. */
  readonly checksVouching: boolean;
  /** A load compares what the line that brings a key says of what stands before it. */
  readonly checksVouched: boolean;
  /** A load checks the MAC of the checkpoint that it begins with. */
  readonly checksCheckpoints: boolean;
  /** Who has a key refuses a state without any MAC in which something is recorded. */
  readonly refusesUnsealed: boolean;
  /** A key comes with the first line of an entry: no `open` that was written without it can stand behind it. */
  readonly keyBegins: boolean;
  /** Nothing is recorded only where plugins keep nothing, either. */
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

/** The form that core/state gives the protocol: by `prev` alone an `open` says where it follows. */
export const BUILT: Partial<Rules> = { rereads: "all", opensAlone: true, opensName: false };

/** How much of the world a search looks at. */
export interface Scenario {
  readonly writers: number;
  readonly readers: number;
  /** Who keeps to one growing file per session: nobody (every entry by `create`), every writer, or every other one. */
  readonly growing: "none" | "all" | "mixed";
  /** How many `open` lines may be written in all. */
  readonly sessions: number;
  /** Batches of changes in each session. */
  readonly ops: number;
  readonly maxSeq: number;
  /** Owners may roll over, or checkpoint in mid-run. */
  readonly midRun: boolean;
  /** Mid-run checkpoints are written beside the session's next lines, not between them. */
  readonly background: boolean;
  readonly crashes: boolean;
  /** A write to a file may fail and leave half of its line, or all of it. */
  readonly writeErrors: boolean;
  /** Requests that may be under way after their client gave them up. Files have none of these. */
  readonly late: number;
  readonly lostReplies: boolean;
  readonly anyTrimOrder: boolean;
  /** All writers have a key: the first change brings it, and seals what follows. */
  readonly sealed: boolean;
  /** Later changes may bring another one. */
  readonly rekeys: boolean;
  /** How many times somebody without a key may arrange the whole store anew. */
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
