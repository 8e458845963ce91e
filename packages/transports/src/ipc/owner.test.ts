import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectingLog } from '../../test/collecting-log.ts';
import { tryClaim } from './claim.ts';
import { openDoor } from './door.ts';
import { HELLO_VERSION, type Purpose } from './hello.ts';
import {
  askOwner,
  type Claim,
  createReconnect,
  join,
  joinOrClaim,
  joinRunning,
  meetingPoint,
} from './index.ts';
import { knock } from './knock.ts';
import { otherBuilds } from './other-builds.ts';
import { readPointer, writePointer } from './pointer.ts';
import { trySucceed } from './succeed.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(joinPath(tmpdir(), 'nexus-owner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const identity = () => ({ projectRoot: folder, dataDir: folder, buildId: 'b' });
const { log, lines } = collectingLog();

async function options({ signal = new AbortController().signal, build = 'b' } = {}) {
  const point = await meetingPoint({ ...identity(), buildId: build }, { NEXUS_RUNTIME_DIR: folder });
  return { point, log, signal, session: { sessionId: 's', isResumed: false, environment: { A: 'b' } } };
}

async function claim(): Promise<Claim> {
  const found = await joinOrClaim(await options());
  if (found.role !== 'claimed') throw new Error('there is an owner already');
  return found.claim;
}

const handlers = { accept: () => {}, answer: async (question: string) => ({ question }) };

describe('the owner', () => {
  it('is told who comes, with the environment and the session', async () => {
    const accept = vi.fn();
    const owner = await (await claim()).listen({ ...handlers, accept });
    const socket = await join(await options());
    expect(accept).toHaveBeenCalledWith({
      channel: expect.objectContaining({ kind: 'ipc' }),
      sessionId: 's',
      isResumed: false,
      environment: { A: 'b' },
      pid: process.pid,
    });
    socket.destroy();
    await owner.close();
  });

  it('is seen and asked from another build of the same project, and from no other project', async () => {
    const owner = await (await claim()).listen(handlers);
    const { point, ...rest } = await options({ build: 'c' });
    const others = await otherBuilds(point, () => true);
    expect(others).toMatchObject([{ pid: process.pid, buildId: 'b' }]);
    const [older] = others;
    if (older)
      expect(await askOwner('status', { ...rest, point: older.point })).toEqual({ question: 'status' });
    expect(await otherBuilds(point, () => false)).toEqual([]);
    expect(await otherBuilds((await options()).point, () => true)).toEqual([]);
    const elsewhere = { ...point, identity: { ...point.identity, dataDir: '/elsewhere' } };
    expect(await otherBuilds(elsewhere, () => true)).toEqual([]);
    await owner.close();
  });

  it('answers questions about itself, and none runs where none answers', async () => {
    expect(await askOwner('status', await options())).toBeUndefined();
    const owner = await (await claim()).listen(handlers);
    expect(await askOwner('status', await options())).toEqual({ question: 'status' });
    await owner.close();
    expect(await askOwner('stop', await options())).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')(
    'has no place for a session where files run out, and says why; it can still be asked and stopped',
    async () => {
      const accept = vi.fn();
      const files = { limit: 0 };
      const { point, session, signal } = await options();
      const { identity } = point;
      const place = { socketPath: joinPath(folder, 'full.sock'), token: 't', identity, log };
      const door = await openDoor({ ...handlers, ...place, accept, openFilesLimit: () => files.limit });
      const say = (purpose: Purpose) =>
        knock(
          place.socketPath,
          { nexus: HELLO_VERSION, identity, token: 't', pid: process.pid, ...purpose },
          { signal, patience: signal },
        );
      await expect(say({ purpose: 'session', session })).rejects.toThrow(/refused this process: .*ulimit -n/);
      expect(await say({ purpose: 'stop' })).toMatchObject({ reply: { answer: { question: 'stop' } } });
      expect(accept).not.toHaveBeenCalled();
      files.limit = Infinity;
      expect(await say({ purpose: 'session', session })).toMatchObject({ kind: 'open' });
      expect(accept).toHaveBeenCalledTimes(1);
      door.shut();
      await door.disconnect();
    },
  );

  it('answers at any length, and the answer is put together once', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    const owner = await (await claim()).listen({ ...handlers, answer: async () => ({ text }) });
    const concat = vi.spyOn(Buffer, 'concat');
    const answer = await askOwner('runs', await options());
    const joins = concat.mock.calls.filter(([pieces]) => pieces.length > 8).length;
    concat.mockRestore();
    expect(answer?.text).toBe(text);
    expect(joins).toBe(1);
    await owner.close();
  });

  it('lets nobody in once it retires, and nobody take its place until it is closed', async () => {
    const owner = await (await claim()).listen(handlers);
    await owner.retire();
    expect(await joinRunning(await options())).toBeUndefined();
    const waiting = joinOrClaim(await options({ signal: AbortSignal.timeout(100) }));
    await expect(waiting).rejects.toThrow('timeout');
    await owner.close();
    (await claim()).release();
  });

  it('tells those that join which lines it refuses as too long', async () => {
    const owner = await (await claim()).listen({
      accept: () => {},
      answer: async () => ({}),
      maxMessageBytes: 70_000,
    });
    const joined = await joinRunning(await options());
    expect(joined?.maxMessageBytes).toBe(70_000);
    joined?.socket.destroy();
    await owner.close();
  });

  it('is awaited by those that come while it starts', async () => {
    const first = await claim();
    const second = joinOrClaim(await options());
    const owner = await first.listen(handlers);
    const found = await second;
    expect(found.role).toBe('joined');
    if (found.role === 'joined') found.socket.destroy();
    await owner.close();
  });

  it('keeps its files fresh, since folders for temporary files are swept of old ones', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const owner = await (await claim()).listen(handlers);
    const { point } = await options();
    const files = [point.lockPath, point.pointerPath];
    for (const path of files) utimesSync(path, 0, 0);
    vi.advanceTimersByTime(60 * 60 * 1000);
    vi.useRealTimers();
    await vi.waitFor(() => {
      for (const path of files) expect(statSync(path).mtimeMs).toBeGreaterThan(0);
    });
    await owner.close();
  });

  it('is awaited by those that only join', async () => {
    const reconnect = createReconnect({ ...(await options()), session: { sessionId: 's', environment: {} } });
    const joining = reconnect(new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const accept = vi.fn();
    const owner = await (await claim()).listen({ ...handlers, accept });
    const socket = await joining;
    expect(accept).toHaveBeenCalledWith(expect.objectContaining({ isResumed: true }));
    socket.destroy();
    await owner.close();
  });

  it('gives its place free when it could not start', async () => {
    (await claim()).release();
    (await claim()).release();
  });

  it.skipIf(process.platform === 'win32')('keeps socket, pointer and lock to its user', async () => {
    const owner = await (await claim()).listen(handlers);
    const { point } = await options();
    for (const path of [owner.socketPath, point.pointerPath, point.lockPath]) {
      expect(statSync(path).mode & 0o077).toBe(0);
    }
    await owner.close();
  });

  it('turns away whoever has not its token, and says so', async () => {
    const owner = await (await claim()).listen(handlers);
    const { point } = await options();
    const pointer = JSON.parse(readFileSync(point.pointerPath, 'utf8'));
    writeFileSync(point.pointerPath, JSON.stringify({ ...pointer, token: 'f'.repeat(64) }));
    await expect(joinOrClaim(await options())).rejects.toThrow(/refused this process: the token is not/);
    await owner.close();
  });

  it('turns away another build with what differs', async () => {
    const owner = await (await claim()).listen(handlers);
    const { point } = await options();
    const other = await options({ build: 'c' });
    // As if the two had been led to the same place.
    writeFileSync(other.point.pointerPath, readFileSync(point.pointerPath));
    chmodSync(other.point.pointerPath, 0o600);
    await expect(join(other)).rejects.toThrow('buildId is c there and b here');
    await owner.close();
  });

  it.each([
    ['no JSON', 'hello\n', 'no hello'],
    ['another protocol', '{"nexus":2}\n', 'the sharing protocol is 2 there and 1 here'],
  ])('turns away a first line that is %s', async (_, line, reason) => {
    const owner = await (await claim()).listen(handlers);
    const socket = connect(owner.socketPath).setEncoding('utf8');
    socket.write(line);
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (text) => resolve(String(text))),
    );
    expect(JSON.parse(answer)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
    socket.destroy();
    await owner.close();
  });

  it('is not disturbed by a connection that ends before its hello', async () => {
    const owner = await (await claim()).listen(handlers);
    const socket = connect(owner.socketPath);
    socket.end('{"nex');
    await vi.waitFor(() => expect(JSON.stringify(lines)).toContain('came to nothing'));
    socket.destroy();
    const joined = await join(await options());
    joined.destroy();
    await owner.close();
  });
});

