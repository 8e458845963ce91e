import type { CallContext } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';

const ROOM = 6_000;

interface Answer {
  readonly [member: string]: unknown;
}

describeOnEach('in a host that shows little', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus({ ...place, maxResultChars: ROOM });
    for (const name of ['ann', 'ben']) await bus.answer('register_worker', { name });
  });
  afterEach(() => bus.stop());

  /** An answer that nothing behind its tool cuts, as text and structure. */
  async function whole<Shape extends object = Answer>(tool: string, args: object): Promise<Shape> {
    const answer = await bus.answer<Shape>(tool, { ...args });
    expect([tool, 2 * JSON.stringify(answer).length <= ROOM]).toEqual([tool, true]);
    return answer;
  }

  it('an inbox marks nothing that it did not show', async () => {
    for (let at = 0; at < 40; at += 1) {
      await bus.answer('send_message', { from: 'ben', to: 'ann', body: `${at} ${'b'.repeat(700)}` });
    }
    await bus.answer('send_message', { from: 'ben', to: 'ann', body: '"'.repeat(9_000) });
    type Page = { messages: { messageId: string; body: string }[] };
    const bodies = new Map<string, string>();
    for (;;) {
      const { messages } = await whole<Page>('fetch_inbox', { worker: 'ann' });
      if (messages.length === 0) break;
      for (const { messageId, body } of messages) bodies.set(messageId, (bodies.get(messageId) ?? '') + body);
    }
    expect([...bodies.values()].map(({ length }) => length).sort()).toEqual(
      [...Array.from({ length: 40 }, (_, at) => 701 + String(at).length), 9_000].sort(),
    );
    await whole('fetch_inbox', { worker: 'ann', view: 'all' });
    await whole('fetch_inbox', { worker: 'ben', view: 'sent' });
  });

  it('notes and events of a task come page by page', async () => {
    const taskId = await bus.submit({ payload: 'p'.repeat(500) });
    for (let at = 0; at < 12; at += 1) {
      await bus.answer('update_task', { taskId, note: `${at} ${'n'.repeat(500)}` });
    }
    const notes = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      type Page = { detail: { notes: object[]; notesNextOffset?: number } };
      const { detail }: Page = await whole<Page>('task_status', { taskId, offset });
      notes.push(...detail.notes);
      offset = detail.notesNextOffset;
    }
    expect(new Set(notes.map((note) => JSON.stringify(note))).size).toBe(12);
    const events = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      type Page = { events: object[]; nextOffset?: number };
      const page: Page = await whole<Page>('query_task_state', { taskId, offset });
      events.push(...page.events);
      offset = page.nextOffset;
    }
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(13);
  });

  it('a task is handed over with as much as fits of what it waited for, its notes and its progress', async () => {
    const dependsOn = [];
    for (let at = 0; at < 30; at += 1) {
      dependsOn.push(await bus.submit({ title: 'T'.repeat(100) }));
      const { leaseId } = await bus.lease('ben');
      await bus.answer('complete_task', { leaseId, result: 'r'.repeat(300) });
    }
    const taskId = await bus.submit({ dependsOn });
    const { leaseId } = await bus.lease('ben');
    await bus.answer('heartbeat_task', { leaseId, progress: 'x'.repeat(2_000) });
    for (let at = 0; at < 5; at += 1) {
      await bus.answer('update_task', { taskId, note: `${at} ${'n'.repeat(300)}` });
    }
    await bus.answer('reset_worker', { worker: 'ben' });
    const { task } = await whole<{ task: object }>('poll_task', { worker: 'ann' });
    expect(task).toMatchObject({ dependenciesTotal: 30, notesTotal: 5, progress: { valueChars: 2_000 } });
  });

  it('each list of the bus goes on from one offset, none passed over', async () => {
    for (let at = 0; at < 15; at += 1) {
      await bus.answer('register_worker', { name: `w${at}`, capabilities: ['c'.repeat(60)] });
      await bus.answer('reserve_files', {
        worker: 'ann',
        globs: [`${'g'.repeat(at < 9 ? 200 : 20)}/${at}.ts`],
      });
    }
    type List = { total: number; items: object[] };
    type Page = { workers: List; reservations: List; nextOffset?: number };
    const seen = { workers: new Set<string>(), reservations: new Set<string>() };
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: Page = await whole<Page>('bus_status', { offset, limit: 200 });
      for (const item of page.workers.items) seen.workers.add(JSON.stringify(item));
      for (const item of page.reservations.items) seen.reservations.add(JSON.stringify(item));
      expect([page.workers.total, page.reservations.total]).toEqual([17, 15]);
      offset = page.nextOffset;
    }
    expect([seen.workers.size, seen.reservations.size]).toEqual([17, 15]);
  });
});

