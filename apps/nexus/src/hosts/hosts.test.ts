import { describe, expect, it } from 'vitest';
import { hosts } from './hosts.ts';

const start = { command: 'nexus', args: ['--mode=stdio'] };

describe('what Cursor is to be given', () => {
  it.each([
    ['/work/nexus.config.json', '/nexus.config.json'],
    ['/work/..made/nexus.config.json', '/..made/nexus.config.json'],
    ['/home/me/.config/nexus/nexus.config.json', undefined],
    ['/workshop/nexus.config.json', undefined],
  ])('names the config %s from the folder that is open, where it lies there', (configFile, named) => {
    const cursor = hosts.find(({ name }) => name === 'Cursor');
    const snippet = cursor?.snippet(start, { root: '/work', configFile }) ?? '';
    const args = snippet.match(/workspaceFolder\}(?<path>[^"]*)/)?.groups;
    expect(args?.path).toBe(named);
  });
});
