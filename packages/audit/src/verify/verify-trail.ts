import type { Anchor } from '../anchors/anchor.ts';
import type { ChainLine } from '../chain/event.ts';
import type { Head } from '../chain/open-writer.ts';
import { beginNoteOf, isAlive, writersOf } from '../chain/places.ts';
import { checkpointFiles } from '../checkpoint/kept-checkpoints.ts';
import { nameOf, parseVerifier, type Verifier } from '../checkpoint/signed-note.ts';
import { statementFault } from '../checkpoint/statements.ts';
import { type AnchorAt, type AnchorBehind, comparedWithAnchors } from './compared-with-anchors.ts';
import type { Fault } from './fault.ts';
import { Commitments, lostFault } from './openings.ts';
import { readCheckpoints, type SignedStretch } from './read-checkpoints.ts';
import { type OpenIntent, TrailEvents } from './trail-events.ts';
import { type Walked, walkChain } from './walk-chain.ts';

export interface VerifyParts {
  readonly trail: string;
  readonly project: string;
  /** The verifier key that its checkpoints are to be signed by; without one nothing that is signed holds. */
  readonly key?: string | undefined;
  /** Other keys of its owner: what they signed holds, too. */
  readonly otherKeys?: readonly string[];
  readonly anchors: readonly Anchor[];
}

export interface Verification {
  /** Nothing is other than it was written, as far as chains, checkpoints and anchors reach. */
  readonly unaltered: boolean;
  /** No event is missing, and each call that was begun has an outcome, if only that its process ended. */
  readonly complete: boolean;
  /** Every anchor has the newest checkpoint; undefined where nothing is anchored, or nothing was to be yet. */
  readonly fresh: boolean | undefined;
  /** What each anchor has of it that can be read. */
  readonly anchors: readonly AnchorAt[];
  /** Anchors that do not have it. */
  readonly behind: readonly AnchorBehind[];
  readonly faults: readonly Fault[];
  readonly open: readonly OpenIntent[];
  /** Calls that run now, in processes that live. */
  readonly running: number;
  /** Events that could not be written, as the chains say; where the config lets calls go on without. */
  readonly missed: number;
  /** Calls whose process ended before they did. */
  readonly interrupted: number;
  readonly writers: number;
  readonly events: number;
  readonly checkpoints: number;
  readonly signedBy: readonly SignedStretch[];
  /** How many events the newest checkpoint does not cover. */
  readonly afterLastCheckpoint: number;
}

/** A trail on which others go on is read again so often. */
const MAX_TRIES = 3;

const MISSING: readonly Fault['kind'][] = ['deleted', 'cut', 'regrown', 'rolled_back'];

/**
 * Reads the whole trail, and says what holds. What it can't know: an event at the end of a chain that was cut after the
 * newest checkpoint, and a trail that was written anew together with its key and all of its anchors.
 * @throws {Error} where `key` is no verifier key, or an anchor can't be read
 */
export async function verifyTrail(parts: VerifyParts): Promise<Verification> {
  for (let more = MAX_TRIES; ; more--) {
    const before = standOf(parts.trail);
    const found = await verifyOnce(parts).catch((error: unknown) => {
      // A chain that was kept for as long as stated may go while it is read.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || more === 0) throw error;
      return undefined;
    });
    // What does not fit may be what was written meanwhile.
    if (found && (found.faults.length === 0 || more === 0 || standOf(parts.trail) === before)) return found;
  }
}

/** Which chains and checkpoints there are. */
function standOf(trail: string): string {
  return [...writersOf(trail).map(({ id }) => id), ...checkpointFiles(trail)].join();
}

