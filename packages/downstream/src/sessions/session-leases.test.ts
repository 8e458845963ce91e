import type { SessionScope } from '@nexus/plugin-sdk';
import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import type { Holding } from './holding.ts';
import { createSessions, type Session } from './session.ts';
import { connectedLeases, hasOpen, listeningSessions, offers, sessionLeases } from './session-leases.ts';

const linkOf = (...calling: string[]) => ({ calling: new Set(calling) }) as unknown as LinkStatus;
const leaseOf = (link: LinkStatus, more: Partial<Lease> = {}) => ({ link, ...more }) as Lease;
const open = (...leases: Lease[]) => ({ state: 'open', leases }) as unknown as Holding;

function sessionWith(holdings: Readonly<Record<string, Holding>>): Session {
  const session = createSessions(async () => {}).start(scopeOf('one'), {});
  session.holdings = new Map(Object.entries(holdings));
  return session;
}

it('a session has one lease a connection, of the first of its toolboxes by name, in the config’s order', () => {
  const [shared, own, last] = [linkOf(), linkOf(), linkOf()];
  const [inB, ownOfB] = [leaseOf(shared), leaseOf(own)];
  const [lastOfA, inA] = [leaseOf(last), leaseOf(shared)];
  const reached = { state: 'reached', names: new Set() } as unknown as Holding;
  const session = sessionWith({
    b: open(inB, ownOfB),
    a: open(lastOfA, inA),
    c: open(leaseOf(last)),
    d: reached,
  });
  const leases = sessionLeases(session);
  expect(leases).toHaveLength(3);
  [lastOfA, inA, ownOfB].forEach((lease, at) => {
    expect(leases[at]).toBe(lease);
  });
});

it('connects those that were lost alone, and has all of them though one can’t be reached', async () => {
  const connected: string[] = [];
  const made = (name: string, isConnected: boolean, connect = async () => {}) =>
    leaseOf(linkOf(), {
      isConnected,
      connect: () => {
        connected.push(name);
        return connect();
      },
    });
  const there = made('there', true);
  let isBack = false;
  const lost = made('lost', false, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isBack = true;
  });
  const gone = made('gone', false, () => Promise.reject(new Error('it is gone')));
  expect(await connectedLeases(sessionWith({ a: open(there, lost, gone) }))).toEqual([there, lost, gone]);
  expect(connected).toEqual(['lost', 'gone']);
  expect(isBack).toBe(true);
});

it('what comes unasked concerns those who have the connection open, or a call on it, and nobody else', () => {
  const sessions = createSessions(async () => {});
  const begin = (id: string): SessionScope => scopeOf(id);
  const [opener, caller, other] = ['opener', 'caller', 'other'].map((id) => sessions.start(begin(id), {}));
  const link = linkOf('caller');
  sessions.users.change(opener as Session, { taken: [leaseOf(link)], gone: [] });
  expect([...listeningSessions(sessions, link)].map(({ id }) => id)).toEqual(['opener', 'caller']);
  expect([opener, caller, other].map((session) => hasOpen(session as Session, link))).toEqual([
    true,
    false,
    false,
  ]);
});

it('a server offers what it declared, and nothing while it is not there', () => {
  const server = { capabilities: { resources: {} } } as unknown as Lease['server'];
  expect(offers(leaseOf(linkOf(), { server }), 'resources')).toBe(true);
  expect(offers(leaseOf(linkOf(), { server }), 'prompts')).toBe(false);
  expect(offers(leaseOf(linkOf(), { server: undefined }), 'resources')).toBe(false);
});
