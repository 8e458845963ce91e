import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { Known, KnownOnRecord } from '../labels/known.ts';
import { reachesOut } from '../labels/label.ts';
import type { Taint } from '../labels/taint.ts';
import type { Call } from './call.ts';

/** What of a family's knowledge this process has read on record, or put there. */
const onRecord = new WeakMap<Taint, Known>();

/**
 * Makes a call of a run's step with what its family knows on record. What it brings to know is there before anybody
 * gets its answer, so that no process goes on with the run and knows less.
 * @throws where that can't be put on record: then the answer is not to be used
 */
export async function remembered(
  call: Call,
  record: KnownOnRecord,
  work: () => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  const family = call.memory.taintOf(call.caller.session);
  // Others of the family may be in another process: what reaches out looks again.
  if (!onRecord.has(family) || reachesOut(call.tool) || call.tool.isConduit) {
    const known = await record.read();
    onRecord.set(family, known);
    family.learn(known);
  }
  try {
    return await work();
  } finally {
    const { untrusted, private: secret } = family.known;
    const kept = onRecord.get(family);
    const isNew =
      (untrusted !== undefined && kept?.untrusted === undefined) ||
      (secret !== undefined && kept?.private === undefined);
    if (isNew) {
      await record.add({ untrusted, private: secret });
      onRecord.set(family, { untrusted, private: secret });
    }
  }
}
