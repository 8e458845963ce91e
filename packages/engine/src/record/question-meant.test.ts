import { type Answer, defineRun, type Question, type RunContext } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';

const yes: Answer = { action: 'accept' };
const form = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const go: Question = { message: 'Go?' };

/** A graph whose step `sub` waits for a run that asks by the same name as one of its own. */
async function nested(data: Place, { before, after = go }: { before?: Question; after?: Question } = {}) {
  const inner = defineRun({
    name: 'test.inner',
    version: 1,
    graph: () => ({ nodes: { confirm: { visit: ({ run }) => run.ask('asks', { message: 'Delete?' }) } } }),
  });
  const ask = (question: Question) => ({
    asks: ['asks'],
    visit: ({ run }: { run: RunContext }) => run.ask('asks', question),
  });
  const outer = defineRun({
    name: 'test.outer',
    version: 1,
    graph: () => ({
      nodes: {
        ...(before ? { confirm: ask(before) } : {}),
        sub: {
          needs: before ? ['confirm'] : [],
          asks: [],
          visit: ({ run }: { run: RunContext }) => run.child('does', inner, null),
        },
        [before ? 'last' : 'confirm']: { needs: ['sub'], ...ask(after) },
      },
    }),
  });
  const process = startEngine(data, [inner, outer]);
  const { runs } = process;
  const { id } = await runs.start(outer, null);
  const say = (answer: Answer, question?: string, of = id) =>
    runs.answer(of, answer, { isWritten: true, ...(question === undefined ? {} : { question }) });
  const open = async () => (await runs.get(id)).asks?.map(({ message }) => message);
  if (before) await say(yes, 'confirm');
  await expect.poll(open, { timeout: 10_000 }).toEqual(['Delete?']);
  const [below] = (await runs.get(id)).asks ?? [];
  const innerId = below?.runId ?? '';
  return { runs, id, innerId, say, open, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

describe.each(databasesByTurns)('what a person answers by the id of a run, on $name', ({ place }) => {
  it.each([yes, { action: 'decline' } as const])(
    'is nobody’s where the run may come to ask by a name that one below it asks by (%o)',
    async (answer) => {
      await using data = place();
      await using run = await nested(data);
      for (const name of ['confirm', 'confirm#1', 'confirm#1/asks']) {
        await expect(run.say(answer, name)).rejects.toMatchObject({
          code: 'NEXUS_CONFLICT',
          message: expect.stringContaining(`"confirm#1/asks" of ${run.innerId}`),
        });
      }
      expect(await run.open()).toEqual(['Delete?']);
      await run.say(yes, 'confirm', run.innerId);
      await expect.poll(run.open, { timeout: 10_000 }).toEqual(['Go?']);
      await run.say(answer, 'confirm');
      expect(await ended(run.runs, run.id)).toMatchObject({ output: { confirm: answer } });
    },
  );

  it('is nobody’s where the run has asked by that name before', async () => {
    await using data = place();
    await using run = await nested(data, { before: go });
    await expect(run.say(yes, 'confirm')).rejects.toThrow(/may be a question of run .* itself/);
    expect(await run.open()).toEqual(['Delete?']);
  });

  it('is its own where what is asked below has no such field', async () => {
    await using data = place();
    const after = { message: 'How many?', requestedSchema: form };
    await using run = await nested(data, { after });
    expect(await run.say({ ...yes, content: { n: '3' } }, 'confirm')).toMatchObject({ runId: run.id });
    expect(await run.open()).toEqual(['Delete?']);
    await expect(run.say(yes, 'confirm')).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    await run.say(yes, 'confirm', run.innerId);
    expect(await ended(run.runs, run.id)).toMatchObject({ output: { confirm: { content: { n: 3 } } } });
  });

  it('is of the one below where the run has no question of that name, or none is named', async () => {
    await using data = place();
    const inner = kindOf((_: null, run) => run.ask('r', { message: 'How many?', requestedSchema: form }), {
      name: 'test.below',
    });
    const outer = kindOf((_: null, run) => run.child('does', inner, null));
    await using process = startEngine(data, [inner, outer]);
    const { runs } = process;
    // Who names a question by its run alone means no other.
    const { id: only } = await runs.start(outer, null);
    await expect.poll(async () => (await runs.get(only)).asks?.length).toBe(1);
    await expect(runs.answer(only, yes)).rejects.toThrow(/asks nothing now/);
    for (const of of [{}, { question: 'r' }]) {
      const { id } = await runs.start(outer, null);
      await expect.poll(async () => (await runs.get(id)).asks?.length).toBe(1);
      const content = { n: '3' };
      await runs.answer(id, { ...yes, content }, { ...of, isWritten: true });
      expect(await ended(runs, id)).toMatchObject({ output: { content: { n: 3 } } });
    }
  });

  it('is not of one below where the run, which is no graph, was answered by that name before', async () => {
    await using data = place();
    const inner = kindOf((_: null, run) => run.ask('q', go), { name: 'test.below' });
    const outer = kindOf(async (_: null, run) => {
      await run.ask('q', go);
      return run.child('does', inner, null);
    });
    await using process = startEngine(data, [inner, outer]);
    const { runs } = process;
    const { id } = await runs.start(outer, null);
    await expect.poll(async () => (await runs.get(id)).asks?.length).toBe(1);
    const say = () => runs.answer(id, yes, { isWritten: true, question: 'q' });
    expect(await say()).toMatchObject({ runId: id });
    await expect.poll(async () => (await runs.get(id)).asks?.[0]?.runId).toMatch(/^run_/);
    await expect(say()).rejects.toThrow(/may be a question of run .* itself/);
  });

  it('is of its own before those below, and says which where that does not tell', async () => {
    await using data = place();
    const inner = kindOf((_: null, run) => run.parallel(['q', 'r'].map((name) => () => run.ask(name, go))), {
      name: 'test.below',
    });
    const outer = kindOf((own: boolean, run) =>
      run.parallel([
        () => run.child('does', inner, null),
        () => run.child('again', inner, null),
        ...(own ? [() => run.ask('q', go)] : []),
      ]),
    );
    await using process = startEngine(data, [inner, outer]);
    const { runs } = process;
    const begin = async (own: boolean) => {
      const { id } = await runs.start(outer, own);
      await expect.poll(async () => (await runs.get(id)).asks?.length).toBe(own ? 5 : 4);
      return id;
    };
    const say = (id: string, question?: string) =>
      runs.answer(id, yes, { isWritten: true, ...(question === undefined ? {} : { question }) });
    for (const name of [undefined, 'q']) {
      const id = await begin(true);
      expect(await say(id, name)).toMatchObject({ runId: id, name: 'q' });
    }
    const id = await begin(false);
    await expect(say(id, 'q')).rejects.toThrow(/^2 questions are open: "q" of run_.*Name one, and its run/);
    await expect(say(id)).rejects.toThrow(/^4 questions are open/);
  });
});
