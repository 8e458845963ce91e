import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChainLine, lineOf, NO_EVENT } from '../chain/event.ts';
import { segmentName } from '../chain/places.ts';
import { type Walked, walkChain } from './walk-chain.ts';

type Words = Omit<ChainLine, 'hash'>;
interface Made {
  readonly text: string;
  readonly hash: string;
}

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function event(seq: number, prev: string, change: Partial<Words> = {}): Made {
  const kind = seq === 0 ? 'writer.begin' : 'call.intent';
  return lineOf({ v: 1, writer: 'w', project: 'p', seq, at: 'now', prev, kind, data: {}, ...change });
}

/** A whole chain from `from` on, in which each line has what `change` says of it. */
function chain(length: number, change: (seq: number) => Partial<Words> = () => ({})): Made[] {
  const lines: Made[] = [];
  for (let seq = 0; seq < length; seq += 1)
    lines.push(event(seq, lines.at(-1)?.hash ?? NO_EVENT, change(seq)));
  return lines;
}

const textsOf = (lines: readonly Made[]) => lines.map(({ text }) => text);
const whole = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

interface Seen extends Omit<Walked, 'faults'> {
  /** Kind, place and words, with the files by their numbers. */
  readonly faults: readonly string[];
  readonly seen: readonly string[];
}

/** What is found of files with these contents. */
async function walk(...contents: string[]): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-walk-'));
  made.push(folder);
  for (const [index, content] of contents.entries()) {
    writeFileSync(join(folder, segmentName(index + 1)), content);
  }
  const short = (place: string) => place.replace(`${folder}/00000`, '').replace('.jsonl', '');
  const seen: string[] = [];
  const { faults, ...walked } = await walkChain({
    id: 'w',
    folder,
    project: 'p',
    seen: ({ seq }, place) => void seen.push(`${seq} ${short(place)}`),
  });
  return {
    ...walked,
    seen,
    faults: faults.map(({ kind, where, what }) => `${kind} ${short(where)} ${what}`),
  };
}
const walkLines = (lines: readonly Made[]) => walk(whole(textsOf(lines)));

it('a chain over two files is one, and each of its events is told with its place', async () => {
  const lines = chain(4);
  const [one, two] = [lines.slice(0, 3), lines.slice(3)].map((part) => whole(textsOf(part)));
  const { folder: _, ...found } = await walk(one as string, two as string);
  expect(found).toEqual({
    writer: 'w',
    events: 4,
    first: lines[0]?.hash,
    last: { seq: 3, hash: lines[3]?.hash },
    named: undefined,
    faults: [],
    seen: ['0 1:1', '1 1:2', '2 1:3', '3 2:1'],
  });
});

it('where nothing is there is no first, no last and no fault', async () => {
  const nothing = { events: 0, first: undefined, last: undefined, faults: [] };
  expect(await walk()).toMatchObject(nothing);
  expect(await walk('')).toMatchObject(nothing);
});

describe('what its writer was ended within', () => {
  it('is no fault at the end of the last file, and no event', async () => {
    const lines = textsOf(chain(3));
    expect(await walk(whole(lines.slice(0, 2)) + lines[2])).toMatchObject({ events: 2, faults: [] });
    expect(await walk(whole(lines.slice(0, 2)) + lines[2]?.slice(0, 9))).toMatchObject({ faults: [] });
  });

  it('is one at the end of another file', async () => {
    const lines = textsOf(chain(3));
    const found = await walk(whole(lines.slice(0, 1)) + lines[1]?.slice(0, 9), whole(lines.slice(2)));
    expect(found.faults).toEqual(['edited 1:2 not a line of a chain, where event 1 should stand']);
  });
});

