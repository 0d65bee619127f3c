/**
 * The writes, as scripts: each changes values and their stage's index in one step, and does so once for each call,
 * however often the call arrives. It remembers its answer under the call's own key for a while; a copy of the call that
 * arrives later, be it a retry after a lost reply or one that was held up on its way, gets that answer and changes nothing.
 *
 * Keys: call, index, values. Arguments: how long to remember, in ms; "1" if the stage is registered for sure; the rest.
 * A script that ends early, say for want of a right, may leave a key too many in the index and never one too few.
 */
import { createHash } from "node:crypto";

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Answer of a script that has done nothing, for the stage is new and must be registered before its first key. */
export const STAGE_IS_NEW = "stage is new";

// That a copy writes something, too, makes a WAIT behind it wait for what the first one wrote.
const REPEATED = `
local said = redis.call('GET', KEYS[1])
if said then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return said
end`;

const NEW_STAGE = `ARGV[2] ~= '1' and redis.call('EXISTS', KEYS[2]) == 0`;

/** "1": created; "0": the key exists. */
export const createScript: Script = script(`${REPEATED}
local answer = '0'
if redis.call('EXISTS', KEYS[3]) == 0 then
  if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
  redis.call('ZADD', KEYS[2], 0, ARGV[3])
  redis.call('SET', KEYS[3], ARGV[4])
  answer = '1'
end
redis.call('SET', KEYS[1], answer, 'PX', ARGV[1])
return answer`);

export const setScript: Script = script(`${REPEATED}
if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return '1'`);

/** How many were there. A server that is out of memory cannot remember the answer and must be able to delete. */
export const deleteScript: Script = script(`${REPEATED}
local answer = 0
for n = 3, #KEYS do
  answer = answer + redis.call('DEL', KEYS[n])
  redis.call('ZREM', KEYS[2], ARGV[n])
end
redis.pcall('SET', KEYS[1], answer, 'PX', ARGV[1])
return tostring(answer)`);

function script(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}
