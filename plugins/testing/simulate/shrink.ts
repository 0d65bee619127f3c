/** Finds a smaller history that fails alike. */
import { CALM, type Chapter, type Deployer, type History } from "./history.js";

/** The most histories to try. */
const MOST = 80;

/**
 * Leaves out one thing at a time, as long as that can be done.
 *
 * @param fails whether a history still fails in the same way
 */
export async function shrink(history: History, fails: (smaller: History) => Promise<boolean>): Promise<History> {
  let smallest = history;
  let tried = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (++tried > MOST) return smallest;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The history without a chapter, a process, a blow, or a fault: what leaves out most comes first. */
function* smallerThan(history: History): Generator<History> {
  const { chapters } = history;
  const replaced = (at: number, chapter: Chapter): History => ({ ...history, chapters: chapters.with(at, chapter) });
  for (const at of chapters.keys()) yield { ...history, chapters: chapters.toSpliced(at, 1) };
  for (const [at, chapter] of chapters.entries()) {
    for (const smaller of smallerChapters(chapter)) yield replaced(at, smaller);
  }
  if (history.limits !== 0) yield { ...history, limits: 0 };
}

function* smallerChapters(chapter: Chapter): Generator<Chapter> {
  const { deployers } = chapter;
  if (deployers.length > 1) {
    for (const at of deployers.keys()) yield { ...chapter, deployers: deployers.toSpliced(at, 1) };
  }
  if (chapter.storeFaults > 0) yield { ...chapter, storeFaults: 0 };
  if (chapter.outage) yield { ...chapter, outage: undefined };
  for (const [at, deployer] of deployers.entries()) {
    for (const smaller of smallerDeployers(deployer)) yield { ...chapter, deployers: deployers.with(at, smaller) };
  }
}

function* smallerDeployers(deployer: Deployer): Generator<Deployer> {
  const { blows, lost, delay, concurrency } = deployer;
  for (const at of blows.keys()) yield { ...deployer, blows: blows.toSpliced(at, 1) };
  if (lost > 0) yield { ...deployer, lost: 0 };
  if (delay > 0) yield { ...deployer, delay: 0 };
  if (concurrency !== CALM.concurrency) yield { ...deployer, concurrency: CALM.concurrency };
}