describe('events of others', () => {
  it('of another project are told once a file', async () => {
    const lines = textsOf(chain(4, () => ({ project: 'q' })));
    expect((await walk(whole(lines.slice(0, 2)), whole(lines.slice(2)))).faults).toEqual([
      'foreign 1:1 the event is one of project "q"',
      'foreign 2:1 the event is one of project "q"',
    ]);
  });

  it('of another writer are told once a file, with who it is', async () => {
    const lines = chain(3, () => ({ writer: 'x', project: 'q' }));
    const found = await walkLines(lines);
    expect(found.faults).toEqual([
      'foreign 1:1 the event is one of project "q"',
      'swapped 1:1 the event is one of writer x',
    ]);
    expect([found.named, found.events]).toEqual(['x', 3]);
  });

  it('a chain begins with its writer’s beginning', async () => {
    const lines = chain(2, (seq) => (seq === 0 ? { kind: 'call.intent' } : {}));
    expect((await walkLines(lines)).faults).toEqual([
      'inserted 1:1 a chain begins with writer.begin; this one begins with call.intent',
    ]);
    const two = chain(2, () => ({ kind: 'call.intent' }));
    expect((await walkLines(two)).faults).toHaveLength(1);
  });
});

describe('an edit', () => {
  it('that leaves the hash is one fault, and the chain goes on behind it', async () => {
    const lines = textsOf(chain(4));
    const found = await walk(whole(lines.with(1, lines[1]?.replace('now', 'new') as string)));
    expect(found.faults).toEqual([
      'edited 1:2 its hash is not that of its words, where event 1 should stand',
    ]);
    expect(found.seen).toEqual(['0 1:1', '2 1:3', '3 1:4']);
  });

  it('that makes the hash anew is told at the line that follows', async () => {
    const lines = chain(4);
    const edited = event(1, lines[0]?.hash as string, { at: 'then' });
    expect((await walkLines(lines.with(1, edited))).faults).toEqual([
      'edited 1:3 event 2 follows another event than the one that stands before it',
    ]);
  });

  it('of the first event is told like another, since it follows nothing', async () => {
    expect((await walkLines([event(0, 'f'.repeat(64))])).faults).toEqual([
      'edited 1:1 event 0 follows another event than the one that stands before it',
    ]);
  });

  it('that leaves no JSON counts as one event, and hides no other edit behind it', async () => {
    const lines = textsOf(chain(4));
    expect((await walk(whole(lines.with(1, 'x')))).faults).toEqual([
      'edited 1:2 not a line of a chain, where event 1 should stand',
    ]);
    expect((await walk(whole(['x', 'y', ...lines.slice(2)]))).faults).toEqual([
      'edited 1:1 not a line of a chain, where event 0 should stand',
      'edited 1:2 not a line of a chain, where event 1 should stand',
    ]);
  });

  it('whose place or hash is no number or no text is believed neither', async () => {
    const lines = textsOf(chain(4));
    for (const claim of ['{"seq":"1","hash":"x"}', '{"seq":1.5,"hash":"x"}', '{"seq":7,"hash":1}', '{}']) {
      expect((await walk(whole(lines.with(1, claim)))).faults).toEqual([
        'edited 1:2 not a line of a chain, where event 1 should stand',
      ]);
    }
  });

  it('that claims another place is believed, so that what is missing is told behind it', async () => {
    const lines = textsOf(chain(3));
    const claim = `{"seq":5,"hash":"${NO_EVENT}"}`;
    expect((await walk(whole(lines.with(1, claim)))).faults).toEqual([
      'edited 1:2 its hash is not that of its words, where event 1 should stand',
      'inserted 1:3 event 2 does not belong here: the next is 6',
    ]);
  });

  it('is seen where the line behind it follows what it claims no more', async () => {
    const lines = textsOf(chain(3));
    const claim = `{"seq":1,"hash":"${NO_EVENT}"}`;
    expect((await walk(whole(lines.with(1, claim)))).faults).toEqual([
      'edited 1:2 its hash is not that of its words, where event 1 should stand',
      'edited 1:3 event 2 follows another event than the one that stands before it',
    ]);
  });
});

