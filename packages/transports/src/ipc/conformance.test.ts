import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawClient, testTransport } from '@nexus/testing';
import { collectingLog } from '../../test/collecting-log.ts';
import { joinOrClaim, meetingPoint, type Visitor } from './index.ts';

const { log } = collectingLog();

testTransport('a local socket after its hello', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-ipc-'));
  const identity = { projectRoot: folder, dataDir: folder, buildId: 'b' };
  const point = await meetingPoint(identity, { NEXUS_RUNTIME_DIR: folder });
  const session = { sessionId: 's', isResumed: false, environment: {} };
  const options = { point, session, log, signal: new AbortController().signal };
  const first = await joinOrClaim(options);
  if (first.role !== 'claimed') throw new Error('a fresh folder has no owner');
  let accept: (visitor: Visitor) => void = () => {};
  const accepted = new Promise<Visitor>((resolve) => {
    accept = resolve;
  });
  const owner = await first.claim.listen({ accept, answer: async () => ({}) });
  const second = await joinOrClaim(options);
  if (second.role !== 'joined') throw new Error('the owner was not found');
  const { socket } = second;
  return {
    server: (await accepted).channel,
    client: rawClient({ readable: socket, writable: socket }),
    async dispose() {
      socket.destroy();
      await owner.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
