import { type Answer, defineRun, type Question, type RunContext, type RunGraph } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  databases,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';
import { digestOf } from './values.ts';

const form = {
  type: 'object',
  properties: {
    branch: { type: 'string', maxLength: 10 },
    count: { type: 'integer', minimum: 1, default: 2 },
  },
  required: ['branch'],
};
const accept = (content?: Answer['content']): Answer => ({
  action: 'accept',
  ...(content ? { content } : {}),
});

/** A run that asks this and ends with its answer. */
async function asking(data: Place, question: Question) {
  const kind = kindOf((_: null, run) => run.ask('q', question));
  const process = startEngine(data, [kind]);
  const { id } = await process.runs.start(kind, null);
  const { runs } = process;
  await expect.poll(async () => (await runs.get(id)).asks?.length).toBe(1);
  return { runs, id, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

describe.each(databases)('an answer, on $name', ({ place }) => {
  it('that does not fit the question’s schema is refused, field by field, and leaves it open', async () => {
    await using data = place();
    await using asked = await asking(data, { message: 'Which?', requestedSchema: form });
    for (const [content, ...fields] of [
      [undefined, 'branch'],
      [{ branch: 'much too long' }, 'branch'],
      [{ branch: 'main', count: 0 }, 'count'],
      [{ count: '2', more: 1 }, 'branch', 'count', 'more'],
    ] as const) {
      await expect(asked.runs.answer(asked.id, accept(content))).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
        detail: { faults: fields.map((field) => expect.objectContaining({ field })) },
      });
    }
    expect((await asked.runs.get(asked.id)).asks).toHaveLength(1);
    await asked.runs.answer(asked.id, accept({ branch: 'main' }));
    expect(await ended(asked.runs, asked.id)).toMatchObject({
      output: { action: 'accept', content: { branch: 'main', count: 2 } },
    });
  });

  it('of fields to a plain yes or no is refused, and so is a cancelled dialogue', async () => {
    await using data = place();
    await using asked = await asking(data, { message: 'Go?' });
    for (const answer of [accept({ name: 'x' }), { action: 'cancel' } as const]) {
      await expect(asked.runs.answer(asked.id, answer)).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
      });
    }
    expect((await asked.runs.get(asked.id)).asks).toHaveLength(1);
  });

  it('to something exact names its digest, by enough of it; a no need not', async () => {
    await using data = place();
    const question = { message: 'Pay?', subject: { tool: 'pay', arguments: { amount: 5 } } };
    await using first = await asking(data, question);
    const [{ digest = '' } = {}] = (await first.runs.get(first.id)).asks ?? [];
    for (const named of [undefined, '', digest.slice(0, 7), `${digest.slice(0, 7)}x`, 'f'.repeat(40)]) {
      const as = named === undefined ? {} : { digest: named };
      await expect(first.runs.answer(first.id, accept(), as)).rejects.toMatchObject({
        code: 'NEXUS_CONFLICT',
        message: expect.stringContaining(digest.slice(0, 8)),
      });
    }
    const few = first.runs.answer(first.id, accept(), { digest: digest.slice(0, 7) });
    await expect(few).rejects.toThrow(/is too little of its digest: name at least 8 digits/);
    await first.runs.answer(first.id, accept(), { digest: digest.slice(0, 8).toUpperCase() });
    expect(await ended(first.runs, first.id)).toMatchObject({ output: { action: 'accept' } });
    await expect(first.runs.answer(first.id, accept())).rejects.toThrow(
      'completed: it asks nothing any more',
    );
    await using second = await asking(data, question);
    await second.runs.answer(second.id, { action: 'decline' });
    expect(await ended(second.runs, second.id)).toMatchObject({ output: { action: 'decline' } });
  });

  it.each([
    ['does not fit its schema', { message: 'Which?', requestedSchema: form }, accept({ count: 1 })],
    ['is for something else', { message: 'Pay?', subject: { amount: 5 } }, accept()],
  ] as const)(
    'that came before its question and %s leaves it open, and the record says why',
    async (_, question, early) => {
      await using data = place();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const kind = kindOf(async (_input: null, run) => {
        await run.step('held', () => held);
        return run.ask('q', question);
      });
      await using process = startEngine(data, [kind]);
      const { id } = await process.runs.start(kind, null);
      await process.runs.answer(id, early, { question: 'q' });
      // With a digest it says that somebody saw what nobody has shown.
      const unseen = process.runs.answer(id, accept(), { question: 'other', digest: 'f'.repeat(40) });
      await expect(unseen).rejects.toMatchObject({
        code: 'NEXUS_CONFLICT',
        message: expect.stringMatching(/does not ask "other".*not before it is asked for/),
      });
      release();
      await expect.poll(async () => (await process.runs.get(id)).asks?.length).toBe(1);
      const event = (await process.runs.events(id)).find(({ type }) => type === 'question.asked');
      expect(event?.data).toMatchObject({ refused: expect.any(String) });
      const { asks, questions } = await process.runs.get(id);
      expect([asks, questions]).toMatchObject([
        [{ refused: expect.any(String) }],
        [{ refused: expect.any(String) }],
      ]);
      await process.runs.answer(id, { action: 'decline' });
      expect(await ended(process.runs, id)).toMatchObject({ output: { action: 'decline' } });
    },
  );

  it('that is a yes to something exact and was kept before its question by a former release is none', async () => {
    await using data = place();
    const question = { message: 'Pay?', subject: { amount: 5 } };
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const kind = kindOf(async (_input: null, run) => {
      await run.step('held', () => held);
      return run.ask('q', question);
    });
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await process.runs.answer(id, accept(), { question: 'q' });
    const { on } = await process.engine.open();
    const digest = digestOf(question.subject);
    await on.db.updateTable('runs_questions').set({ digest }).where('run_id', '=', id).execute();
    release();
    await expect.poll(async () => (await process.runs.get(id)).asks?.length).toBe(1);
    await process.runs.answer(id, { action: 'decline' });
    expect(await ended(process.runs, id)).toMatchObject({ output: { action: 'decline' } });
  });

  it('may wait for its question with nineteen others, each of a bounded size', async () => {
    await using data = place();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const kind = kindOf((_: null, run) => run.step('held', () => held));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    const early = (question: string, content = {}) => process.runs.answer(id, accept(content), { question });
    await expect(early('long', { text: 'x'.repeat(20_000) })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
    for (let at = 0; at < 20; at += 1) await early(`q${at}`);
    await expect(early('one more')).rejects.toThrow(/no more than 20 do/);
    release();
  });

  it.each([{ isWritten: true }, {}])(
    'that comes after its question’s time is refused, with what came of it, where no process is (%o)',
    async (how) => {
      await using data = place();
      const kind = kindOf((_: null, run) => run.ask('q', { message: 'Go?', timeoutMs: 3_600_000 }));
      const first = startEngine(data, [kind]);
      const { id } = await first.runs.start(kind, null);
      await expect.poll(async () => (await first.runs.get(id)).asks?.length).toBe(1);
      const { asks: [asked] = [] } = await first.runs.get(id);
      const expiresAt = asked?.expiresAt ?? '';
      expect(Date.parse(expiresAt) - Date.parse(asked?.askedAt ?? '')).toBeGreaterThanOrEqual(3_600_000);
      await first.die();
      data.ahead(3_700_000);
      await using other = startEngine(data, []);
      const late = other.runs.answer(id, accept(), { question: 'q', ...how });
      await expect(late).rejects.toMatchObject({
        code: 'NEXUS_CONFLICT',
        message: expect.stringContaining(`nobody answered it by ${expiresAt}`),
      });
      const { asks, questions } = await other.runs.get(id);
      expect([asks, questions]).toMatchObject([undefined, [{ status: 'expired', expiresAt }]]);
      await using next = startEngine(data, [kind]);
      expect(await ended(next.runs, id)).toMatchObject({ output: { action: 'cancel' } });
    },
  );

  it('cannot be asked for by what is no form', async () => {
    await using data = place();
    const requestedSchema = { type: 'object', properties: { a: { type: 'object' } } };
    const kind = kindOf((_: null, run) => run.ask('q', { message: 'What?', requestedSchema }));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    expect(await ended(process.runs, id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('"a"') },
    });
  });
});

