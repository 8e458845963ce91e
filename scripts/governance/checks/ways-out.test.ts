import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { waysOut } from './ways-out.ts';

const PLUGIN = 'packages/plugins/feeds/src/audit/audit.ts';

/** What it says of one file; that nothing is opened in the rooms of its list is another matter. */
async function findings(file: string, text: string) {
  const found = await waysOut.run(fixtureSubject({ files: { [file]: text } }));
  return found.filter(({ where }) => where.startsWith(file)).map(({ what }) => what);
}

describe('ways-out', () => {
  it.each([
    [PLUGIN, 'const page = await host.fetching.url(url, { signal });'],
    [PLUGIN, "import type { Server } from 'node:http';\n// fetch(url)"],
    [PLUGIN, "import { type Agent } from 'undici';"],
    [PLUGIN, 'const client = { async fetch(url: string) { return asked(url); } };'],
    ['packages/models/src/api/ask.ts', 'await fetch(url);'],
  ])('finds nothing in %s: %s', async (file, text) => {
    expect(await findings(file, text)).toEqual([]);
  });

  it.each([
    'const page = await fetch(url);',
    "import { request } from 'node:https';",
    "import { connect } from 'net';",
    "const { Agent } = await import('undici');",
    "import { Octokit } from '@octokit/core';",
    "const socket = new WebSocket('wss://example.com');",
  ])('finds in a plugin what can reach out past the one way: %s', async (text) => {
    expect(await findings(PLUGIN, text)).toEqual(['can open connections']);
  });

  it('finds nothing in the repository', async () => {
    expect(await waysOut.run({ ...fixtureSubject(), workspace: openWorkspace() })).toEqual([]);
  });
});
