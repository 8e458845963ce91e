import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askOwner, joinOrClaim, meetingPoint } from '@nexus/transports/ipc';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../log.ts';
import { serversIn } from './servers-in.ts';

it('finds a server of any project as long as it holds its lock, also before it listens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-met-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pointOf = (project: string) =>
    meetingPoint(
      { projectRoot: join(folder, project), dataDir: folder, buildId: 'b' },
      { NEXUS_RUNTIME_DIR: folder },
    );
  const here = await pointOf('here');
  const rest = { log: createLog('error'), signal: new AbortController().signal };
  const session = { sessionId: 's', isResumed: false, environment: {} };
  const joined = await joinOrClaim({ ...rest, point: await pointOf('there'), session });
  if (joined.role !== 'claimed') throw new Error('another has it');
  expect(await serversIn(here)).toMatchObject([{ pid: undefined, point: undefined }]);
  const owner = await joined.claim.listen({ accept() {}, answer: async (question) => ({ question }) });
  const [server] = await serversIn(here);
  expect(server?.pid).toBe(process.pid);
  const answer = server?.point && (await askOwner('stop', { ...rest, point: server.point }));
  expect(answer).toEqual({ question: 'stop' });
  await owner.close();
  expect(await serversIn(here)).toEqual([]);
});
