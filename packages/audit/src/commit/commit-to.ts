import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalPieces, isLarge } from '../chain/canonical-pieces.ts';
import { type Commitment, Committing, type Contents, type Opening } from './commitment.ts';

/** What an event says of its texts, and what opens that once the event has its number. */
export interface Committed {
  readonly commitments: Readonly<Record<string, Commitment>>;
  readonly openings: readonly Omit<Opening, 'seq'>[];
}

type Texts = Readonly<Record<string, unknown>>;

const NONE: Committed = { commitments: {}, openings: [] };

/**
 * Commits to the canonical JSON of each member. Large ones are written in pieces between which others have their turn.
 * @throws what can't be written as JSON
 */
export function commitTo(texts: Texts, contents: Contents): Committed | Promise<Committed> {
  if (contents === 'none') return NONE;
  const members = Object.entries(texts);
  if (isLarge(texts)) return inTurns(members, contents);
  const made = members.map(([member, value]) => {
    const writing = new Writing(member, contents);
    for (const piece of canonicalPieces(value)) writing.add(piece);
    return writing;
  });
  return together(made);
}

async function inTurns(members: readonly [string, unknown][], contents: Contents): Promise<Committed> {
  const made: Writing[] = [];
  for (const [member, value] of members) {
    const writing = new Writing(member, contents);
    for (const piece of canonicalPieces(value)) {
      writing.add(piece);
      await nextTurn();
    }
    made.push(writing);
  }
  return together(made);
}

class Writing {
  readonly member: string;
  readonly #committing = new Committing();
  readonly #kept: string[] | undefined;

  constructor(member: string, contents: Contents) {
    this.member = member;
    this.#kept = contents === 'full' ? [] : undefined;
  }

  add(piece: string): void {
    this.#committing.add(piece);
    this.#kept?.push(piece);
  }

  end() {
    const { commitment, salt } = this.#committing.end();
    const text = this.#kept?.join('');
    return { commitment, opening: { member: this.member, salt, ...(text === undefined ? {} : { text }) } };
  }
}

function together(made: readonly Writing[]): Committed {
  const ended = made.map((writing) => ({ member: writing.member, ...writing.end() }));
  return {
    commitments: Object.fromEntries(ended.map(({ member, commitment }) => [member, commitment])),
    openings: ended.map(({ opening }) => opening),
  };
}
