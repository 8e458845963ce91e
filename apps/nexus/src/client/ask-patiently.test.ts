import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectLog } from '@nexus/testing';
import { joinOrClaim, meetingPoint, type Question } from '@nexus/transports/ipc';
import { afterAll, expect, it, vi } from 'vitest';
import { askPatiently } from './ask-patiently.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-ask-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ownerOf(buildId: string, answer: (question: Question) => Promise<Record<string, unknown>>) {
  const point = await meetingPoint(
    { projectRoot: folder, dataDir: folder, buildId },
    { NEXUS_RUNTIME_DIR: folder },
  );
  const found = await joinOrClaim({
    point,
    log: collectLog().log,
    signal: new AbortController().signal,
    session: { sessionId: 's', isResumed: false, environment: {} },
  });
  if (found.role !== 'claimed') throw new Error('there is an owner already');
  return { point, owner: await found.claim.listen({ accept() {}, answer }) };
}

it('waits for a server that is long over its answer as long as it answers beside', async () => {
  let looks = 0;
  let done = (_: Record<string, unknown>) => {};
  const { point, owner } = await ownerOf('long', async (question) => {
    if (question === 'runs') return new Promise((resolve) => (done = resolve));
    expect(question).toBe('ping');
    looks += 1;
    if (looks === 3) done({ runs: 7 });
    return {};
  });
  const asked = askPatiently(point, { question: 'runs', details: {}, patienceMs: 100 });
  expect(await asked).toEqual({ runs: 7 });
  expect(looks).toBe(3);
  await owner.close();
});

it('tells once of a server that waits for its database, and goes on waiting, also where it hangs over its status', async () => {
  const said: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  let pings = 0;
  let done = (_: Record<string, unknown>) => {};
  const { point, owner } = await ownerOf('waits', async (question) => {
    if (question !== 'ping') return new Promise((resolve) => (done = resolve));
    pings += 1;
    if (pings === 3) done({ sessions: [] });
    return { isStoreAway: true };
  });
  expect(await askPatiently(point, { question: 'status', details: {}, patienceMs: 100 })).toEqual({
    sessions: [],
  });
  stderr.mockRestore();
  expect(said).toEqual([
    `The running server, process ${process.pid}, is well and waits for its database, which does not answer; \`nexus doctor\` says why.\n`,
  ]);
  await owner.close();
});

it('waits for an answer for longer than a server that hangs is waited for', { timeout: 60_000 }, async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let done = (_: Record<string, unknown>) => {};
  let isAsked = () => {};
  const came = new Promise<void>((resolve) => (isAsked = resolve));
  const { point, owner } = await ownerOf('slow', async (question) => {
    if (question === 'ping') return {};
    isAsked();
    return new Promise((resolve) => (done = resolve));
  });
  const asked = askPatiently(point, { question: 'runs', details: {}, patienceMs: 5_000 });
  await came;
  vi.advanceTimersByTime(75_000);
  vi.useRealTimers();
  setTimeout(() => done({ runs: 7 }), 100);
  expect(await asked).toEqual({ runs: 7 });
  await owner.close();
});

it('names the process that answers nothing, and what to do', async () => {
  const { point, owner } = await ownerOf('silent', () => new Promise(() => {}));
  const asked = askPatiently(point, { question: 'runs', details: {}, patienceMs: 100 });
  await expect(asked).rejects.toThrow(
    `the running server, process ${process.pid}, did not answer within 0.2 s: it is stopped or overloaded. If you end that process, another goes on.`,
  );
  await owner.close();
});
