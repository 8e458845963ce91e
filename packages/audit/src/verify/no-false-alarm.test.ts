import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { call, changeLines, type MadeTrail, madeTrail } from '../../test/made-trail.ts';
import { lineOf, NO_EVENT, readLine } from '../chain/event.ts';
import { openWriter } from '../chain/open-writer.ts';
import { BEGIN_NOTE, OPENINGS, writersOf } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import { type Commitment, type Opening, opens } from '../commit/commitment.ts';
import { eraseOpenings } from '../commit/erase-openings.ts';
import { fileAnchor, openKey, verifyTrail } from '../index.ts';

/** A process that wrote and ended three days ago, or a bit later where one did before. */
async function livedLongAgo(made: MadeTrail, keepDays = 365): Promise<void> {
  const long = new Date(Date.now() - 3 * 86_400_000);
  // What an older one left is older still.
  const before = keepDays === 365 ? long : new Date();
  vi.useFakeTimers({ toFake: ['Date'], now: before });
  try {
    const trail = await made.begin({ keepDays });
    call(trail, 'a');
    await trail.checkpoint();
    vi.setSystemTime(long);
    await trail.close();
  } finally {
    vi.useRealTimers();
  }
  for (const { folder } of writersOf(made.trail)) utimesSync(join(folder, 'closed'), long, long);
}

