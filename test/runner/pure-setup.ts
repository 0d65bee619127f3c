/** Before each pure file: what an earlier one has left on the thread that they share. */
import { liveRoots, setLive } from "../../core/scope/current.js";

for (const root of [...liveRoots()]) setLive(root, false);
