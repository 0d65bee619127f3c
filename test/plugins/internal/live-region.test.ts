import { describe, expect, it } from "vitest";
import { LiveRegion, type Size } from "../../../plugins/internal/terminal/live-region.js";
import { Screen } from "../../helpers/terminal/screen.ts";

/** A region on a terminal that shows both streams, or only standard output. */
function setUp({ err = true } = {}) {
  const out = new Screen();
  const file: string[] = [];
  const both = Object.assign(Object.create(out), {
    isTTY: err,
    write: (text: string) => (err ? out.write(text) : file.push(text) > 0),
  });
  const region = new LiveRegion({
    out,
    err: both,
    write: (name, text) => void (name === "stdout" ? out : both).write(text),
  });
  let lines: readonly string[] = ["one", "two"];
  const sizes: Size[] = [];
  const painter = {
    paint: (size: Size) => {
      sizes.push(size);
      return lines.map((line) => line.slice(0, size.columns - 1));
    },
    width: ({ length }: string) => length,
  };
  const show = (...next: string[]): void => {
    lines = next;
    region.update();
  };
  return { out, err: both, file, region, painter, show, sizes };
}

describe("the region", () => {
  it("changes in place, grows, shrinks, and goes", () => {
    const { out, region, painter, show } = setUp();
    const leave = region.join(painter);
    show("a", "b");
    expect(out.lines).toEqual(["a", "b"]);
    show("c");
    expect(out.lines).toEqual(["c"]);
    show("d", "e", "f");
    expect(out.lines).toEqual(["d", "e", "f"]);
    leave();
    expect(out.lines).toEqual([]);
    expect(out.isCursorAtStart).toBe(true);
  });

  it("writes nothing where nothing has changed", () => {
    const { out, region, painter, show } = setUp();
    region.join(painter);
    show("a");
    const { length } = out.written;
    show("a");
    region.update();
    expect(out.written).toHaveLength(length);
  });

  it("stays below what is printed by it and past it, on both streams, in order", () => {
    const { out, err, region, painter, show } = setUp();
    out.write("before\n");
    const leave = region.join(painter);
    show("region");
    region.print("stdout", "first");
    region.print("stdout", "second");
    region.print("stderr", "third");
    out.write("fourth\n");
    err.write("fifth\n");
    region.print("stdout", "sixth");
    region.update();
    expect(out.lines).toEqual(["before", "first", "second", "third", "fourth", "fifth", "sixth", "region"]);
    region.print("stdout", "last");
    leave();
    expect(out.lines.slice(-2)).toEqual(["sixth", "last"]);
  });

  it("draws many lines at once", () => {
    const { out, region, painter, show } = setUp();
    region.join(painter);
    show("region");
    const { length } = out.written;
    for (let number = 0; number < 1000; number++) region.print("stdout", `${number}`);
    region.update();
    expect(out.written).toHaveLength(length + 1);
    expect(out.lines.slice(-2)).toEqual(["999", "region"]);
  });

  it("is hidden while a foreign line has no end, and does not break it", () => {
    const { out, region, painter, show } = setUp();
    region.join(painter);
    show("region");
    out.write("a part");
    region.update();
    expect(out.lines).toEqual(["a part"]);
    out.write(Buffer.from(" and the rest\u001B[0m\n"));
    region.update();
    expect(out.lines).toEqual(["a part and the rest", "region"]);
    out.write("red\n\u001B[0m");
    region.update();
    expect(out.lines.slice(-2)).toEqual(["red", "region"]);
  });

  it("leaves a standard error that goes to a file alone", () => {
    const { out, err, file, region, painter, show } = setUp({ err: false });
    const { write } = err;
    region.join(painter);
    show("region");
    const { length } = out.written;
    expect(err.write).toBe(write);
    region.print("stderr", "warning");
    err.write("a part");
    region.update();
    expect(file).toEqual(["warning\n", "a part"]);
    expect(out.written).toHaveLength(length);
  });

  it("takes all rows away that a terminal which has become narrower has made of its lines", () => {
    const { out, region, painter, show } = setUp();
    out.write("before\n");
    region.join(painter);
    show("x".repeat(39), "short", "y".repeat(25));
    show("x".repeat(39), "short", "y".repeat(25), "z");
    out.resize(20);
    expect(out.lines[0]).toBe("before");
    show("narrow");
    expect(out.lines).toEqual(["before", "narrow"]);
  });

  it.each(["a frame", "a printed line", "its end"])(
    "leaves no row of a terminal that became narrower just before %s",
    (what) => {
      const { out, region, painter, show } = setUp();
      out.write("before\n");
      const leave = region.join(painter);
      show("x".repeat(39), "short", "y".repeat(25));
      out.resizeUnread(20);
      if (what === "a frame") show("narrow", "z".repeat(60));
      if (what === "a printed line") out.write("after\n");
      if (what === "its end") leave();
      const expected = { "a frame": ["narrow", "z".repeat(19)], "a printed line": ["after"] }[what] ?? [];
      expect(out.lines).toEqual(["before", ...expected]);
    },
  );

  it("is away while it is paused, however often it is painted, and comes back", () => {
    const { out, region, painter, show } = setUp();
    region.join(painter);
    show("region");
    const [goOn, goOnToo] = [region.pause(), region.pause()];
    out.write("Delete? ");
    show("region 2");
    region.print("stdout", "");
    expect(out.lines).toEqual(["Delete? "]);
    goOn();
    goOn();
    region.update();
    expect(out.lines).toEqual(["Delete? "]);
    goOnToo();
    region.update();
    expect(out.lines).toEqual(["Delete? ", "region 2"]);
  });

  it("shows what several runs paint, until the last one leaves", () => {
    const { out, region, painter, show } = setUp();
    const leave = region.join(painter);
    const leaveToo = region.join({ ...painter, paint: () => ["other"] });
    show("one");
    expect(out.lines).toEqual(["one", "other"]);
    leave();
    leave();
    expect(out.lines).toEqual(["other"]);
    leaveToo();
    expect(out.lines).toEqual([]);
  });

  it("knows how large the terminal is, and takes one that does not know it for a usual one", () => {
    const { out, region, painter, sizes } = setUp();
    out.columns = 0;
    out.rows = 0;
    region.join(painter);
    region.update();
    expect(sizes).toEqual([{ columns: 80, rows: 24 }]);
  });
});

describe("when it is gone", () => {
  it("everything is as it was: the streams' write, and listeners", () => {
    const { out, err, region, painter, show } = setUp();
    const own = Object.getOwnPropertyDescriptor(err, "write");
    const counts = () => [process.listenerCount("exit"), process.listenerCount("SIGCONT"), out.listeners];
    const before = counts();
    const leave = region.join(painter);
    show("region");
    expect(counts()).not.toEqual(before);
    leave();
    expect(counts()).toEqual(before);
    expect(Object.hasOwn(out, "write")).toBe(false);
    expect(Object.getOwnPropertyDescriptor(err, "write")).toEqual(own);
  });

  it("who has replaced a stream's write meanwhile keeps that, and what was replaced does its work", () => {
    const { out, region, painter, show } = setUp();
    const leave = region.join(painter);
    show("region");
    const ours = out.write;
    const theirs = (text: string): boolean => ours.call(out, `> ${text}`);
    out.write = theirs;
    leave();
    expect(out.write).toBe(theirs);
    out.write("text\n");
    expect(out.lines).toEqual(["> text"]);
  });
});