async function verifyOnce({
  trail,
  project,
  key,
  otherKeys = [],
  anchors,
}: VerifyParts): Promise<Verification> {
  const verifier =
    key === undefined ? undefined : { ...parseVerifier(key), others: otherKeys.map(parseVerifier) };
  const checkpoints = readCheckpoints(trail, project, verifier);
  const events = new TrailEvents(project, verifier);
  const walked: Walked[] = [];
  // The events that are named elsewhere, by writer and number.
  const named = new Map<string, Map<number, string>>();
  for (const { changed } of checkpoints.byNumber.values()) for (const head of changed) note(named, head);
  const found = new Map<string, Map<number, string>>();
  const lost: { readonly folder: string; readonly count: number; readonly newest: string }[] = [];
  const invented: Fault[] = [];
  for (const { id, folder } of writersOf(trail)) {
    const wanted = named.get(id);
    const commitments = new Commitments(folder);
    // One that a checkpoint names was known to who has the key; it may be of a release that wrote no notes.
    let counts = verifier === undefined || wanted !== undefined;
    const seen = (line: ChainLine) => {
      if (line.seq === 0 && verifier) counts ||= isIntroduced(folder, line, { project, verifier });
      // What somebody made up says nothing of others.
      if (counts) events.add(line);
      commitments.add(line);
      if (wanted?.has(line.seq)) note(found, { ...line, first: '' });
    };
    const chain = await walkChain({ id, folder, project, seen });
    walked.push(chain);
    lost.push({ folder, ...commitments.lost() });
    const made = verifier && !wanted && introductionFault(chain, { project, verifier });
    if (made) invented.push(made);
  }
  const faults = [...checkpoints.faults, ...forksAmong(walked)];
  const byWriter = new Map(walked.map((each) => [each.writer, each]));
  const heads = new Map<string, Head & { readonly by: string }>();
  for (const { number, changed } of checkpoints.byNumber.values()) {
    for (const head of changed) {
      const by = `checkpoint ${number}`;
      heads.set(head.writer, { ...head, by });
      const fault = headFault({ ...head, by }, byWriter.get(head.writer), found, events);
      if (fault && !faults.some(({ where, kind }) => where === fault.where && kind === fault.kind))
        faults.push(fault);
    }
  }
  for (const { writer, folder, last } of walked) {
    const end = Math.min(
      events.ended.get(writer) ?? Number.POSITIVE_INFINITY,
      events.closed.get(writer)?.seq ?? Number.POSITIVE_INFINITY,
    );
    if ((last?.seq ?? -1) <= end || faults.some(({ where }) => where.startsWith(folder))) continue;
    faults.push({ kind: 'inserted', where: folder, what: `it ended with event ${end}, and goes on` });
  }
  for (const { writer, seq, hash } of events.closed.values()) {
    const at = byWriter.get(writer);
    const isShort = at && (at.last?.seq ?? -1) < seq;
    const isKnown = faults.some(({ where }) => where === at?.folder);
    if (isShort && !isKnown) {
      faults.push({
        kind: 'cut',
        where: at.folder,
        what: `it ended with event ${seq} (${hash.slice(0, 12)}…)`,
      });
    }
  }
  if (
    !verifier &&
    (checkpoints.byNumber.size > 0 || writersOf(trail).some(({ folder }) => beginNoteOf(folder)))
  ) {
    const what = 'it is signed, and the key is not there: nobody can tell who wrote it';
    faults.push({ kind: 'unsigned', where: trail, what });
  }
  faults.push(...events.checkpointFaults(checkpoints.byNumber, verifier));
  const anchored = await comparedWithAnchors(anchors, { project, checkpoints, events, verifier });
  faults.push(...anchored.faults);
  faults.push(...lost.flatMap((each) => lostFault(each.folder, each, events.erasedUpTo) ?? []));
  // Where more is wrong with a chain, that says what was done to it.
  faults.push(...invented.filter(({ where }) => !faults.some((fault) => fault.where.startsWith(where))));

  const lives = new Map<string, boolean>();
  for (const { writer, folder } of walked) lives.set(writer, await isAlive(folder));
  const left = events.open();
  const running = left.filter(({ writer }) => lives.get(writer));
  // Of a process that is dead and that nobody has closed yet, what it left is known all the same.
  const isEnded = (writer: string) => events.ended.has(writer) || events.closed.has(writer);
  const ended = left.filter(({ writer }) => !lives.get(writer));
  const open = ended.filter(({ writer }) => isEnded(writer));
  const total = walked.reduce((sum, each) => sum + each.events, 0);
  const covered = walked.reduce(
    (sum, each) => sum + Math.min((heads.get(each.writer)?.seq ?? -1) + 1, each.events),
    0,
  );
  const isNew = checkpoints.byNumber.size === 0 && faults.length === 0 && anchored.anchors.length === 0;
  return {
    unaltered: faults.length === 0,
    complete: open.length === 0 && events.missed === 0 && !faults.some(({ kind }) => MISSING.includes(kind)),
    // A trail that has just begun has nothing to be brought anywhere.
    fresh: anchors.length === 0 || isNew ? undefined : anchored.behind.length === 0,
    anchors: anchored.anchors,
    behind: anchored.behind,
    faults,
    open,
    running: running.length,
    missed: events.missed,
    interrupted: events.interrupted + ended.length - open.length,
    writers: walked.length,
    events: total,
    checkpoints: checkpoints.byNumber.size,
    signedBy: checkpoints.signedBy,
    afterLastCheckpoint: total - covered,
  };
}

