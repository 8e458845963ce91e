import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type SharingHost, type SharingProject, sharingProject } from '../../test/sharing-host.ts';

const wait = { timeout: 20_000, interval: 10 };

/** An owner and a host that bridges to it, both initialized. */
async function pair(project: SharingProject): Promise<[SharingHost, SharingHost]> {
  const owner = project.host({ name: 'first' });
  await owner.initialize();
  const bridge = project.host({ name: 'second' });
  await bridge.initialize();
  return [owner, bridge];
}

const session = async (host: SharingHost) => (await host.request('fixture/session')).result as Session;
interface Session {
  readonly sessionId: string;
  readonly isResumed: boolean;
  readonly environment: Record<string, string>;
  readonly heard: readonly string[];
  readonly pid: number;
}

const answersTo = (host: SharingHost, id: unknown) =>
  host.received.filter((message) => message.id === id && message.method === undefined);

describe('hosts of one project', () => {
  it('share one server, each in a session of its own', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    expect(await owner.call('look')).toMatchObject({ pid: owner.child.pid });
    expect(await bridge.call('look')).toMatchObject({ pid: owner.child.pid });
    const [first, second] = [await session(owner), await session(bridge)];
    expect(first.sessionId).not.toBe(second.sessionId);
    expect([first.environment, second.environment]).toEqual([
      { HOST_NAME: 'first' },
      { HOST_NAME: 'second' },
    ]);
    expect(project.sockets()).toHaveLength(1);
  });

  it('get through the bridge what the owner serves, and a result of 10 MB whole', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    const [direct, bridged] = [await owner.request('tools/list'), await bridge.request('tools/list')];
    expect(JSON.stringify(bridged.result)).toBe(JSON.stringify(direct.result));
    const { filler } = await bridge.call('look', { size: 10_000_000 });
    expect(filler).toHaveLength(10_000_000);
  });

  it('have faulty lines refused through the bridge as on stdio', async () => {
    await using project = sharingProject();
    const [, bridge] = await pair(project);
    bridge.child.stdin?.write('nonsense\n{"jsonrpc":"2.0","id":"f","method":5}\n');
    await vi.waitFor(() => {
      expect(answersTo(bridge, null)).toMatchObject([{ error: { code: -32700 } }]);
      expect(answersTo(bridge, 'f')).toMatchObject([{ error: { code: -32600 } }]);
    }, wait);
  });

  it('elect one owner among 16 that start at once on a dead owner’s socket', async () => {
    await using project = sharingProject();
    const dead = project.host();
    await dead.initialize();
    dead.child.kill('SIGKILL');
    await dead.exited();
    expect(project.sockets()).toHaveLength(1);
    const hosts = Array.from({ length: 16 }, () => project.host());
    await Promise.all(hosts.map((host) => host.initialize()));
    const served = await Promise.all(hosts.map((host) => host.call('look')));
    expect(new Set(served.map(({ pid }) => pid)).size).toBe(1);
    expect(project.sockets()).toHaveLength(1);
  });

  it('do not meet when their builds differ', async () => {
    await using project = sharingProject();
    const [owner] = await pair(project);
    const other = project.host({ buildId: 'build-2' });
    await other.initialize();
    expect(await other.call('look')).toMatchObject({ pid: other.child.pid });
    expect(await owner.call('look')).toMatchObject({ pid: owner.child.pid });
  });

  it('are turned away with the reason when their token is wrong', async () => {
    await using project = sharingProject();
    await project.host().initialize();
    const folder = join(project.runtimeDir, String(readdirSync(project.runtimeDir)[0]));
    const pointer = join(folder, String(readdirSync(folder).find((name) => name.endsWith('.json'))));
    const { token: _, ...rest } = JSON.parse(readFileSync(pointer, 'utf8'));
    writeFileSync(pointer, JSON.stringify({ ...rest, token: 'wrong' }));
    const late = project.host();
    expect(await late.exited()).toBe(1);
    expect(late.stderr()).toContain('the token is not the one');
  });

  it('wait for an owner that is stopped, and nobody takes over', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    owner.child.kill('SIGSTOP');
    const pending = bridge.call('look');
    const late = project.host();
    const initialized = late.initialize();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(project.sockets()).toHaveLength(1);
    expect(bridge.stderr() + late.stderr()).not.toContain('"owner"');
    owner.child.kill('SIGCONT');
    expect(await pending).toMatchObject({ pid: owner.child.pid });
    await initialized;
    expect(await late.call('look')).toMatchObject({ pid: owner.child.pid });
  });
});

