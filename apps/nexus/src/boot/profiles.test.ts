import { type ClientOfUser, createSessionScope } from '@nexus/core';
import { expect, it } from 'vitest';
import { createProfiles } from './profiles.ts';

const seesChanges = ({ name }: ClientOfUser) => name === 'sees';
const client = (name: string) => ({ name });
const session = () => createSessionScope({ id: 's' });

it.each(['lean', 'full'] as const)('is %s for every client where the config says so', (configured) => {
  const profiles = createProfiles(configured, { seesChanges });
  const of = session();
  expect(profiles.of(of)).toBe(configured);
  for (const name of ['sees', 'other']) expect(profiles.begin(of, client(name))).toBe(configured);
  expect(profiles.of(undefined)).toBe(configured);
});

it('is by the client where the config leaves it open, and stays as it was at the start of the session', () => {
  const known = new Set(['sees']);
  const profiles = createProfiles('auto', { seesChanges: ({ name }) => known.has(name) });
  const [one, other] = [session(), session()];
  expect([profiles.begin(one, client('sees')), profiles.begin(other, client('other'))]).toEqual([
    'lean',
    'full',
  ]);
  known.add('other');
  expect([profiles.of(one), profiles.of(other)]).toEqual(['lean', 'full']);
  expect(profiles.begin(session(), client('other'))).toBe('lean');
});

it('is that of the session which another works for, and full for one without a client', () => {
  const profiles = createProfiles('auto', { seesChanges });
  const outer = session();
  profiles.begin(outer, client('sees'));
  expect(profiles.of(createSessionScope({ id: 'inner', outer: () => outer }))).toBe('lean');
  expect([profiles.of(session()), profiles.of(undefined)]).toEqual(['full', 'full']);
});
