import type { ChainLine } from '../chain/event.ts';
import type { ReadCheckpoint } from '../checkpoint/checkpoint.ts';
import { keysOf, nameOf, type Verifier } from '../checkpoint/signed-note.ts';
import { statementFault } from '../checkpoint/statements.ts';
import type { Fault } from './fault.ts';

/** A call that was begun and has no outcome on record. */
export interface OpenIntent {
  readonly writer: string;
  readonly seq: number;
  readonly tool: string;
}

interface Told {
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
}

interface ToldCheckpoint {
  readonly hash: string;
  readonly key: string;
  readonly anchored: readonly string[];
  /** Who says so. */
  readonly by: string;
}

/** A checkpoint of another trail, as a chain of this one saw it at an anchor. */
export interface Witnessed {
  readonly anchor: string;
  readonly origin: string;
  readonly number: number;
  readonly hash: string;
  /** Who says so. */
  readonly by: string;
}

/** What the events of all chains say of each other. */
export class TrailEvents {
  /** Writers that ended without a word, as another found them. */
  readonly closed = new Map<string, Told>();
  /** Writers that said themselves that they end, with the number of that event. */
  readonly ended = new Map<string, number>();
  /** Writers whose chains are no longer kept. */
  readonly retired = new Set<string>();
  /** Up to when what opens commitments was erased, ISO 8601. */
  erasedUpTo = '';
  /** Events that could not be written. */
  missed = 0;
  readonly witnessed: Witnessed[] = [];
  readonly #intents = new Map<string, OpenIntent>();
  readonly #interrupted = new Set<string>();
  readonly #checkpoints = new Map<number, ToldCheckpoint[]>();
  readonly #project: string;
  readonly #verifier: Verifier | undefined;

  constructor(project: string, verifier: Verifier | undefined) {
    this.#project = project;
    this.#verifier = verifier;
  }

  add({ kind, writer, seq, at, data }: ChainLine): void {
    if (kind === 'writer.end') this.ended.set(writer, seq);
    if (kind === 'call.intent') {
      this.#intents.set(`${writer} ${seq}`, { writer, seq, tool: String(data.tool) });
    } else if (kind === 'call.outcome') {
      this.#intents.delete(`${writer} ${String(data.intent)}`);
    } else if (kind === 'writer.closed') {
      const { writer: dead, seq: last, hash, open } = data as Partial<Told & { open: unknown }>;
      if (typeof dead !== 'string' || typeof last !== 'number' || typeof hash !== 'string') return;
      this.closed.set(dead, { writer: dead, seq: last, hash });
      for (const intent of Array.isArray(open) ? open : []) this.#interrupted.add(`${dead} ${intent}`);
    } else if (kind === 'writer.end' && Array.isArray(data.open)) {
      for (const intent of data.open) this.#interrupted.add(`${writer} ${intent}`);
    } else if (kind === 'writer.retired') {
      if (this.#isRetired(data)) this.retired.add(String(data.writer));
    } else if (kind === 'contents.erased') {
      // It excuses nothing that came after it.
      const upTo = typeof data.before === 'string' && data.before < at ? data.before : at;
      if (upTo > this.erasedUpTo) this.erasedUpTo = upTo;
    } else if (kind === 'events.missed') {
      this.missed += typeof data.count === 'number' && data.count > 0 ? data.count : 1;
    } else if (kind === 'checkpoint.witnessed') {
      const { anchor, origin, number, hash } = data as Partial<Witnessed>;
      if (typeof anchor !== 'string' || typeof origin !== 'string') return;
      if (typeof number !== 'number' || typeof hash !== 'string') return;
      this.witnessed.push({ anchor, origin, number, hash, by: `event ${seq} of writer ${writer}` });
    } else if (kind === 'checkpoint') {
      const { number, hash, key, anchored } = data as Partial<ToldCheckpoint & { number: number }>;
      if (typeof number !== 'number' || typeof hash !== 'string' || typeof key !== 'string') return;
      if (!Array.isArray(anchored)) return;
      const told = this.#checkpoints.get(number) ?? [];
      this.#checkpoints.set(number, [
        ...told,
        { hash, key, anchored, by: `event ${seq} of writer ${writer}` },
      ]);
    }
  }

  /** Whether it says so under the key; without the key nobody can tell. */
  #isRetired({ writer, seq, hash, note }: ChainLine['data']): boolean {
    if (!this.#verifier) return true;
    if (typeof writer !== 'string' || typeof seq !== 'number') return false;
    if (typeof hash !== 'string' || typeof note !== 'string') return false;
    const statement = { about: 'retired', writer, seq, hash } as const;
    return statementFault(this.#project, statement, { note, verifier: this.#verifier }) === undefined;
  }

  /** Of a writer in chronological order of its chain; whatever order writers were read in. */
  open(): OpenIntent[] {
    return [...this.#intents].filter(([id]) => !this.#interrupted.has(id)).map(([, intent]) => intent);
  }

  get interrupted(): number {
    return [...this.#interrupted].filter((id) => this.#intents.has(id)).length;
  }

  /** The numbers of the checkpoints that were anchored there, as the chains say, in their order. */
  anchoredAt(anchor: string): number[] {
    return [...this.#checkpoints]
      .filter(([, told]) => told.some(({ anchored }) => anchored.includes(anchor)))
      .map(([number]) => number)
      .sort((one, other) => one - other);
  }

  /** The newest checkpoint that was brought to the anchors, or could not be; 0 where there is none. */
  get newestCheckpoint(): number {
    return Math.max(0, ...this.#checkpoints.keys());
  }

  /** What the chains say of checkpoints and the checkpoints do not. */
  checkpointFaults(kept: ReadonlyMap<number, ReadCheckpoint>, verifier: Verifier | undefined): Fault[] {
    return [...this.#checkpoints].flatMap(([number, tellers]) =>
      tellers.flatMap(({ hash, key, by }): Fault[] => {
        const where = `checkpoint ${number}`;
        if (verifier && !keysOf(verifier).some(({ text }) => text === key)) {
          const what = `${by} says it was signed by ${shortKey(key)}, and the key is ${nameOf(verifier)}`;
          return [{ kind: 'key_replaced', where, what }];
        }
        const found = kept.get(number);
        if (!found) return [{ kind: 'deleted', where, what: `${by} tells of it; it is not there` }];
        if (found.hash === hash) return [];
        return [{ kind: 'edited', where, what: `it is not the one that ${by} tells of` }];
      }),
    );
  }
}

/** Of a key as it is told, its name and id. */
function shortKey(key: string): string {
  return key.split('+').slice(0, 2).join('+').slice(0, 100);
}
