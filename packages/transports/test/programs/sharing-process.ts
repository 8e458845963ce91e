// What `nexus --mode=server` does, with a small server in place of Nexus: joins the owner or becomes it.
import { randomUUID } from 'node:crypto';
import {
  type Claim,
  createReconnect,
  joinOrClaim,
  meetingPoint,
  type Owner,
  runBridge,
} from '../../src/ipc/index.ts';
import { claimStdout, stdioChannel } from '../../src/stdio/index.ts';
import { serveFixture } from './fixture-server.ts';

const say = (level: string) => (message: string, fields?: object) =>
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
const { stream: stdout } = claimStdout();
const point = await meetingPoint(JSON.parse(String(process.argv[2])));
const environment = { HOST_NAME: process.env.HOST_NAME ?? '' };
const session = { sessionId: randomUUID(), environment };
const sessions: { stop(): Promise<void> }[] = [];
let owner: Owner | undefined;

async function becomeOwner(claim: Claim): Promise<void> {
  owner = await claim.listen({
    accept: (visitor) => void sessions.push(serveFixture(visitor)),
    async answer(question) {
      if (question === 'stop') setImmediate(() => void stop());
      return { pid: process.pid, sessions: sessions.length };
    },
  });
  log.info('owner', { pid: process.pid });
}

async function stop(): Promise<void> {
  await owner?.retire();
  await Promise.all(sessions.map((each) => each.stop()));
  await owner?.close();
  process.exit(0);
}

process.on('SIGTERM', () => void stop());
const signal = new AbortController().signal;
const joined = await joinOrClaim({ point, log, signal, session: { ...session, isResumed: false } });
if (joined.role === 'claimed') {
  await becomeOwner(joined.claim);
  const channel = stdioChannel({ log, stdout });
  const { start } = channel;
  const ended = new Promise<void>((resolve) => {
    channel.start = (handlers) =>
      start({
        ...handlers,
        closed() {
          handlers.closed();
          resolve();
        },
      });
  });
  sessions.push(serveFixture({ channel, isResumed: false, ...session }));
  await ended;
} else {
  await runBridge({
    stdin: process.stdin,
    stdout,
    socket: joined.socket,
    log,
    reconnect: createReconnect({ point, session, log, becomeOwner }),
  });
}
await stop();
