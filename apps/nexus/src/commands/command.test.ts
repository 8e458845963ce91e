import { expect, it } from 'vitest';
import { type CommandOption, faultOfChoices } from './command.ts';

const known: readonly CommandOption[] = [
  { flags: '--json', description: 'print JSON' },
  { flags: '--status <status>', description: 'only these', choices: ['queued', 'done'] },
];

it('an option that may be one of several values is refused by naming them', () => {
  const told = '--status must be one of queued, done; found "bogus"';
  expect(faultOfChoices(known, { status: 'bogus', json: true })).toBe(told);
  expect(faultOfChoices(known, { status: '' })).toBe('--status must be one of queued, done; found ""');
});

it('any of them is taken, and none', () => {
  expect(faultOfChoices(known, { status: 'done' })).toBeUndefined();
  expect(faultOfChoices(known, { json: true })).toBeUndefined();
});
