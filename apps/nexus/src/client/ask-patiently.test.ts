import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectLog } from '@nexus/testing';
import { joinOrClaim, meetingPoint, type Question } from '@nexus/transports/ipc';
import { afterAll, expect, it } from 'vitest';
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
    looks += 1;
    if (looks === 3) done({ runs: 7 });
    return {};
  });
  const asked = askPatiently(point, { question: 'runs', details: {}, patienceMs: 100 });
  expect(await asked).toEqual({ runs: 7 });
  expect(looks).toBe(3);
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
