import { expect, test } from 'vitest';
import { ConfigError } from './config-fault.ts';

const faults = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: `server.key${at}`, message: 'no such key' }));

test('of many faults the first fifty are shown, with how many there are and what to do', () => {
  const lines = new ConfigError('nexus.config.json', faults(53)).message.split('\n');
  expect(lines[0]).toBe('nexus.config.json has 53 faults:');
  expect(lines.slice(1, 51)).toEqual(faults(50).map(({ path }) => `  ${path}: no such key`));
  expect(lines.slice(51)).toEqual(['  and 3 more; mend these, and the next 50 are told']);
});

test('fifty are shown without another word', () => {
  expect(new ConfigError('nexus.config.json', faults(50)).message.split('\n')).toHaveLength(51);
});
