import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { answeringSources, sourcesSection } from '../harness/source-answers.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const pageOf = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');

const blocksOf = (page: string, kind: string) =>
  [...pageOf(page).matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );

/** A page's commands, each as its words. */
const commandsOf = (page: string) =>
  blocksOf(page, 'sh')
    .flatMap((lines) => lines.trim().split('\n'))
    .map((line) => {
      const words = line.replace(/\s+#.*$/, '').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
      return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2').replace(/="(.*)"$/, '=$1'));
    });

const REPOSITORY = {
  ...{ id: 1, name: 'undici', full_name: 'nodejs/undici', private: false, archived: false, fork: false },
  ...{ html_url: 'https://github.com/nodejs/undici', description: 'An HTTP client.', topics: [] },
  ...{ default_branch: 'main', stargazers_count: 7, forks_count: 1, open_issues_count: 2 },
  ...{ license: { spdx_id: 'MIT' }, created_at: '2018-01-01T00:00:00Z', pushed_at: '2026-01-01T00:00:00Z' },
};

/** What GitHub says of the one repository that the page names. */
const GITHUB: Readonly<Record<string, unknown>> = {
  '/repos/nodejs/undici': REPOSITORY,
  '/repos/nodejs/undici/languages': { JavaScript: 1_000 },
  '/repos/nodejs/undici/git/trees/main': {
    truncated: false,
    tree: [{ path: 'package.json', type: 'blob' }],
  },
};

/** A page has dozens of commands, and each is a process. */
const PAGE_MS = 240_000;

slowlyVerifiesApp(
  'sources.pages',
  'every command of docs/research.md, docs/github.md and docs/feeds.md does what it says',
  async () => {
    await using sources = await answeringSources({
      pages: {
        '/roofs': { type: 'text/html', body: '<title>Roofs</title><p>See arXiv:2101.00007 on roofs.</p>' },
        '/nodejs.rss': {
          type: 'application/rss+xml',
          body: '<rss version="2.0"><channel><title>Node</title><item><title>One</title><guid>1</guid></item></channel></rss>',
        },
      },
      first({ source, url }, response) {
        const told = source === 'github' ? GITHUB[url.pathname] : undefined;
        if (told === undefined) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
        return true;
      },
    });
    const publishes = [{ kind: 'feed', at: `${sources.url}/nodejs.rss` }];
    await using project = await makeProject({
      files: {
        'old.csv': 'sku,price\na,1\nb,2\n',
        'new.json': JSON.stringify({
          items: [
            { sku: 'a', price: '1' },
            { sku: 'b', price: '3' },
          ],
        }),
      },
      config: {
        sources: sourcesSection(sources),
        feeds: { vendors: { nodejs: { publishes } } },
      },
      env: NO_MODELS,
    });
    // The one page of another host, and addresses of the GitHub that is asked.
    const here = (word: string) =>
      word
        .replace('https://example.org', sources.url)
        .replace('https://github.com/nodejs/undici/issues/1', 'nodejs/undici#1');
    for (const page of ['research', 'github', 'feeds']) {
      const commands = commandsOf(page);
      expect(commands.length).toBeGreaterThan(2);
      for (const [program, ...args] of commands) {
        expect(program).toBe('nexus');
        const done = await runNexus(project, args.map(here));
        const said = `${page}: ${args.join(' ')}\n${done.stdout}${done.stderr}`;
        expect(done.exitCode, said).toBe(0);
      }
    }
    const compared = await runNexus(project, [
      'call',
      ...(commandsOf('feeds').at(-1)?.slice(2) ?? []),
      '--json',
    ]);
    expect(JSON.parse(compared.stdout).structuredContent).toMatchObject({ changed: { count: 1 } });
  },
  PAGE_MS,
);

verifiesApp(
  'sources.pages',
  'every piece of a config on the pages of sources, reviews, audit and traces holds',
  async () => {
    const env = {
      GITHUB_TOKEN: 'ghs-test',
      GHE_TOKEN: 'ghs-test',
      ANCHOR_TOKEN: 't0ken',
      ...NO_MODELS,
    };
    for (const page of ['research', 'github', 'feeds', 'consensus', 'audit', 'traces']) {
      for (const text of blocksOf(page, 'json')) {
        const config: Record<string, unknown> = JSON.parse(text);
        await using project = await makeProject({ config, env });
        const { exitCode, stdout, stderr } = await runNexus(project, ['config', '--json']);
        expect([page, exitCode, stderr]).toEqual([page, 0, '']);
        expect(Object.keys(JSON.parse(stdout).config)).toEqual(expect.arrayContaining(Object.keys(config)));
      }
    }
  },
);
