import { KNOWN_APIS } from '@nexus/models/known-apis';
import { describe, expect, it } from 'vitest';
import { hosts } from './hosts.ts';

const start = { command: 'nexus', args: ['--mode=stdio'] };

it.each(['Codex', 'Gemini CLI'])('%s hands on each variable that a model may be found by', (host) => {
  const setup = hosts.find(({ name }) => name === host);
  const snippet = setup?.snippet(start, { root: '/open', configFile: '/open/nexus.config.json' }) ?? '';
  const variables = Object.values(KNOWN_APIS).flatMap((api) => [
    ...api.keyVariables,
    ...api.baseUrlVariables,
  ]);
  expect(variables.filter((name) => !snippet.includes(JSON.stringify(name)))).toEqual([]);
});

describe('what Cursor is to be given', () => {
  it.each([
    ['/open/nexus.config.json', '/nexus.config.json'],
    ['/open/..made/nexus.config.json', '/..made/nexus.config.json'],
    ['/etc/my/nexus/nexus.config.json', undefined],
    ['/opened/nexus.config.json', undefined],
  ])('names the config %s from the folder that is open, where it lies there', (configFile, named) => {
    const cursor = hosts.find(({ name }) => name === 'Cursor');
    const snippet = cursor?.snippet(start, { root: '/open', configFile }) ?? '';
    const args = snippet.match(/workspaceFolder\}(?<path>[^"]*)/)?.groups;
    expect(args?.path).toBe(named);
  });
});
