import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { Known, KnownOnRecord } from '../labels/known.ts';
import { reachesOut } from '../labels/label.ts';
import type { Taint } from '../labels/taint.ts';
import type { Call } from './call.ts';

/** What of a family's knowledge this process has on record, and what is on the way. */
interface Remembered {
  /** Undefined before it was read. */
  kept: Known | undefined;
  reading: Promise<Known> | undefined;
  adding: { readonly known: Known; readonly done: Promise<void> } | undefined;
}

const families = new WeakMap<Taint, Remembered>();

/**
 * Makes a call of a run's step with what its family knows on record. What it brings to know is there before anybody
 * gets its answer, so that no process goes on with the run and knows less. Calls side by side read it, and bring the
 * same there, once.
 * @throws where that can't be put on record: then the answer is not to be used
 */
export async function remembered(
  call: Call,
  record: KnownOnRecord,
  work: () => Promise<ToolCallResult>,
): Promise<ToolCallResult> {
  const family = call.memory.taintOf(call.caller.session);
  const of = families.get(family) ?? { kept: undefined, reading: undefined, adding: undefined };
  families.set(family, of);
  // Others of the family may be in another process: what reaches out looks again.
  if (reachesOut(call.tool) || call.tool.isConduit) family.learn(await read(of, record));
  else if (of.kept === undefined) family.learn(await readOnce(of, record));
  try {
    return await work();
  } finally {
    const { known } = family;
    if (!covers(of.kept, known)) await add(of, record, known);
  }
}

async function read(of: Remembered, record: KnownOnRecord): Promise<Known> {
  of.kept = await record.read();
  return of.kept;
}

function readOnce(of: Remembered, record: KnownOnRecord): Promise<Known> {
  of.reading ??= read(of, record).finally(() => {
    of.reading = undefined;
  });
  return of.reading;
}

async function add(of: Remembered, record: KnownOnRecord, known: Known): Promise<void> {
  if (of.adding === undefined || !covers(of.adding.known, known)) {
    const adding = { known, done: record.add(known) };
    const over = () => {
      if (of.adding === adding) of.adding = undefined;
    };
    of.adding = adding;
    adding.done.then(over, over);
  }
  await of.adding.done;
  if (!covers(of.kept, known)) of.kept = known;
}

/** Whether all that is known is among what is kept. */
function covers(kept: Known | undefined, { untrusted, private: secret }: Known): boolean {
  return (
    (untrusted === undefined || kept?.untrusted !== undefined) &&
    (secret === undefined || kept?.private !== undefined)
  );
}
