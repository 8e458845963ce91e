import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyFaults } from '@nexus/conversation';
import type { ModelBlock, ModelMessage } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionStore } from './session-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-sessions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (words: string): ModelBlock => ({ type: 'text', text: words });
const said = (words: string): ModelMessage => ({ role: 'user', content: [text(words)] });
const answered = (words: string): ModelMessage => ({ role: 'assistant', content: [text(words)] });
const use: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'u1', name: 'write', input: { to: 'a' } }],
};
const onlyFile = () => join(folder, readdirSync(folder)[0] ?? '');
/** As another process finds it. */
const reopened = () => sessionStore(folder).load();

it('keeps everything of a session, turn by turn, for its user alone', async () => {
  const store = sessionStore(folder);
  const session = store.begin();
  for (let turn = 1; turn <= 3; turn += 1) {
    session.messages = [...session.messages, said(`q${turn}`), answered(`a${turn}`)];
    session.allowed.push(`tool${turn}`);
    session.usage = { ...session.usage, inputTokens: turn };
    if (turn === 2) session.title = 'Counting';
    store.save(session);
  }
  expect(await reopened()).toEqual({ ...session, isInTurn: false });
  if (process.platform !== 'win32') expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
});

it('writes of a turn what is new, however long the conversation is', async () => {
  const store = sessionStore(folder);
  const session = store.begin();
  session.messages = [said('x'.repeat(100_000)), answered('y')];
  store.save(session);
  const before = statSync(onlyFile()).size;
  session.messages = [...session.messages, said('q'), answered('a')];
  store.save(session);
  expect(statSync(onlyFile()).size - before).toBeLessThan(1_000);
});

it('of a turn that was killed, keeps what was said and spent, and closes it', async () => {
  const store = sessionStore(folder);
  const session = store.begin();
  session.messages = [said('q1'), answered('a1')];
  store.save(session);
  session.spent = { tokens: 70, costUsd: 0.5 };
  store.note(session, [...session.messages, said('q2')]);
  expect(await reopened()).toMatchObject({ messages: session.messages, spent: { tokens: 70, costUsd: 0.5 } });
  store.note(session, [...session.messages, said('q2'), use]);
  const resumed = await reopened();
  expect(historyFaults([...resumed.messages, said('q3')])).toEqual([]);
  expect(JSON.stringify(resumed.messages.slice(-2))).toMatch(/Not known whether it was done.*ended early/);
  // And goes on in the same file.
  const again = sessionStore(folder);
  const other = await again.load();
  other.messages = [...other.messages, said('q3'), answered('a3')];
  again.save(other);
  expect((await reopened()).messages).toEqual(other.messages);
});

it('survives a kill in the middle of a line, wherever that is', async () => {
  const store = sessionStore(folder);
  const session = store.begin();
  session.messages = [said('q1'), answered('a1')];
  store.save(session);
  const whole = readFileSync(onlyFile(), 'utf8');
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 2 }), async (cut) => {
      writeFileSync(onlyFile(), whole);
      appendFileSync(onlyFile(), whole.slice(0, cut + 1));
      const other = sessionStore(folder);
      const found = await other.load();
      expect(found.messages).toEqual(session.messages);
      found.messages = [...found.messages, said('q2'), answered('a2')];
      other.save(found);
      expect((await reopened()).messages).toEqual(found.messages);
    }),
    { numRuns: 50 },
  );
});

it('goes on with a session that was kept as one object', async () => {
  const store = sessionStore(folder);
  const old = { ...store.begin(), messages: [said('q1'), answered('a1')] };
  writeFileSync(join(folder, `${old.id}.json`), JSON.stringify(old));
  const session = await store.load(old.id);
  session.messages = [...session.messages, said('q2'), answered('a2')];
  store.save(session);
  expect((await reopened()).messages).toEqual(session.messages);
  expect(await store.list()).toMatchObject([{ id: old.id, exchanges: 2, firstWords: 'q1' }]);
});

it('keeps no session that holds nothing, and shows none that is on disk; what was paid for counts', async () => {
  const store = sessionStore(folder);
  const session = store.begin();
  session.spent = { tokens: 0, costUsd: 0 };
  session.title = 'Mine';
  store.save(session);
  await store.settled();
  expect(readdirSync(folder)).toEqual([]);
  // As an earlier version left it.
  store.note(session, []);
  store.save(session);
  expect(await store.list()).toEqual([]);
  session.spent = { tokens: 0, costUsd: 0, unknownCalls: 1 };
  store.save(session);
  expect(await store.list()).toMatchObject([{ id: session.id, exchanges: 0 }]);
});
