import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { call, changeLines, type MadeTrail, madeTrail } from '../../test/made-trail.ts';
import { type ChainLine, lineOf, NO_EVENT } from '../chain/event.ts';
import { openWriter } from '../chain/open-writer.ts';
import { BEGIN_NOTE, OPENINGS, writersOf } from '../chain/places.ts';
import { openKey } from '../index.ts';
import type { FaultKind } from './fault.ts';

/** Two writers of some calls each, all of it under one anchored checkpoint. */
async function lived(made: MadeTrail) {
  const one = await made.begin({ begin: { name: 'one' } });
  const two = await made.begin({ begin: { name: 'two' } });
  for (const tool of ['a', 'b', 'c', 'd']) {
    call(one, tool);
    call(two, tool);
  }
  await one.checkpoint();
  await one.close();
  await two.close();
  expect(await made.verify()).toMatchObject({ unaltered: true, complete: true, fresh: true, faults: [] });
}

/** The line with its words changed and its own hash made anew, as somebody who knows the format would. */
function rehashed(line: string, change: (event: Omit<ChainLine, 'hash'>) => object): string {
  const { hash: _, ...event } = JSON.parse(line) as ChainLine;
  return lineOf({ ...event, ...change(event) }).text;
}

/** All lines from `from` on, in a chain again after the change. */
function rechained(lines: readonly string[], from: number, change: (line: string) => string): string[] {
  const kept = lines.slice(0, from);
  let prev = (JSON.parse(kept.at(-1) ?? '{}') as Partial<ChainLine>).hash;
  for (const line of lines.slice(from)) {
    const text = rehashed(change(line), () => (prev === undefined ? {} : { prev }));
    prev = (JSON.parse(text) as ChainLine).hash;
    kept.push(text);
  }
  return kept;
}

const oneOf = (made: MadeTrail) => made.files('"name":"one"')[0] ?? '';
const folderOf = (file: string) => join(file, '..');

interface Attack {
  readonly name: string;
  readonly found: FaultKind;
  /** Where it is found, as part of the place. */
  readonly where?: string;
  readonly isIncomplete?: true;
  readonly isKeyGone?: true;
  run(made: MadeTrail): void | Promise<void>;
}

