import { expect, test } from "vitest";
import { EventStreamReader } from "../../../plugins/ui/page/data/live-run.js";
import { cases, fc } from "../../helpers/checks/generated.js";

test("server-sent events are read the same, in whatever parts they arrive", () => {
  const text = fc.stringMatching(/^[\w :ü,"{}[\]]*$/);
  const sent = fc.array(fc.record({ id: fc.nat().map(String), data: text, isEnd: fc.boolean() }), { maxLength: 8 });
  fc.assert(
    fc.property(sent, fc.array(fc.nat(400)), (events, cuts) => {
      const stream = [
        "retry: 1000\n\n",
        ...events.flatMap(({ id, data, isEnd }) => [
          ": still here\n\n",
          `id: ${id}\n${isEnd ? "event: end\n" : ""}data: ${data}\n\n`,
        ]),
      ].join("");
      const reader = new EventStreamReader();
      const ends = [...new Set([...cuts.filter((cut) => cut < stream.length), stream.length])].sort((a, b) => a - b);
      const read = ends.flatMap((end, index) => reader.read(stream.slice(ends[index - 1] ?? 0, end)));
      expect(read).toEqual(events.map(({ id, data, isEnd }) => ({ event: isEnd ? "end" : "message", id, data })));
    }),
    { numRuns: cases(500) },
  );
});
