import { NO_EVENT } from '../chain/event.ts';
import type { Head } from '../chain/open-writer.ts';
import { originOf, parseCheckpoint, type ReadCheckpoint, rootOf } from '../checkpoint/checkpoint.ts';
import { keptCheckpoints } from '../checkpoint/kept-checkpoints.ts';
import { isKeyOf, isSignedBy, nameOf, type Verifier } from '../checkpoint/signed-note.ts';
import type { Fault } from './fault.ts';

/** Checkpoints, from one number to another, that say they are signed by one key. */
export interface SignedStretch {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface Checkpoints {
  /** Those that can be read, by number. */
  readonly byNumber: ReadonlyMap<number, ReadCheckpoint>;
  readonly last: ReadCheckpoint | undefined;
  /** Which key each stretch of them says that it is signed by, in their order. */
  readonly signedBy: readonly SignedStretch[];
  readonly faults: readonly Fault[];
}

/** Reads a trail's checkpoints, and holds each against its signature, its root and the one before. */
export function readCheckpoints(trail: string, project: string, verifier: Verifier | undefined): Checkpoints {
  const faults: Fault[] = [];
  const byNumber = new Map<number, ReadCheckpoint>();
  const heads = new Map<string, Head>();
  let newest: { readonly file: string; readonly root: string } | undefined;
  let before: ReadCheckpoint | undefined;
  const signedBy: { key: string; from: number; to: number }[] = [];
  for (const { file, note } of keptCheckpoints(trail)) {
    const add = (kind: Fault['kind'], what: string) => faults.push({ kind, where: file, what });
    let checkpoint: ReadCheckpoint;
    try {
      checkpoint = parseCheckpoint(note);
    } catch (error) {
      add('unreadable', (error as Error).message);
      continue;
    }
    const { number, prev, origin, root, size } = checkpoint;
    if (origin !== originOf(project)) add('foreign', `the checkpoint is one of ${origin}`);
    if (verifier && !isSignedBy(checkpoint.note, verifier)) {
      const { signatures } = checkpoint.note;
      const ids = signatures.map(nameOf).join(', ');
      if (signatures.some((each) => isKeyOf(verifier, each))) {
        add('edited', 'its signature is not one of these words');
      } else add('key_replaced', `it is signed by ${ids}, and the key is ${nameOf(verifier)}`);
    }
    const expected = (before?.number ?? 0) + 1;
    if (number > expected) add('deleted', `checkpoints ${expected} to ${number - 1} are missing`);
    else if (number < expected) add('inserted', `checkpoint ${number} stands after ${expected - 1}`);
    else if (prev !== (before?.hash ?? NO_EVENT)) {
      add('edited', `checkpoint ${number} follows another than the one before it`);
    }
    for (const head of checkpoint.changed) heads.set(head.writer, head);
    if (number === expected && heads.size !== size) add('edited', 'it does not have the heads up to it');
    newest = { file, root };
    byNumber.set(number, checkpoint);
    const [key = ''] = checkpoint.note.signatures.map(nameOf);
    const stretch = signedBy.at(-1);
    if (stretch?.key === key) stretch.to = number;
    else signedBy.push({ key, from: number, to: number });
    before = checkpoint;
  }
  // Those before it are held by their signatures and hashes; to make each tree would take a long trail minutes.
  if (newest && faults.length === 0 && rootOf(heads) !== newest.root) {
    faults.push({ kind: 'edited', where: newest.file, what: 'its root is not that of the heads up to it' });
  }
  return { byNumber, last: before, signedBy, faults };
}
