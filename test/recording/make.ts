/** From a run to the picture of it. */
import { openDesk } from "./desk.ts";
import { filmOf } from "./film.ts";
import { pictureOf } from "./picture.ts";
import { type Recording, record } from "./record.ts";
import { SIZE } from "./screenplay.ts";
import { descriptionOf } from "./words.ts";

/** @param packages the folder `node_modules` in which the package was installed */
export async function makeRecording(packages: string): Promise<Recording> {
  const desk = await openDesk(packages);
  try {
    return await record(desk);
  } finally {
    await desk.remove();
  }
}

export function draw(recording: Recording): string {
  const words = { title: "scope-engine in a terminal", description: descriptionOf(recording) };
  return pictureOf(filmOf(recording), SIZE, words);
}
