import { describe, expect, it } from "vitest";
import { read } from "../house/project.ts";
import { descriptionIn, isPassing, rowsIn } from "./words.ts";

const picture = read("docs/terminal.svg");
const described = descriptionIn(picture)
  .split("\n")
  .map((line) => line.trim());

describe("docs/terminal.svg", () => {
  it("is below 60 kB, runs nothing, and asks for nothing", () => {
    expect(picture.length).toBeLessThan(60_000);
    expect(picture).not.toMatch(/<script|<foreignObject|<image|\bon\w+=|@import|@font-face/i);
    const addresses = [...picture.matchAll(/(?:href="|url\(|xmlns=")([^")]+)/g)].map(([, address]) => address);
    expect(new Set(addresses)).toEqual(
      new Set(["http://www.w3.org/2000/svg", "url(#window)"].map((one) => one.replace(/^url\((.*)\)$/, "$1"))),
    );
  });

  it("says in its description all that it shows, but for what is at work", () => {
    const rows = [...rowsIn(picture)];
    expect(rows).toContain("[1]+  Killed                  npx engine up");
    const left = rows.filter((row) => !described.includes(row) && !isPassing(row));
    // The prompt, before a command was typed.
    expect(left).toEqual(["~/shop $"]);
  });

  it("shows the program of docs/examples/shop", () => {
    const program = read("docs/examples/shop/engine.run.ts").trimEnd();
    expect(descriptionIn(picture)).toContain(`\n~/shop $ cat engine.run.ts\n${program}\n~/shop $ `);
  });

  it("stands still where motion is not wanted", () => {
    const [before = "", after = ""] = picture.split("@media (prefers-reduced-motion:no-preference){");
    expect(before).not.toMatch(/animation|@keyframes/);
    expect(after).toMatch(/animation/);
  });
});