const attacks: readonly Attack[] = [
  {
    name: 'an edited line',
    found: 'edited',
    where: '000001.jsonl:4',
    run: (made) =>
      changeLines(oneOf(made), (lines) =>
        lines.map((line, at) => (at === 3 ? line.replace('"b"', '"x"') : line)),
      ),
  },
  {
    name: 'an edited line with its own hash made anew',
    found: 'edited',
    where: '000001.jsonl:5',
    run: (made) =>
      changeLines(oneOf(made), (lines) =>
        lines.map((line, at) => (at === 3 ? rehashed(line, () => ({ data: { tool: 'x' } })) : line)),
      ),
  },
  {
    name: 'a chain written anew from an edited line on',
    found: 'edited',
    run: (made) =>
      changeLines(oneOf(made), (lines) =>
        rechained(lines, 3, (line) => rehashed(line, () => ({ at: 'never' }))),
      ),
  },
  {
    name: 'a deleted line',
    found: 'deleted',
    where: '000001.jsonl:4',
    isIncomplete: true,
    run: (made) => changeLines(oneOf(made), (lines) => lines.filter((_, at) => at !== 3)),
  },
  {
    name: 'a line that came in',
    found: 'inserted',
    where: '000001.jsonl:5',
    run: (made) =>
      changeLines(oneOf(made), (lines) => {
        const forged = rehashed(lines[3] ?? '', () => ({ data: { tool: 'x' } }));
        return lines.toSpliced(3, 0, forged);
      }),
  },
  {
    name: 'a line that stands twice',
    found: 'inserted',
    run: (made) => changeLines(oneOf(made), (lines) => lines.toSpliced(6, 0, lines[2] ?? '')),
  },
  {
    name: 'two lines in another order',
    found: 'reordered',
    run: (made) => changeLines(oneOf(made), (lines) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? '')),
  },
  {
    name: 'a cut tail',
    found: 'cut',
    isIncomplete: true,
    run: (made) => changeLines(oneOf(made), (lines) => lines.slice(0, 5)),
  },
  {
    name: 'an emptied file',
    found: 'regrown',
    isIncomplete: true,
    run: (made) => writeFileSync(oneOf(made), ''),
  },
  {
    name: 'a file emptied and grown anew',
    found: 'regrown',
    isIncomplete: true,
    run: (made) =>
      changeLines(oneOf(made), (lines) =>
        rechained([rehashed(lines[0] ?? '', () => ({ at: 'now' })), ...lines.slice(1)], 1, (line) => line),
      ),
  },
  {
    name: 'two writers’ files, each in the other’s place',
    found: 'swapped',
    run(made) {
      const [one, two] = [oneOf(made), made.files('"name":"two"')[0] ?? ''];
      renameSync(one, `${one}.aside`);
      renameSync(two, one);
      renameSync(`${one}.aside`, two);
    },
  },
  {
    name: 'a chain that goes on twice',
    found: 'forked',
    run(made) {
      const folder = folderOf(oneOf(made));
      const branch = join(folder, '..', 'branch');
      cpSync(folder, branch, { recursive: true });
      changeLines(join(branch, '000001.jsonl'), (lines) => [
        ...lines.slice(0, 6),
        rehashed(lines[6] ?? '', () => ({ data: { tool: 'x' } })),
      ]);
    },
  },
  {
    name: 'a writer taken away',
    found: 'deleted',
    isIncomplete: true,
    run: (made) => rmSync(folderOf(oneOf(made)), { recursive: true }),
  },
  {
    name: 'a trail put back to what it was',
    found: 'rolled_back',
    isIncomplete: true,
    async run(made) {
      const before = join(made.root, 'before');
      cpSync(made.trail, before, { recursive: true });
      const three = await made.begin();
      call(three, 'e');
      await three.checkpoint();
      await three.close();
      rmSync(made.trail, { recursive: true });
      cpSync(before, made.trail, { recursive: true });
    },
  },
  {
    name: 'an anchor put back to what it was',
    found: 'anchor_rewound',
    async run(made) {
      const before = readFileSync(made.anchorFile);
      const three = await made.begin();
      call(three, 'e');
      await three.checkpoint();
      await three.close();
      writeFileSync(made.anchorFile, before);
    },
  },
  {
    name: 'another key, and all signed again by it',
    found: 'key_replaced',
    async run(made) {
      // And with it what is known of the one before, as on a stranger's machine.
      rmSync(dirname(made.keyFile), { recursive: true });
      rmSync(join(made.trail, 'checkpoints'), { recursive: true });
      const three = await made.begin();
      await three.checkpoint();
      await three.close();
      expect(openKey(made.keyFile, 'nexus').text).toContain('nexus+');
    },
  },
  {
    name: 'an edited checkpoint',
    found: 'edited',
    where: '00000001.note',
    run: (made) =>
      changeLines(join(made.trail, 'checkpoints', '00000001.note'), (lines) =>
        lines.map((line) => line.replace(/^at .*/, 'at 2020-01-01T00:00:00.000Z')),
      ),
  },
  {
    name: 'a checkpoint taken away',
    found: 'deleted',
    isIncomplete: true,
    run: (made) => rmSync(join(made.trail, 'checkpoints', '00000001.note')),
  },
  {
    name: 'a record of another project',
    found: 'foreign',
    async run(made) {
      using other = madeTrail('q');
      const theirs = await other.begin();
      call(theirs, 'e');
      await theirs.close();
      const [theirFolder] = writersOf(other.trail);
      cpSync(theirFolder?.folder ?? '', join(made.trail, 'writers', theirFolder?.id ?? ''), {
        recursive: true,
      });
    },
  },
  {
    name: 'a chain that somebody made up',
    found: 'unsigned',
    async run(made) {
      const invented = await openWriter({ trail: made.trail, project: 'p', begin: { name: 'three' } });
      invented.append({ kind: 'consensus.vote', data: { vote: 'v', option: 'yes' } });
      invented.close();
      // Whoever signs the heads of all chains later does not make it a true one.
      const four = await made.begin();
      await four.checkpoint();
      await four.close();
    },
  },
  {
    name: 'a made-up chain with the note of one that was begun',
    found: 'unsigned',
    async run(made) {
      const invented = await openWriter({ trail: made.trail, project: 'p', begin: { name: 'three' } });
      cpSync(join(folderOf(oneOf(made)), BEGIN_NOTE), join(invented.folder, BEGIN_NOTE));
      invented.close();
    },
  },
  {
    name: 'a chain that goes on after its end',
    found: 'inserted',
    run: (made) =>
      changeLines(oneOf(made), (lines) => {
        const { seq, hash } = JSON.parse(lines.at(-1) ?? '') as ChainLine;
        const next = { seq: seq + 1, prev: hash, kind: 'consensus.vote', data: { option: 'yes' } };
        return [...lines, rehashed(lines.at(-1) ?? '', () => next)];
      }),
  },
  {
    name: 'a writer taken away, and said to have been kept for as long as stated',
    found: 'deleted',
    isIncomplete: true,
    async run(made) {
      const folder = folderOf(oneOf(made));
      const { seq, hash, writer } = JSON.parse(
        readFileSync(oneOf(made), 'utf8').split('\n').at(-2) ?? '',
      ) as ChainLine;
      rmSync(folder, { recursive: true });
      const three = await made.begin();
      three.append({ kind: 'writer.retired', data: { writer, seq, hash, note: 'no note' } });
      await three.close();
    },
  },
  {
    name: 'what opens commitments taken away',
    found: 'unopenable',
    run: (made) => rmSync(join(folderOf(oneOf(made)), OPENINGS)),
  },
  {
    name: 'one of them taken away',
    found: 'unopenable',
    run: (made) => changeLines(join(folderOf(oneOf(made)), OPENINGS), (lines) => lines.slice(1)),
  },
  {
    name: 'salts put in the place of those that open commitments',
    found: 'unopenable',
    run: (made) =>
      changeLines(join(folderOf(oneOf(made)), OPENINGS), (lines) =>
        lines.map((line) => line.replace(/"salt":"\w{32}"/, `"salt":"${'0'.repeat(32)}"`)),
      ),
  },
  {
    name: 'openings that name another member',
    found: 'unopenable',
    run: (made) =>
      changeLines(join(folderOf(oneOf(made)), OPENINGS), (lines) =>
        lines.map((line) => line.replace('"member":"arguments"', '"member":"argument"')),
      ),
  },
  {
    name: 'openings cut within their rows',
    found: 'unopenable',
    run: (made) =>
      changeLines(join(folderOf(oneOf(made)), OPENINGS), (lines) =>
        lines.map((line) => line.slice(0, line.indexOf(',') + 1)),
      ),
  },
  {
    name: 'a kept text that was edited',
    found: 'unopenable',
    async run(made) {
      const three = await made.begin({ contents: 'full', begin: { name: 'three' } });
      call(three, 'e');
      await three.close();
      const [file = ''] = made.files('"name":"three"');
      changeLines(join(folderOf(file), OPENINGS), (lines) =>
        lines.map((line) => line.replace(/"text":".*"/, '"text":"{}"')),
      );
    },
  },
  {
    name: 'an erasure that is said to reach into what came after it',
    found: 'unopenable',
    async run(made) {
      const three = await made.begin({ begin: { name: 'three' } });
      three.append({ kind: 'contents.erased', data: { before: '2099-01-01T00:00:00.000Z' } });
      await new Promise((resolve) => setTimeout(resolve, 5));
      call(three, 'e');
      await three.close();
      rmSync(join(folderOf(made.files('"name":"three"')[0] ?? ''), OPENINGS));
    },
  },
  ...[
    { kind: 'consensus.vote', data: { vote: 'v', option: 'yes' } },
    { kind: 'contents.erased', data: { before: '2099-01-01T00:00:00.000Z' } },
  ].map(
    ({ kind, data }): Attack => ({
      name: `a made-up chain of ${kind} alone`,
      found: 'inserted',
      run(made) {
        const writer = crypto.randomUUID();
        const { at, v, project } = JSON.parse(readFileSync(oneOf(made), 'utf8').split('\n')[0] ?? '');
        const event = { v, project, at, writer, seq: 0, prev: NO_EVENT, kind, data };
        const folder = join(made.trail, 'writers', writer);
        mkdirSync(folder);
        writeFileSync(join(folder, '000001.jsonl'), `${lineOf(event).text}\n`);
      },
    }),
  ),
  {
    name: 'a made-up chain that excuses salts that went',
    found: 'unopenable',
    async run(made) {
      const invented = await openWriter({ trail: made.trail, project: 'p', begin: {} });
      invented.append({ kind: 'contents.erased', data: {} });
      invented.close();
      rmSync(join(folderOf(oneOf(made)), OPENINGS));
    },
  },
  {
    name: 'the key taken away',
    found: 'unsigned',
    isKeyGone: true,
    run: () => undefined,
  },
];