function isIntroduced(
  folder: string,
  { writer, hash }: ChainLine,
  { project, verifier }: { readonly project: string; readonly verifier: Verifier },
): boolean {
  const statement = { about: 'begin', writer, first: hash } as const;
  return statementFault(project, statement, { note: beginNoteOf(folder) ?? '', verifier }) === undefined;
}

/** A chain of more than its first event is introduced by a note under the key, or somebody made it up. */
function introductionFault(
  { writer, folder, first, last }: Walked,
  { project, verifier }: { readonly project: string; readonly verifier: Verifier },
): Fault | undefined {
  if (first === undefined || (last?.seq ?? 0) === 0) return undefined;
  const text = beginNoteOf(folder);
  const statement = { about: 'begin', writer, first } as const;
  const wrong =
    text === undefined ? 'unsigned' : statementFault(project, statement, { note: text, verifier });
  if (wrong === undefined) return undefined;
  const what =
    wrong === 'unsigned'
      ? `nothing under the key ${nameOf(verifier)} says that this chain was begun: somebody may have made it up`
      : `that this chain was begun is signed by another key than ${nameOf(verifier)}`;
  return { kind: wrong === 'unsigned' ? 'unsigned' : 'key_replaced', where: folder, what };
}

function note(into: Map<string, Map<number, string>>, { writer, seq, hash }: Head | ChainLine): void {
  const of = into.get(writer) ?? new Map<number, string>();
  into.set(writer, of.set(seq, hash));
}

/** A chain in a folder of another name: of a writer that has its own, with the same beginning, it is a second branch. */
function forksAmong(walked: readonly Walked[]): Fault[] {
  return walked.flatMap(({ folder, named, first, faults }) => {
    const own = named === undefined ? undefined : walked.find(({ writer }) => writer === named);
    if (!own || own.first === undefined || own.first !== first) return faults;
    const rest = faults.filter(({ kind }) => kind !== 'swapped');
    return [
      ...rest,
      { kind: 'forked', where: folder, what: `it goes on with the chain of ${named}, which has its own` },
    ];
  });
}

function headFault(
  { writer, first, seq, hash, by }: Head & { readonly by: string },
  chain: Walked | undefined,
  found: ReadonlyMap<string, ReadonlyMap<number, string>>,
  events: TrailEvents,
): Fault | undefined {
  if (!chain) {
    if (events.retired.has(writer)) return undefined;
    return {
      kind: 'deleted',
      where: `writer ${writer}`,
      what: `${by} knows ${seq === 0 ? '1 event' : `${seq + 1} events`} of it; its chain is gone`,
    };
  }
  const where = chain.folder;
  if (chain.first !== undefined && chain.first !== first) {
    return { kind: 'regrown', where, what: `${by} knows a chain that began otherwise` };
  }
  if ((chain.last?.seq ?? -1) < seq) {
    const kind = chain.events === 0 ? 'regrown' : 'cut';
    return { kind, where, what: `${by} knows event ${seq}; it ends with ${chain.last?.seq ?? 'nothing'}` };
  }
  const stands = found.get(writer)?.get(seq);
  if (stands === undefined || stands === hash) return undefined;
  return {
    kind: 'edited',
    where,
    what: `event ${seq} is not the one that ${by} knows: the chain was written anew`,
  };
}
