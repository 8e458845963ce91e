import { describe, expect, it } from 'vitest';
import { hosts } from './hosts.ts';

const start = { command: 'nexus', args: ['--mode=stdio'] };

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