/** The verifier of the docs, which shares no code with ours, says whether all fits. */
async function independently({ trail, keyFile }: MadeTrail): Promise<boolean> {
  // The tests make the file that the app makes.
  writeFileSync(join(trail, 'project'), 'p\n');
  const program = fileURLToPath(new URL('../../../../docs/verify-audit.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, trail, openKey(keyFile, 'nexus').text], {
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Those that only what lies outside of the trail can tell. */
const ONLY_BY_ANCHORS: readonly FaultKind[] = ['rolled_back', 'anchor_rewound'];

describe('verifyTrail', () => {
  it('agrees with the verifier of the docs on a trail that nobody changed', async () => {
    using made = madeTrail();
    await lived(made);
    expect(await independently(made)).toBe(true);
  });

  it('tells of a call whose process ended in good order and says nothing of it', async () => {
    using made = madeTrail();
    const trail = await made.begin({ begin: { name: 'one' } });
    call(trail, 'a');
    await trail.close();
    const outcome = ({ kind }: ChainLine) => kind === 'call.outcome';
    changeLines(oneOf(made), (lines) => {
      const at = lines.findIndex((line) => outcome(JSON.parse(line)));
      return rechained(lines, at, (line) =>
        outcome(JSON.parse(line)) ? rehashed(line, () => ({ kind: 'note' })) : line,
      );
    });
    // No checkpoint has it, so only what is missing tells.
    rmSync(join(made.trail, 'checkpoints'), { recursive: true, force: true });
    expect(await made.verify()).toMatchObject({ complete: false, open: [{ tool: 'a' }] });
  });

  it.each(attacks)(
    'finds and names $name',
    async ({ found, where, isIncomplete, isKeyGone = false, run }) => {
      using made = madeTrail();
      await lived(made);
      await run(made);
      const verification = await made.verify({ isKeyKnown: !isKeyGone });
      const kinds = verification.faults.map(({ kind }) => kind);
      expect(verification.unaltered, JSON.stringify(verification.faults, null, 1)).toBe(false);
      expect(kinds).toContain(found);
      if (where) expect(verification.faults.find(({ kind }) => kind === found)?.where).toContain(where);
      if (isIncomplete) expect(verification.complete).toBe(false);
      // It is told the key, as whoever uses it is.
      expect(await independently(made)).toBe(isKeyGone || ONLY_BY_ANCHORS.includes(found));
    },
  );
});