describe('what is missing', () => {
  it('is told by itself, in runs, with where it should stand', async () => {
    const lines = chain(8);
    const kept = [0, 1, 3, 6, 7].map((seq) => lines[seq] as Made);
    const found = await walkLines(kept);
    expect(found.faults).toEqual(['deleted 1:3 event 2 is missing', 'deleted 1:4 events 4 to 5 are missing']);
    expect([found.events, found.last?.seq]).toEqual([5, 7]);
  });

  it('at the beginning is told too', async () => {
    const found = await walkLines(chain(3).slice(1));
    expect(found.faults).toEqual(['deleted 1:1 event 0 is missing']);
    expect(found.first).toBeUndefined();
  });

  it('is kept track of up to a bound, whatever a line claims', async () => {
    const lines = chain(1);
    const far = event(2 ** 40, lines[0]?.hash as string);
    expect((await walkLines([...lines, far])).faults).toEqual(['deleted 1:2 events 1 to 4096 are missing']);
  });
});

describe('what stands elsewhere', () => {
  it('behind its place is reordered, and is missing no more', async () => {
    const [a, b, c, d] = chain(4) as [Made, Made, Made, Made];
    const found = await walkLines([a, c, b, d]);
    expect(found.faults).toEqual(['reordered 1:3 event 1 stands after event 2']);
    expect(found.seen).toEqual(['0 1:1', '2 1:2', '3 1:4']);
  });

  it('twice came in', async () => {
    const [a, b, c] = chain(3) as [Made, Made, Made];
    const found = await walkLines([a, b, a, c]);
    expect(found.faults).toEqual(['inserted 1:3 event 0 stands here once more']);
    expect([found.events, found.seen]).toEqual([3, ['0 1:1', '1 1:2', '2 1:4']]);
  });

  it('beside another of the same number is a fork, which may go on', async () => {
    const [a, b, c] = chain(3) as [Made, Made, Made];
    const other = event(1, a.hash, { at: 'other' });
    const behind = event(2, other.hash);
    const found = await walkLines([a, b, other, behind]);
    expect(found.faults).toEqual([
      'inserted 1:3 two events are number 1: one was put in, or the chain was forked',
    ]);
    expect([found.events, found.last]).toEqual([4, { seq: 2, hash: behind.hash }]);
    expect(found.seen).toEqual(['0 1:1', '1 1:2', '1 1:3', '2 1:4']);
    expect((await walkLines([a, b, other, c])).faults).toHaveLength(2);
  });

  it('and follows nothing that was here does not belong here', async () => {
    const [a, b, c] = chain(3) as [Made, Made, Made];
    const stranger = event(1, 'f'.repeat(64));
    const found = await walkLines([a, b, stranger, c]);
    expect(found.faults).toEqual(['inserted 1:3 event 1 does not belong here: the next is 2']);
    expect(found.seen).toEqual(['0 1:1', '1 1:2', '2 1:4']);
  });

  it('long ago is known no more', async () => {
    const lines = chain(4_098);
    const [first, second] = lines as [Made, Made];
    const found = await walkLines([...lines, second, first]);
    // The second is remembered as the last that is: 4 096 hashes.
    expect(found.faults.map((fault) => fault.replace(/^(\w+) \S+/, '$1'))).toEqual([
      'inserted event 1 does not belong here: the next is 4098',
      'inserted event 0 does not belong here: the next is 4098',
    ]);
    const near = lines[2] as Made;
    expect((await walkLines([...lines, near])).faults).toEqual([
      'inserted 1:4099 event 2 stands here once more',
    ]);
  });
});

it('a chain with more than a thousand faults is looked at no further', async () => {
  const bad = new Array<string>(1_200).fill('x');
  expect((await walk(whole(bad), whole(['y']))).faults).toHaveLength(1_000);
});

it('others get their turn every thousand lines', async () => {
  const lines = chain(3_000);
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    while (!isDone) {
      await turn();
      turns += 1;
    }
  })();
  await walkLines(lines);
  isDone = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(turns).toBeLessThan(20);
});