describeOnEach('in a host that shows as little as may be', (place) => {
  let bus: BusUnderTest;
  const [ann, ben] = ['a'.repeat(64), 'b'.repeat(64)];
  beforeEach(async () => {
    bus = await startBus({ ...place, maxResultChars: 1_000 });
    for (const name of [ann, ben]) await bus.answer('register_worker', { name });
  });
  afterEach(() => bus.stop());

  interface Page {
    readonly messages: readonly {
      readonly messageId: string;
      readonly body: string;
      readonly leftOut?: string;
    }[];
    readonly nextCursor?: string;
  }
  const fetch = async (args: object) => {
    const page = await bus.answer<Page>('fetch_inbox', { worker: ann, ...args });
    expect(2 * JSON.stringify(page).length).toBeLessThanOrEqual(1_000);
    return page;
  };

  it('a task is told of with what has room, the rest named and kept', async () => {
    const needed = await bus.submit();
    const task = {
      title: 'T'.repeat(200),
      payload: 'p'.repeat(500),
      dependsOn: [needed],
      label: 'l'.repeat(64),
    };
    const taskId = await bus.submit(task);
    for (let at = 0; at < 3; at += 1)
      await bus.answer('update_task', { taskId, note: `${at} ${'n'.repeat(90)}` });
    interface Told {
      readonly tasks: readonly { readonly taskId: string; readonly status: string; readonly title: string }[];
      readonly detail: { readonly whole: string; readonly leftOut: string; readonly payloadUri: string };
    }
    const told = await bus.answer<Told>('task_status', { taskId });
    expect(2 * JSON.stringify(told).length).toBeLessThanOrEqual(1_000);
    expect(told.tasks).toMatchObject([{ taskId, status: 'blocked' }]);
    expect(told.tasks[0]?.title).toMatch(/^T{30}… \(170 more characters\)$/);
    expect(told.detail.leftOut).toContain('notes');
    const kept = await bus.host.results.read(told.detail.whole, {} as CallContext);
    const whole = JSON.parse(kept?.text ?? '');
    expect(whole).toMatchObject({ taskId, title: task.title, dependsOn: [needed], notesTotal: 3 });
    expect(whole.notes.length).toBeGreaterThan(0);
  });

  it('every message comes whole, in parts that nothing cuts, however long its names', async () => {
    const bodies = ['short', 'x', '"'.repeat(500), '😀'.repeat(200), '\u0001'.repeat(90)];
    for (const [at, body] of bodies.entries()) {
      const long = { threadId: 't'.repeat(64), importance: 'urgent' };
      await bus.answer('send_message', { from: ben, to: ann, body, ...(at % 2 === 0 ? long : {}) });
    }
    for (const view of ['all', 'new']) {
      const seen = new Map<string, string>();
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page: Page = await fetch({ view, ...(cursor === undefined ? {} : { cursor }) });
        for (const { messageId, body } of page.messages)
          seen.set(messageId, (seen.get(messageId) ?? '') + body);
        cursor = page.nextCursor;
      }
      expect([...seen.values()].sort()).toEqual([...bodies].sort());
    }
  });

  it('a task is handed over with its lease whole, and says what of it is left out', async () => {
    const taskId = await bus.submit({ title: 'T'.repeat(150), payload: 'p'.repeat(5_000) });
    for (let at = 0; at < 3; at += 1) await bus.answer('update_task', { taskId, note: 'n'.repeat(300) });
    const answer = await bus.answer<{ task: Record<string, unknown> }>('poll_task', { worker: ann });
    expect(2 * JSON.stringify(answer).length).toBeLessThanOrEqual(1_000);
    expect(answer.task).toMatchObject({
      taskId,
      leaseId: expect.stringMatching(/^lease_[0-9a-f]{16}$/),
      leaseExpiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      payloadUri: `nexus://tasks/${taskId}/payload`,
      leftOut: expect.stringContaining('notes'),
    });
  });

  it('a long message comes in no more parts than are of use', async () => {
    await bus.answer('send_message', { from: ben, to: ann, body: 'x'.repeat(5_000) });
    let pages = 0;
    for (let length = 0; length < 5_000; pages += 1) {
      const [message] = (await fetch({})).messages;
      length += message?.body.length ?? 0;
    }
    expect(pages).toBeLessThan(25);
  });

  it('an answer without room for any part of a message marks none, and the next gives it', async () => {
    const sent = [];
    for (let at = 0; at < 15; at += 1) {
      sent.push(await bus.answer<{ messageId: string }>('send_message', { from: ben, to: ann, body: 'x' }));
    }
    const ack = sent.slice(0, 12).map(({ messageId }) => messageId);
    const { messages } = await bus.answer<Page>('fetch_inbox', { worker: ann, ack });
    expect(messages).toEqual([]);
    expect((await fetch({})).messages).toHaveLength(1);
  });
});

