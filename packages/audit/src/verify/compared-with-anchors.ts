import type { Anchor, AnchoredNote } from '../anchors/anchor.ts';
import { originOf, parseCheckpoint, type ReadCheckpoint } from '../checkpoint/checkpoint.ts';
import { isKeyOf, isSignedBy, nameOf, parseVerifier, type Verifier } from '../checkpoint/signed-note.ts';
import type { Fault } from './fault.ts';
import type { Checkpoints } from './read-checkpoints.ts';
import type { TrailEvents } from './trail-events.ts';

interface Trail {
  readonly project: string;
  readonly checkpoints: Checkpoints;
  readonly events: TrailEvents;
  readonly verifier: Verifier | undefined;
}

export interface AnchorBehind {
  readonly anchor: string;
  readonly why: string;
}

/** The newest checkpoint of the trail that an anchor has. */
export interface AnchorAt {
  readonly anchor: string;
  readonly number: number;
  readonly at: string;
}

interface Compared {
  readonly faults: readonly Fault[];
  readonly anchors: readonly AnchorAt[];
  /** Anchors that do not have what was brought to them, each with why. */
  readonly behind: readonly AnchorBehind[];
}

/** Holds what each anchor has against the trail, both ways. */
export async function comparedWithAnchors(anchors: readonly Anchor[], trail: Trail): Promise<Compared> {
  const faults: Fault[] = [];
  const origin = originOf(trail.project);
  const behind: AnchorBehind[] = [];
  const reached: AnchorAt[] = [];
  for (const anchor of anchors) {
    const all = await rowsAt(anchor);
    if (typeof all === 'string') {
      // What can't be asked says nothing of the trail.
      behind.push({ anchor: anchor.name, why: all });
      continue;
    }
    faults.push(...witnessFaults(all, anchor.name, trail.events));
    const rows = all.filter(({ note }) => (parsed(note)?.origin ?? origin) === origin);
    const last = rows.length === 0 ? undefined : parsed(rows.at(-1)?.note ?? '');
    const own = rows.flatMap((row) => rowFaults(row, anchor.name, trail));
    const has = new Set(rows.map(({ note }) => parsed(note)?.number));
    const gone = trail.events.anchoredAt(anchor.name).filter((number) => !has.has(number));
    if (gone.length > 0) {
      const what = `of the checkpoints that were anchored here ${gone.length} are gone, the newest of them ${gone.at(-1)}`;
      own.push({ kind: 'anchor_rewound', where: anchor.name, what });
    }
    // Whose key it is says nothing of what is there.
    const why = own.find(({ kind }) => kind !== 'key_replaced')?.what ?? lagOf(last, trail);
    if (why !== undefined) behind.push({ anchor: anchor.name, why });
    if (last) reached.push({ anchor: anchor.name, number: last.number, at: last.at });
    faults.push(...own);
  }
  return { faults: oncePerKind(faults), anchors: reached, behind };
}

/** What it lacks of the checkpoints that were to be brought there. */
function lagOf(last: ReadCheckpoint | undefined, { events }: Trail): string | undefined {
  if (last === undefined) return 'it has no checkpoint of this trail';
  const newest = events.newestCheckpoint;
  return last.number < newest ? `it lacks the newest checkpoint, which is ${newest}` : undefined;
}

/** What stands there, of other trails too, which may share it; what the place says where it can't be read. */
async function rowsAt(anchor: Anchor): Promise<readonly AnchoredNote[] | string> {
  try {
    return await anchor.read();
  } catch (error) {
    return `it can’t be read: ${(error as Error).message}`;
  }
}

/** What this trail saw of others there, and is not there any more. */
function witnessFaults(rows: readonly AnchoredNote[], where: string, { witnessed }: TrailEvents): Fault[] {
  const seen = witnessed.filter(({ anchor }) => anchor === where);
  if (seen.length === 0) return [];
  const there = new Map(
    rows.flatMap(({ note }) => {
      const found = parsed(note);
      return found ? [[`${found.origin} ${found.number}`, found.hash] as const] : [];
    }),
  );
  return seen.flatMap(({ origin, number, hash, by }): Fault[] => {
    const stands = there.get(`${origin} ${number}`);
    if (stands === hash) return [];
    const now = stands === undefined ? 'is gone' : 'is another one';
    const what = `checkpoint ${number} of ${origin}, which ${by} saw here, ${now}`;
    return [{ kind: 'anchor_rewound', where, what }];
  });
}

function rowFaults(
  { note, verifier: key }: AnchoredNote,
  where: string,
  { checkpoints, verifier }: Trail,
): Fault[] {
  const anchored = parsed(note);
  if (!anchored) return [{ kind: 'unreadable', where, what: 'it holds something that is no checkpoint' }];
  const { number } = anchored;
  const told = verifierOrNone(key);
  if (verifier && told && !isKeyOf(verifier, told)) {
    const what = `checkpoint ${number} was anchored as signed by ${nameOf(told)}, and the key is ${nameOf(verifier)}`;
    return [{ kind: 'key_replaced', where, what }];
  }
  if (verifier && !isSignedBy(anchored.note, verifier)) {
    return [
      { kind: 'edited', where, what: `checkpoint ${number} there has no signature of ${nameOf(verifier)}` },
    ];
  }
  const kept = checkpoints.byNumber.get(number);
  if (!kept && number > (checkpoints.last?.number ?? 0)) {
    const what = `it has checkpoint ${number} of ${anchored.at}; the trail knows ${checkpoints.last?.number ?? 'none'}`;
    return [{ kind: 'rolled_back', where, what }];
  }
  if (kept?.hash === anchored.hash) return [];
  return [
    { kind: 'edited', where, what: `checkpoint ${number} of the trail is not the one that was anchored` },
  ];
}

/** Of many rows that say the same, the newest says most. */
function oncePerKind(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.kind} ${fault.where}`, fault])).values()];
}

function parsed(note: string): ReadCheckpoint | undefined {
  try {
    return parseCheckpoint(note);
  } catch {
    return undefined;
  }
}

function verifierOrNone(text: string): Verifier | undefined {
  try {
    return parseVerifier(text);
  } catch {
    return undefined;
  }
}
