import type { Answer, Question } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';
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