describeOnEach('the status of the bus in a host that shows little', (place) => {
  let bus: BusUnderTest;
  afterEach(() => bus.stop());
  type List = { total: number; items: Record<string, unknown>[] };
  type Names = 'unmet' | 'workers' | 'deadLetters' | 'reservations';
  type Status = Record<Names, List> & { nextOffset?: number; leftOut?: string; whole?: string };
  const keys = { unmet: 'needs', workers: 'name', deadLetters: 'taskId', reservations: 'glob' } as const;

  it.each([1_000, 1_500, 2_500, 5_000, 9_000])(
    'passes over nothing at %d characters',
    async (maxResultChars) => {
      bus = await startBus({ ...place, maxResultChars });
      const read = async (uri: unknown) =>
        JSON.parse((await bus.host.results.read(String(uri), {} as CallContext))?.text ?? '');
      const reason = (at: number) => `${at} ${'"r" '.repeat(850)}`;
      for (let at = 0; at < 3; at += 1) {
        const name = `${'w'.repeat(60)}${at}`;
        await bus.answer('register_worker', {
          name,
          capabilities: Array.from({ length: 3 + 12 * at }, (_, skill) => `s${at}${skill}${'x'.repeat(50)}`),
        });
        await bus.answer('reserve_files', { worker: name, globs: [`${'g'.repeat(400)}/${at}.ts`] });
        await bus.submit({ maxAttempts: 1, title: 'T'.repeat(150) });
        const { leaseId } = await bus.lease(name);
        await bus.answer('fail_task', { leaseId, reason: reason(at) });
      }
      await bus.submit({ capabilities: ['n'.repeat(64), 'm'.repeat(64)] });
      for (let at = 0; at < 9; at += 1) {
        await bus.submit();
        await bus.lease(`${'w'.repeat(60)}0`);
      }
      const seen = new Map<string, Record<string, unknown>>();
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page: Status = await bus.answer<Status>('bus_status', { offset, limit: 200 });
        expect(2 * JSON.stringify(page).length).toBeLessThanOrEqual(maxResultChars);
        const all = page.whole === undefined ? {} : await read(page.whole);
        for (const name of Object.keys(keys) as Names[]) {
          const shown = page[name].items;
          const isLeftOut = page.leftOut?.split(', ').includes(name) ?? false;
          expect([name, shown.length > 0 && isLeftOut]).toEqual([name, false]);
          for (const item of isLeftOut ? [all[name]] : shown) {
            const { whole = item, ...begun } = item;
            const entire = whole === item ? item : await read(whole);
            expect(begun).toMatchObject(name === 'deadLetters' ? { taskId: entire.taskId } : {});
            seen.set(JSON.stringify([name, entire[keys[name]]]), entire);
          }
        }
        expect(page.deadLetters.total).toBe(3);
        offset = page.nextOffset;
      }
      expect(seen.size).toBe(10);
      const letters = [...seen.values()].filter((each) => 'reason' in each);
      expect(letters.map((each) => each.reason).sort()).toEqual([0, 1, 2].map(reason));
    },
  );
});

describeOnEach('the notes of a task in a host that shows little', (place) => {
  let bus: BusUnderTest;
  afterEach(() => bus.stop());

  it.each([1_400, 2_000, 5_000, 7_000])(
    'come one after another at %d characters, by their beginnings',
    async (room) => {
      bus = await startBus({ ...place, maxResultChars: room });
      const { submit, answer } = bus;
      const needed = await submit();
      const taskId = await submit({ title: 'T'.repeat(120), payload: 'p'.repeat(600), dependsOn: [needed] });
      const notes = Array.from({ length: 6 }, (_, at) => `${at} ${'n"'.repeat(1_900)}`);
      for (const note of notes) await answer('update_task', { taskId, note });
      type Told = { detail: { notes: { text: string }[]; whole: string; notesNextOffset?: number } };
      const begun: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const told: Told = await answer<Told>('task_status', { taskId, offset });
        expect(2 * JSON.stringify(told).length).toBeLessThanOrEqual(room);
        const whole = JSON.parse(
          (await bus.host.results.read(told.detail.whole, {} as CallContext))?.text ?? '',
        ) as Told['detail'];
        begun.unshift(...told.detail.notes.map(({ text }) => text));
        expect(whole.notes.map(({ text }) => text)).toEqual([notes.at(-1 - offset)]);
        offset = told.detail.notesNextOffset;
      }
      expect(begun.length).toBe(6);
      for (const [at, text] of begun.entries()) {
        expect(text).toMatch(/^\d [n"]{30,}… \(\d+ more characters\)$/);
        const [, start = '', left] = /^(.*)… \((\d+) more characters\)$/.exec(text) ?? [];
        expect([notes[at]?.startsWith(start), start.length + Number(left)]).toEqual([true, 3_802]);
      }
    },
  );
});
