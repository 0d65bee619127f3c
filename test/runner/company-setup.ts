/** Before each file that shares a thread or a process: what an earlier one has left there goes. */
import { liveRoots, setLive } from "../../core/contract/current.js";

for (const root of [...liveRoots()]) setLive(root, false);