describe('when the owner dies', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s, each request in flight is answered once',
    async (signal) => {
      await using project = sharingProject();
      const [owner, bridge] = await pair(project);
      const args = { delayMs: 300 };
      const look = bridge.call('look', { ...args, note: 'a' });
      const note = bridge.call('note', { ...args, note: 'unkeyed' });
      const keyed = bridge.call('note_keyed', { ...args, note: 'keyed', idempotencyKey: 'k' });
      await vi.waitFor(() => expect(project.notes()).toHaveLength(2), wait);
      owner.child.kill(signal);
      expect(await look).toMatchObject({ pid: bridge.child.pid, note: 'a' });
      expect(await note).toMatchObject({
        error: { code: 'NEXUS_OUTCOME_UNKNOWN', category: 'unavailable', retryable: false },
      });
      expect(await keyed).toMatchObject({ note: 'keyed' });
      expect(project.notes().filter((line) => line === 'unkeyed')).toHaveLength(1);
      const ids = bridge.received.map(({ id }) => id).filter((id) => id !== undefined);
      expect(ids).toHaveLength(new Set(ids).size);
    },
  );

  it('a keyed call that had finished is answered from its record, not run again', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    const args = { note: 'once', idempotencyKey: 'k' };
    const first = await bridge.call('note_keyed', args);
    owner.child.kill('SIGKILL');
    expect(await bridge.call('note_keyed', args)).toEqual(first);
    expect(project.notes()).toEqual(['once']);
  });

  it('the next owner hears again what the session was, and the host hears nothing of it', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    await bridge.request('logging/setLevel', { level: 'warning' });
    await bridge.request('resources/subscribe', { uri: 'nexus://config' });
    await bridge.request('resources/subscribe', { uri: 'nexus://runs' });
    await bridge.request('resources/unsubscribe', { uri: 'nexus://runs' });
    const before = await session(bridge);
    owner.child.kill('SIGKILL');
    const after = await session(bridge);
    expect(after).toMatchObject({
      sessionId: before.sessionId,
      isResumed: true,
      environment: { HOST_NAME: 'second' },
      pid: bridge.child.pid,
      heard: [
        'initialize',
        'notifications/initialized',
        'resources/subscribe',
        'logging/setLevel',
        'fixture/session',
      ],
    });
    expect(bridge.received.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('a host that had only connected is initialized by the next owner', async () => {
    await using project = sharingProject();
    const owner = project.host();
    await owner.initialize();
    owner.child.kill('SIGSTOP');
    const bridge = project.host();
    const initialized = bridge.initialize();
    await vi.waitFor(() => expect(bridge.child.pid).toBeDefined(), wait);
    await new Promise((resolve) => setTimeout(resolve, 300));
    owner.child.kill('SIGKILL');
    expect(await initialized).toMatchObject({
      result: { serverInfo: { version: String(bridge.child.pid) } },
    });
  });

  it('its open questions are taken back, and a late answer does not reach its successor', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    const questions: Record<string, unknown>[] = [];
    bridge.onQuestion((question) => questions.push(question));
    const asking = bridge.call('ask', {});
    await vi.waitFor(() => expect(questions).toHaveLength(1), wait);
    owner.child.kill('SIGKILL');
    await vi.waitFor(() => expect(questions).toHaveLength(2), wait);
    const [first, second] = questions;
    expect(bridge.received).toContainEqual(
      expect.objectContaining({
        method: 'notifications/cancelled',
        params: expect.objectContaining({ requestId: first?.id }),
      }),
    );
    expect(second?.id).not.toBe(first?.id);
    bridge.write({ id: first?.id, result: { from: 'late' } });
    bridge.write({ id: second?.id, result: { from: 'current' } });
    expect(await asking).toMatchObject({ answer: { from: 'current' }, pid: bridge.child.pid });
    expect((await session(bridge)).heard.join()).not.toContain('stray');
  });

  it('progress of a call that runs again still rises', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    const params = { name: 'look', arguments: { delayMs: 200 }, _meta: { progressToken: 'p' } };
    const call = bridge.request('tools/call', params);
    const reports = () =>
      bridge.received
        .filter(({ method }) => method === 'notifications/progress')
        .map((message) => (message.params as { progress: number }).progress);
    await vi.waitFor(() => expect(reports()).toEqual([1]), wait);
    owner.child.kill('SIGKILL');
    await call;
    expect(reports()).toEqual([1, 2]);
  });

  it('one of the bridges takes over and the others join it', async () => {
    await using project = sharingProject();
    const [owner, ...bridges] = [await pair(project), project.host(), project.host(), project.host()].flat();
    await Promise.all(bridges.slice(1).map((host) => host.initialize()));
    owner?.child.kill('SIGKILL');
    const served = await Promise.all(bridges.map((host) => host.call('look')));
    expect(new Set(served.map(({ pid }) => pid)).size).toBe(1);
    expect(bridges.map(({ child }) => child.pid)).toContain(served[0]?.pid);
  });
});

describe('when the host goes', () => {
  it('what it asked before is answered, and its bridge ends while the owner stays', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    const last = bridge.request('ping', {}, 'last');
    bridge.child.stdin?.end();
    expect(await last).toMatchObject({ result: {} });
    expect(await bridge.exited()).toBe(0);
    expect(await owner.call('look')).toMatchObject({ pid: owner.child.pid });
  });

  it('without a word, its bridge ends', async () => {
    await using project = sharingProject();
    const [, bridge] = await pair(project);
    bridge.child.stdout?.destroy();
    bridge.child.stdin?.destroy();
    expect(await bridge.exited()).toBe(0);
  });

  it('and it was the owner’s, the others go on with the next', async () => {
    await using project = sharingProject();
    const [owner, bridge] = await pair(project);
    owner.child.stdin?.end();
    expect(await owner.exited()).toBe(0);
    expect(await bridge.call('look')).toMatchObject({ pid: bridge.child.pid });
  });
});