describe('a trail that nobody changed', () => {
  it('holds after four writers at once were killed, and what they left open is on record', async () => {
    using made = madeTrail();
    // Signing at once, all four make the one key.
    const program = await bundleProgram(new URL('../../test/writing-program.ts', import.meta.url));
    const writers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [program, made.trail, made.keyFile], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    await Promise.all(writers.map((writer) => once(writer.stdout, 'data')));
    await vi.waitFor(() => expect(existsSync(join(made.trail, 'checkpoints', '00000003.note'))).toBe(true));
    await Promise.all(
      writers.map(async (writer) => {
        const gone = once(writer, 'exit');
        writer.kill('SIGKILL');
        await gone;
      }),
    );
    const left = await made.verify();
    expect(left).toMatchObject({ unaltered: true, faults: [], running: 0, writers: 4 });
    expect(left).toMatchObject({ complete: true, open: [] });

    const next = await made.begin();
    await next.close();
    const after = await made.verify();
    expect(after).toMatchObject({ unaltered: true, complete: true, open: [], writers: 5 });
    expect(after.interrupted).toBe(left.interrupted);
  });

  it('holds after a disk was full, and after half a line was written', async () => {
    using made = madeTrail();
    const program = await bundleProgram(new URL('../../test/filling-program.ts', import.meta.url));
    // Blocks of 1 024 bytes, in bash.
    const limited = spawn('bash', [
      '-c',
      'ulimit -f 64; exec "$@"',
      'bash',
      process.execPath,
      program,
      made.trail,
      made.keyFile,
    ]);
    const [said] = await once(limited.stdout, 'data');
    expect(JSON.parse(String(said))).toEqual({ refused: 'EFBIG', short: 2 });
    await once(limited, 'exit');
    expect(await made.verify()).toMatchObject({
      unaltered: true,
      complete: true,
      faults: [],
    });
  });

  it('holds over many files of one chain', async () => {
    using made = madeTrail();
    const writer = await openWriter({ trail: made.trail, project: 'p', begin: {}, segmentBytes: 2_000 });
    for (let count = 0; count < 40; count++) writer.append({ kind: 'note', data: { count } });
    writer.close();
    expect(made.files().length).toBeGreaterThan(3);
    const verify = () => made.verify({ isKeyKnown: false });
    expect(await verify()).toMatchObject({ unaltered: true, events: 42, faults: [] });
    rmSync(made.files()[1] ?? '');
    expect((await verify()).faults).toMatchObject([{ kind: 'deleted' }]);
  });

  it('holds with chains of a release that signed no beginnings', async () => {
    using made = madeTrail();
    const one = await made.begin();
    call(one, 'a');
    one.append({ kind: 'call.intent', data: { tool: 'left' } });
    await one.checkpoint();
    await one.close();
    for (const { folder } of writersOf(made.trail)) rmSync(join(folder, BEGIN_NOTE));
    const two = await made.begin();
    call(two, 'b');
    await two.checkpoint();
    await two.close();
    expect(await made.verify()).toMatchObject({
      ...{ unaltered: true, complete: true, faults: [] },
      // What they tell counts.
      interrupted: 1,
    });
  });

  it('holds though half an opening was written, and openings stand in another order', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    const openings = join(writersOf(made.trail)[0]?.folder ?? '', OPENINGS);
    mkdirSync(openings);
    expect(() => call(trail, 'refused')).toThrow('EISDIR');
    rmSync(openings, { recursive: true });
    writeFileSync(openings, '{"seq":1,"member":"arguments",');
    for (const tool of ['a', 'b', 'c']) call(trail, tool);
    await trail.close();
    expect((await made.verify()).faults).toEqual([]);
    // As an erasure leaves them, which puts what it keeps after those of an event that was refused.
    const stray = `{"seq":99,"member":"arguments","salt":"${'a'.repeat(32)}"}`;
    changeLines(openings, (lines) => [stray, ...[...lines].reverse()]);
    expect((await made.verify()).faults).toEqual([]);
  });

  it('holds after an erasure, which nothing undoes', async () => {
    using made = madeTrail();
    const trail = await made.begin({ contents: 'full' });
    const seq = trail.append({
      kind: 'call.intent',
      data: { tool: 'a' },
      texts: await trail.commitTo({ arguments: { pin: 1234 } }),
    });
    trail.append({ kind: 'call.outcome', data: { intent: seq, ok: true } });
    await trail.checkpoint();
    const folder = writersOf(made.trail)[0]?.folder ?? '';
    const opening = JSON.parse(readFileSync(join(folder, OPENINGS), 'utf8')) as Opening;
    const [line] = [...linesOf(made.files()[0] ?? '')].map(({ text }) => readLine(text)).slice(seq);
    const commitment = (typeof line === 'object' ? line.data.arguments : {}) as Commitment;
    expect(opening).toMatchObject({ seq, member: 'arguments', text: '{"pin":1234}' });
    expect(opens(commitment, { salt: opening.salt, text: '{"pin":1234}' })).toBe(true);
    expect(opens(commitment, { salt: opening.salt, text: '{"pin":1235}' })).toBe(false);

    expect(await eraseOpenings(made.trail, new Date(0))).toBe(0);
    trail.append({ kind: 'contents.erased', data: { before: new Date().toISOString() } });
    expect(await eraseOpenings(made.trail)).toBe(1);
    await trail.close();
    expect(existsSync(join(folder, OPENINGS))).toBe(false);
    expect(await made.verify()).toMatchObject({ unaltered: true, complete: true, fresh: true });
  });

  it('holds after a chain was kept for as long as stated, and says that it went', async () => {
    using made = madeTrail();
    await livedLongAgo(made);
    const next = await made.begin({ keepDays: 2 });
    await next.checkpoint();
    await next.close();
    expect(await made.verify()).toMatchObject({ unaltered: true, complete: true, writers: 1, faults: [] });
  });

  it('holds after the chain that told of an older one went too', async () => {
    using made = madeTrail();
    await livedLongAgo(made);
    await livedLongAgo(made, 2);
    const next = await made.begin({ keepDays: 2 });
    await next.checkpoint();
    await next.close();
    expect(await made.verify()).toMatchObject({ unaltered: true, complete: true, writers: 1, faults: [] });
  });

  it('is kept though somebody sets the time of the mark that a chain has ended', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    await trail.close();
    const long = new Date(0);
    utimesSync(join(writersOf(made.trail)[0]?.folder ?? '', 'closed'), long, long);
    await (await made.begin({ keepDays: 1 })).close();
    expect(writersOf(made.trail)).toHaveLength(2);
  });

  it('holds while others take checkpoints, and sees nothing in what is written meanwhile', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    const going = (async () => {
      for (let count = 0; count < 30; count++) {
        call(trail, 'a');
        await trail.checkpoint();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (let round = 0; round < 5; round++) expect((await made.verify()).faults).toEqual([]);
    await going;
    await trail.close();
  });

  it('holds with calls left open at a clean end, and with an anchor that two projects share', async () => {
    using made = madeTrail();
    using other = madeTrail('q');
    const trail = await made.begin();
    trail.append({ kind: 'call.intent', data: { tool: 'a' } });
    await trail.close();
    const theirs = await other.begin({ anchors: [fileAnchor(made.anchorFile)] });
    appendFileSync(made.anchorFile, '{"half');
    await theirs.checkpoint();
    await theirs.close();
    expect(await made.verify()).toMatchObject({
      unaltered: true,
      complete: true,
      fresh: true,
      interrupted: 1,
    });
  });

  it('leaves nothing of a chain that could not begin, and writes into no file after its end', async () => {
    using made = madeTrail();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(openWriter({ trail: made.trail, project: 'p', begin: circle })).rejects.toThrow();
    expect(writersOf(made.trail)).toEqual([]);
    const writer = await openWriter({ trail: made.trail, project: 'p', begin: {} });
    writer.close();
    expect(() => writer.append({ kind: 'note', data: {} })).toThrow('the chain has ended');
  });

  it('is read though odd things lie in its folders, and each is named or passed by', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    call(trail, 'a');
    await trail.checkpoint();
    await trail.close();
    const odd = join(made.trail, 'writers', 'odd');
    mkdirSync(join(odd, '000001.jsonl'), { recursive: true });
    execFileSync('mkfifo', [join(odd, '000002.jsonl')]);
    expect((await made.verify()).faults).toEqual([]);
    for (const [kind, data] of [
      ['writer.closed', {}],
      ['checkpoint', { number: 1 }],
      ['call.outcome', null],
    ] as const) {
      const line = lineOf({
        ...{ v: 1, writer: 'odd', project: 'p', seq: 0, at: '', prev: NO_EVENT, kind },
        data: data as never,
      });
      rmSync(odd, { recursive: true });
      mkdirSync(odd);
      writeFileSync(join(odd, '000001.jsonl'), `${line.text}\n`);
      await expect(made.verify()).resolves.toBeDefined();
    }
    writeFileSync(join(odd, '000001.jsonl'), '\n'.repeat(100_000));
    expect((await made.verify()).faults).toHaveLength(1_000);
  });

  it('says that an anchor is gone, also once it is there anew, and that one can’t be read', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    await trail.checkpoint();
    rmSync(made.anchorFile);
    await trail.checkpoint();
    await trail.close();
    const { faults, fresh, behind } = await made.verify();
    expect(faults).toMatchObject([{ kind: 'anchor_rewound', where: made.anchorFile }]);
    expect(fresh).toBe(false);
    expect(behind).toEqual([{ anchor: made.anchorFile, why: faults[0]?.what }]);
    rmSync(made.anchorFile);
    mkdirSync(made.anchorFile);
    expect(await made.verify()).toMatchObject({
      ...{ unaltered: true, fresh: false, faults: [] },
      behind: [{ anchor: made.anchorFile, why: expect.stringContaining('it can’t be read') }],
    });
  });

  it('says which anchor lacks the newest checkpoint, since it was away as that was taken', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    await trail.checkpoint();
    const away = `${made.anchorFile}.away`;
    renameSync(made.anchorFile, away);
    mkdirSync(made.anchorFile);
    expect((await trail.checkpoint()).failed).toHaveLength(1);
    rmSync(made.anchorFile, { recursive: true });
    renameSync(away, made.anchorFile);
    expect(await made.verify()).toMatchObject({
      ...{ unaltered: true, fresh: false, faults: [] },
      behind: [{ why: 'it lacks the newest checkpoint, which is 2' }],
    });
    await trail.checkpoint();
    expect(await made.verify()).toMatchObject({ fresh: true });
    await trail.close();
  });

  it('says how many events could not be written while calls went on', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    trail.append({ kind: 'events.missed', data: { count: 3 } });
    await trail.close();
    expect(await made.verify()).toMatchObject({ unaltered: true, complete: false, missed: 3 });
  });

  it('has every event of an ended chain under the next checkpoint, whatever mark lies beside it', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    await trail.checkpoint();
    const folder = writersOf(made.trail)[0]?.folder ?? '';
    writeFileSync(join(folder, 'closed'), '');
    utimesSync(join(folder, 'closed'), new Date(0), new Date(0));
    call(trail, 'late');
    await trail.checkpoint();
    // Of the chain only what says so itself comes after that.
    expect((await made.verify()).afterLastCheckpoint).toBe(1);
    await trail.close();
  });

  it('is of its own project only, and under its own key', async () => {
    using made = madeTrail();
    const trail = await made.begin();
    call(trail, 'a');
    await trail.checkpoint();
    await trail.close();
    expect((await made.verify({ project: 'q' })).faults.map(({ kind }) => kind)).toContain('foreign');
    using other = madeTrail();
    const key = openKey(other.keyFile, 'nexus').text;
    const { faults } = await verifyTrail({ trail: made.trail, project: 'p', key, anchors: [] });
    expect(faults.map(({ kind }) => kind)).toContain('key_replaced');
  });
});
