import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import { createSessions } from './session.ts';

const { start, users } = createSessions(async () => {});
const link = () => ({}) as LinkStatus;
const lease = (of: LinkStatus) => ({ link: of }) as Lease;

it('names the connections that are new to a session, and none of those that it had', () => {
  const session = start(scopeOf('one'), {});
  const [had, added] = [link(), link()];
  expect(users.change(session, { taken: [lease(had)], gone: [] })).toEqual([had]);
  expect(users.change(session, { taken: [lease(had), lease(added)], gone: [] })).toEqual([added]);
  expect([...users.of(had)]).toEqual([session]);
});

it('has a session among the users of a connection until its last lease on it is gone', () => {
  const [one, other] = [start(scopeOf('one'), {}), start(scopeOf('other'), {})];
  const shared = link();
  const leases = [lease(shared), lease(shared)];
  users.change(one, { taken: leases, gone: [] });
  users.change(other, { taken: [lease(shared)], gone: [] });
  expect(users.change(one, { taken: [], gone: leases.slice(0, 1) })).toEqual([]);
  expect([...users.of(shared)]).toEqual([one, other]);
  expect(users.change(one, { taken: [], gone: leases.slice(1) })).toEqual([shared]);
  expect([...users.of(shared)]).toEqual([other]);
});

it('names no connection where one lease takes the place of another on it', () => {
  const session = start(scopeOf('one'), {});
  const same = link();
  const [before, after] = [lease(same), lease(same)];
  users.change(session, { taken: [before], gone: [] });
  expect(users.change(session, { taken: [after], gone: [before] })).toEqual([]);
  expect([...(session.links.get(same) ?? [])]).toEqual([after]);
});
