import { createRegistry } from '@nexus/core';
import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import type { Holding } from './holding.ts';
import { createHoldings } from './holdings.ts';
import { createSessions, type Session } from './session.ts';

interface LeaseTold extends Lease {
  readonly told: string[];
}

/** A lease that says what is done with it. */
function leaseOn(link: LinkStatus, told: string[] = []): LeaseTold {
  const lease = {
    link,
    told,
    giveUp: () => void told.push('given up'),
    [Symbol.dispose]: () => void told.push('disposed'),
  };
  return lease as unknown as LeaseTold;
}

const tool = (name: string) => ({
  registered: { name, plugin: 'toolbox', listing: { name, inputSchema: { type: 'object' } } },
  catalogued: { server: 's', tool: name, registeredName: name },
});
/** A toolbox with these tools, open by these leases. */
const open = (leases: readonly Lease[], ...names: string[]) =>
  ({
    state: 'open',
    leases,
    offer: { tools: () => ({ tools: names.map(tool), held: [] }) },
  }) as unknown as Holding;

function start(toolMode: 'dynamic' | 'proxy' = 'dynamic') {
  const sessions = createSessions(async () => {});
  const session = sessions.start(scopeOf('one'), {});
  const registry = createRegistry();
  const moved: { readonly links: readonly LinkStatus[]; readonly told: readonly string[] }[] = [];
  const all: LeaseTold[] = [];
  const holdings = createHoldings({
    registry,
    toolMode: () => toolMode as never,
    users: sessions.users,
    moved: (_, links) => void moved.push({ links, told: all.flatMap(({ told }) => told) }),
  });
  const lease = (link = {} as LinkStatus) => {
    const made = leaseOn(link);
    all.push(made);
    return made;
  };
  const names = () => registry.list(session.scope).map(({ name }) => name);
  const listed = () => registry.listed(session.scope).map(({ name }) => name);
  return { session, registry, holdings, moved, lease, names, listed };
}

it('what takes the place of a holding keeps the leases of both, takes the new and gives back the others', () => {
  const { session, holdings, moved, lease, names, listed } = start();
  const [kept, gone, added] = [lease(), lease(), lease()];
  expect(holdings.set(session, 'box', open([kept, gone], 'one'))).toEqual([]);
  expect(moved.map(({ links }) => links)).toEqual([[kept.link, gone.link]]);
  holdings.set(session, 'box', open([kept, added], 'two'));
  // Its servers are told of it while their leases are still there.
  expect(moved[1]).toEqual({ links: [added.link, gone.link], told: [] });
  expect([kept.told, gone.told, added.told]).toEqual([[], ['disposed'], []]);
  expect([...session.links.keys()]).toEqual([kept.link, added.link]);
  expect([names(), listed()]).toEqual([['two'], ['two']]);
  // Nobody is told where all connections are the same.
  holdings.set(session, 'box', open([kept, added], 'three'));
  expect(moved).toHaveLength(2);
});

it('nothing in the place of a holding takes it away whole, and leaves the other toolboxes', () => {
  const { session, holdings, lease, names } = start();
  const [one, other] = [lease(), lease()];
  holdings.set(session, 'box', open([one], 'a'));
  holdings.set(session, 'other', open([other], 'b'));
  const before = session.holdings;
  holdings.set(session, 'box', undefined);
  expect([...session.holdings.keys()]).toEqual(['other']);
  expect([...before.keys()]).toEqual(['box', 'other']);
  expect([one.told, other.told, names()]).toEqual([['disposed'], [], ['b']]);
});

it('a session that has ended gets nothing: what was to be its is given up', async () => {
  const { session, holdings, moved, lease } = start();
  const late = lease();
  await (session.scope as Session['scope'] & { end(): Promise<void> }).end();
  expect(holdings.set(session, 'box', open([late], 'a'))).toEqual([]);
  expect([late.told, session.holdings.size, moved]).toEqual([['given up'], 0, []]);
});

it('the end gives back the leases of every toolbox', () => {
  const { session, holdings, moved, lease } = start();
  const leases = [lease(), lease()] as const;
  holdings.set(session, 'box', open([leases[0]], 'a'));
  holdings.set(session, 'other', open([leases[1]], 'b'));
  holdings.end(session);
  expect(leases.map(({ told }) => told)).toEqual([['disposed'], ['disposed']]);
  expect([session.holdings.size, session.links.size]).toEqual([0, 0]);
  expect(moved.at(-1)).toEqual({ links: leases.map(({ link }) => link), told: [] });
});

it('tools are listed where the mode says so, and registered anew for a toolbox that the session has', () => {
  const { session, holdings, lease, names, listed } = start('proxy');
  const mutable = ['a'];
  const holding = {
    ...open([lease()]),
    offer: { tools: () => ({ tools: mutable.map(tool), held: [] }) },
  } as unknown as Holding;
  holdings.set(session, 'box', holding);
  expect([names(), listed()]).toEqual([['a'], []]);
  mutable.push('b');
  holdings.refresh(session, 'elsewhere');
  expect(names()).toEqual(['a']);
  holdings.refresh(session, 'box');
  expect(names()).toEqual(['a', 'b']);
});

it('a toolbox that the session has no more is not registered anew', () => {
  const { session, holdings, lease, registry } = start();
  holdings.set(session, 'box', open([lease()], 'a'));
  holdings.set(session, 'box', undefined);
  let changes = 0;
  registry.onChange(() => {
    changes += 1;
  });
  holdings.refresh(session, 'box');
  expect(changes).toBe(0);
});
