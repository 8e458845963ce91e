import { expect, it, vi } from 'vitest';
import { type SharingHost, sharingProject } from './sharing-host.ts';

/** Many real processes at once, again and again. */
export function sharingRounds({ elections, endings }: { elections: number; endings: number }): void {
  it(`one owner each time, and none fails to serve, when 16 processes start at once on a stale socket, ${elections} rounds`, () =>
    electOwners(elections));

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    `each request of 8 bridges is answered exactly once and none runs twice that must not, ${endings} owners ended by %s in turn`,
    (signal) => endOwners(endings, signal),
  );
}

async function electOwners(rounds: number): Promise<void> {
  await using project = sharingProject();
  const dead = project.host();
  await dead.initialize();
  await kill([dead]);
  for (let round = 0; round < rounds; round += 1) {
    expect(project.sockets()).toHaveLength(1);
    const hosts = Array.from({ length: 16 }, () => project.host());
    await Promise.all(hosts.map((host) => host.initialize()));
    const served = await Promise.all(hosts.map((host) => host.call('look')));
    const pids = new Set(served.map(({ pid }) => pid));
    expect(pids.size).toBe(1);
    const owner = hosts.find(({ child }) => pids.has(child.pid));
    // The owner last, or the others would elect successors that leave sockets of their own.
    await kill(hosts.filter((host) => host !== owner));
    await kill(owner ? [owner] : []);
  }
}

async function endOwners(rounds: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await using project = sharingProject();
  const owner = project.host();
  await owner.initialize();
  let hosts = await Promise.all(Array.from({ length: 8 }, () => bridge(project)));
  let current = owner;
  let expectedNotes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const calls = hosts.flatMap((host, at) => {
      const name = `${round}-${at}`;
      return [
        host.call('look', { delayMs: 100, note: name }).then((answer) => expect(answer.note).toBe(name)),
        host
          .call('note_keyed', { delayMs: 100, note: `k${name}`, idempotencyKey: `k${name}` })
          .then((answer) => expect(answer.note).toBe(`k${name}`)),
        // Long enough to be in flight however late the signal is seen.
        host
          .call('note', { delayMs: 5_000, note: name })
          .then((answer) => expect(answer).toMatchObject({ error: { code: 'NEXUS_OUTCOME_UNKNOWN' } })),
      ];
    });
    expectedNotes += hosts.length;
    await vi.waitFor(() => expect(unkeyed(project.notes())).toHaveLength(expectedNotes), {
      timeout: 10_000,
    });
    current.child.kill(signal);
    await Promise.all(calls);
    expect(unkeyed(project.notes())).toHaveLength(expectedNotes);
    const { pid } = (await hosts[0]?.call('look')) ?? {};
    const next = hosts.find(({ child }) => child.pid === pid);
    if (!next) throw new Error(`process ${pid} is none of the bridges`);
    for (const host of hosts) expect(repeatedAnswers(host)).toEqual([]);
    current = next;
    hosts = [...hosts.filter((host) => host !== next), await bridge(project)];
  }
}

async function bridge(project: ReturnType<typeof sharingProject>): Promise<SharingHost> {
  const host = project.host();
  await host.initialize();
  return host;
}

async function kill(hosts: readonly SharingHost[]): Promise<void> {
  for (const { child } of hosts) child.kill('SIGKILL');
  await Promise.all(hosts.map((host) => host.exited()));
}

function unkeyed(notes: readonly string[]): readonly string[] {
  return notes.filter((note) => /^\d/.test(note));
}

function repeatedAnswers({ received }: SharingHost): unknown[] {
  const ids = received.filter(({ method }) => method === undefined).map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