describe('an owner that hangs', () => {
  /** Has the claim and its pointer, lets in whoever connects, and never says a word. */
  async function hanging() {
    const { point } = await options();
    const held = await claim();
    const socketPath = point.newSocketPath();
    const server = createServer(() => {}).listen(socketPath);
    await once(server, 'listening');
    await writePointer(point.pointerPath, { socketPath, token: 'of the one that hangs', pid: 1 });
    return { held, end: () => void server.close() };
  }

  it('is replaced by one of those that wait for it, once they have waited long enough', async () => {
    const { end } = await hanging();
    const impatient = { ...(await options()), patienceMs: 1_000 };
    const roles = [joinOrClaim(impatient), joinOrClaim(impatient)].map(async (coming) => {
      const found = await coming;
      if (found.role === 'joined') found.socket.destroy();
      return found;
    });
    const first = await Promise.race(roles);
    if (first.role !== 'claimed') throw new Error('nobody took its place');
    expect(first.claim.isSuccession).toBe(true);
    const owner = await first.claim.listen(handlers);
    expect((await Promise.all(roles)).map(({ role }) => role).sort()).toEqual(['claimed', 'joined']);
    await owner.close();
    end();
  });

  it('is left alone by those that only ask', async () => {
    const { end } = await hanging();
    expect(await askOwner('status', { ...(await options()), patienceMs: 1_000 })).toBeUndefined();
    expect(await tryClaim((await options()).point, log)).toBeUndefined();
    end();
  });

  it('lets go of its visitors when it goes on, and of nothing that is its successor’s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { point } = await options();
    const before = await (await claim()).listen(handlers);
    const visitor = await join(await options());
    const pointer = await readPointer(point.pointerPath);
    const successor = await trySucceed(point, pointer ?? expect.fail(), log);
    const owner = await (successor ?? expect.fail()).listen(handlers);
    const left = once(visitor, 'end');
    visitor.resume();
    vi.advanceTimersByTime(5_000);
    await left;
    visitor.destroy();
    await before.close();
    const { role } = await joinOrClaim(await options()).then((found) => {
      if (found.role === 'joined') found.socket.destroy();
      return found;
    });
    expect(role).toBe('joined');
    await owner.close();
  });
});