describe.each(databasesByTurns)('a question of a graph, on $name', ({ place }) => {
  const asks = (names: readonly string[]) =>
    defineRun({
      name: 'test.graph',
      version: 1,
      graph: () => ({
        nodes: {
          first: { visit: ({ run }) => run.ask('asks', { message: 'First?' }) },
          go: {
            needs: ['first'],
            visit: ({ run }) =>
              Promise.all(names.map((name) => run.ask(name, { message: `${name}?`, requestedSchema: form }))),
          },
        },
      }),
    });
  const main = accept({ branch: 'main' });

  it.each(['go', 'go#1', 'go#1/asks'])(
    'is answered ahead and once it is asked by the name %s',
    async (question) => {
      await using data = place();
      const kind = asks(['asks']);
      await using process = startEngine(data, [kind]);
      const { runs } = process;
      const open = async (id: string) => (await runs.get(id)).asks?.map(({ name }) => name);
      const ahead = await runs.start(kind, null);
      await runs.answer(ahead.id, main, { question });
      await runs.answer(ahead.id, accept(), { question: 'first' });
      expect(await ended(runs, ahead)).toMatchObject({ status: 'completed' });
      const { questions } = await runs.get(ahead.id);
      expect(questions.map(({ name, status }) => [name, status])).toEqual([
        ['first#1/asks', 'answered'],
        ['go#1/asks', 'answered'],
      ]);
      const { id } = await runs.start(kind, null);
      await runs.answer(id, accept(), { question: 'first' });
      await expect.poll(() => open(id), { timeout: 10_000 }).toEqual(['go#1/asks']);
      await runs.answer(id, main, { question });
      await expect(runs.answer(id, main, { question })).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
      expect(await ended(runs, id)).toMatchObject({ status: 'completed' });
    },
  );

  it('is named where several go by what was written', async () => {
    await using data = place();
    const kind = asks(['one', 'two']);
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null);
    await runs.answer(id, accept(), { question: 'first' });
    await expect.poll(async () => (await runs.get(id)).asks?.length, { timeout: 10_000 }).toBe(2);
    await expect(runs.answer(id, main, { question: 'go' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      message: expect.stringMatching(/"go#1\/one", "go#1\/two"/),
    });
    await runs.answer(id, main, { question: 'go#1/one' });
    await runs.answer(id, main, { question: 'go' });
    expect(await ended(runs, id)).toMatchObject({ status: 'completed' });
  });

  /** A run whose node `go` asks once `pre` is let go on. */
  async function heldBefore(data: Place, go: RunGraph['nodes'][string]) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const kind = defineRun({
      name: 'test.held',
      version: 1,
      graph: () => ({
        nodes: {
          pre: { visit: ({ run }) => run.step('call', () => held) },
          go: { needs: ['pre'], ...go },
        },
      }),
    });
    const process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null);
    await expect.poll(async () => (await runs.get(id)).steps.map(({ name }) => name)).toContain('pre#1/call');
    const open = async () => (await runs.get(id)).asks?.map(({ name }) => name);
    return { runs, id, release, open, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
  }
  const asksOne = { visit: ({ run }: { run: RunContext }) => run.ask('asks', { message: 'Go?' }) };
  const asksEach = {
    forEach: () => ['x', 'y'],
    visit: ({ run, item }: { run: RunContext; item?: unknown }) =>
      run.ask('asks', { message: `Go ${item}?` }),
  };
  const no = { action: 'decline' } as const;

  it.each([
    ['go', 'go#1/asks'],
    ['go#1', 'go#1/asks'],
    ['go#1/asks', 'go'],
    ['go', 'go#1'],
    ['go#1', 'go'],
  ])('has the first answer that was kept ahead, by %s, and refuses another by %s', async (first, second) => {
    await using data = place();
    await using run = await heldBefore(data, { ...asksOne, again: () => [] });
    const { runs, id } = run;
    await runs.answer(id, no, { question: first });
    await expect(runs.answer(id, accept(), { question: second })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      message: expect.stringMatching(/is kept already, and the first counts/),
    });
    await runs.answer(id, accept(), { question: 'go#2/asks' });
    run.release();
    expect(await ended(runs, id)).toMatchObject({ output: { go: no } });
  });

  it('that was answered ahead is completed, and has its time', async () => {
    await using data = place();
    await using run = await heldBefore(data, asksOne);
    await run.runs.answer(run.id, accept(), { question: 'go' });
    run.release();
    await ended(run.runs, run.id);
    const { steps } = await run.runs.get(run.id);
    expect(steps.find(({ name }) => name === 'go#1/asks')).toMatchObject({
      status: 'completed',
      endedAt: expect.any(String),
    });
  });

  it('of each item of a loop is answered by a name of the item alone', async () => {
    await using data = place();
    await using run = await heldBefore(data, asksEach);
    const { runs, id } = run;
    await runs.answer(id, accept(), { question: 'go' });
    await runs.answer(id, no, { question: 'go#1[0]' });
    run.release();
    await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1[1]/asks']);
    const { questions } = await runs.get(id);
    expect(questions.filter(({ refused }) => refused?.includes('each item of a loop'))).toHaveLength(1);
    await runs.answer(id, accept(), { question: 'go#1[1]' });
    expect(await ended(runs, id)).toMatchObject({ output: { go: [no, accept()] } });
  });

  it.each(['go', 'go#1'])('of one of several items is not answered ahead by %s', async (question) => {
    await using data = place();
    await using run = await heldBefore(data, asksEach);
    await run.runs.answer(run.id, accept(), { question });
    run.release();
    await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1[0]/asks', 'go#1[1]/asks']);
  });

  it.each(['', ' ', 'pre', 'pre#1', 'pre#1/call', 'nosuch', 'GO', 'go#'])(
    'is not meant by the name "%s", which is said with those that may be',
    async (question) => {
      await using data = place();
      await using run = await heldBefore(data, asksOne);
      await expect(run.runs.answer(run.id, accept(), { question })).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
        message: expect.stringMatching(/asks nothing by the name .* goes by "go"\.$/),
      });
      run.release();
      await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1/asks']);
    },
  );

  it.each(['go#0', 'go#01', 'go#2', 'go#1[0]', 'go#1x', 'go#1/other'])(
    'is not kept under the name "%s", which none of it ever has',
    async (question) => {
      await using data = place();
      await using run = await heldBefore(data, { ...asksOne, asks: ['asks'] });
      await expect(run.runs.answer(run.id, accept(), { question })).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
        message: expect.stringMatching(/asks nothing by the name .* goes by "go"\.$/),
      });
      run.release();
      await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1/asks']);
    },
  );

  it('is not kept for a visit beyond those that may be, and is for the last of them', async () => {
    await using data = place();
    await using run = await heldBefore(data, { ...asksOne, maxVisits: 4, again: () => [] });
    const keep = (question: string) => run.runs.answer(run.id, accept(), { question });
    await expect(keep('go#5')).rejects.toThrow('"go" is done 4 times at most');
    await keep('go#4');
    run.release();
    await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1/asks']);
  });

  it('is not kept for a step that says that it asks nothing, but for a no to a call', async () => {
    await using data = place();
    await using run = await heldBefore(data, { ...asksOne, asks: [] });
    const yes = run.runs.answer(run.id, accept(), { question: 'go' });
    await expect(yes).rejects.toThrow(/is a step of it which is no question\. `nexus runs/);
    await run.runs.answer(run.id, no, { question: 'go' });
    run.release();
    await ended(run.runs, run.id);
  });

  it('takes what was written ahead by the types of its fields', async () => {
    await using data = place();
    const visit = ({ run }: { run: RunContext }) =>
      run.ask('asks', { message: 'Which?', requestedSchema: form });
    await using run = await heldBefore(data, { visit });
    const content = { branch: '7', count: '5' };
    await run.runs.answer(run.id, accept(content), { question: 'go', isWritten: true });
    expect((await run.runs.get(run.id)).keptAhead).toMatchObject([{ name: 'go', answer: accept(content) }]);
    run.release();
    expect(await ended(run.runs, run.id)).toMatchObject({
      output: { go: { content: { branch: '7', count: 5 } } },
    });
  });

  it('may be a call’s that a step comes to make, to which a no is said ahead as long as it goes on', async () => {
    await using data = place();
    await using going = await heldBefore(data, asksOne);
    await going.runs.answer(going.id, no, { question: 'pre' });
    await using over = await heldBefore(data, asksOne);
    over.release();
    await expect.poll(over.open, { timeout: 10_000 }).toEqual(['go#1/asks']);
    await expect(over.runs.answer(over.id, no, { question: 'pre' })).rejects.toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
      message: expect.stringContaining('goes by "go#1/asks"'),
    });
    going.release();
  });

  it.each([
    ['has its fields', { message: 'Which?', requestedSchema: form }, main],
    ['is to something exact', { message: 'Pay?', subject: { amount: 5 } }, no],
  ] as const)(
    'that %s lets go what was kept ahead and does not fit, and takes what does',
    async (_, question, right) => {
      await using data = place();
      await using run = await heldBefore(data, {
        visit: ({ run: context }) => context.ask('asks', question),
      });
      const { runs, id } = run;
      await runs.answer(id, accept(), { question: 'go' });
      await expect(runs.answer(id, right, { question: 'go' })).rejects.toThrow(/it is let go/);
      run.release();
      await expect.poll(run.open, { timeout: 10_000 }).toEqual(['go#1/asks']);
      expect((await runs.get(id)).asks).toMatchObject([{ refused: expect.any(String) }]);
      await runs.answer(id, right, { question: 'go' });
      expect((await ended(runs, id)).status).toBe('completed');
    },
  );
});
