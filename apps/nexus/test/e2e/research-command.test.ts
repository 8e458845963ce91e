import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { answeringSources, sourcesSection } from '../harness/source-answers.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.research', 'keeps a paper and a source, lists, searches and reviews them', async () => {
  await using sources = await answeringSources({
    pages: {
      '/roofs': { type: 'text/html', body: '<title>Roofs</title><p>See arXiv:2101.00007 on cool roofs.</p>' },
    },
  });
  await using project = await shareProject({ config: { sources: sourcesSection(sources) } });
  const research = (...words: string[]) => runNexus(project, ['research', ...words]);

  expect((await research('list')).stdout).toContain('Nothing is kept yet.');
  expect(await research('add', '2101.00001', '--topic', 'roofs', '--priority', 'P1')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Kept: arxiv:2101\.00001 {2}green roofs$/m),
  });
  const page = `${sources.url}/roofs`;
  const added = await research(
    'add',
    page,
    '--name',
    'Roof blog',
    '--type',
    'blog',
    '--quote',
    'on cool roofs',
  );
  expect(added).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('it mentions arxiv:2101.00007'),
  });
  expect(await readFile(project.path('.nexus/research/papers.yaml'), 'utf8')).toContain('green roofs');

  const listed = await research('list');
  expect(listed.stdout).toMatch(/^paper +arxiv:2101\.00001 +P1 .* roofs +green roofs$/m);
  expect(listed.stdout).toMatch(/^source +roof-blog .* Roof blog$/m);
  expect((await research('search', 'green')).stdout).not.toContain('roof-blog');
  expect((await research('search', 'submarines')).stdout).toContain(
    'Nothing that is kept fits "submarines".',
  );

  expect((await research('review')).stdout).toMatch(/^arxiv:2101\.00007 +pending +.*roofs/m);
  expect((await research('review', 'approve', 'arxiv:2101.00007')).stdout).toContain('approved');
  expect((await research('review')).stdout).toContain('Nothing waits for a review.');
  expect(JSON.parse((await research('list', '--json')).stdout)).toMatchObject({ total: 3 });
});

slowlyVerifiesApp(
  'command.research',
  'says what is wrong, and keeps nothing of a quote that stands nowhere',
  async () => {
    await using sources = await answeringSources();
    await using project = await shareProject({ config: { sources: sourcesSection(sources) } });
    const research = (...words: string[]) => runNexus(project, ['research', ...words]);
    expect(await research('burn')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('use add, list, search, review'),
    });
    expect(await research('search')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('needs words'),
    });
    const quoted = await research('add', '2101.00001', '--quote', 'roofs are made of cheese');
    expect(quoted.exitCode).toBe(1);
    expect(quoted.stderr).toContain('roofs are made of cheese');
    expect((await research('list')).stdout).toContain('Nothing is kept yet.');
  },
);

slowlyVerifiesApp(
  'command.research',
  'fetches what a vendor publishes, and says what could not be fetched',
  async () => {
    const day = new Date(Date.now() - 86_400_000).toUTCString();
    await using sources = await answeringSources({
      pages: {
        '/news': {
          type: 'application/rss+xml',
          body: `<rss version="2.0"><channel><title>Acme</title><item><title>One</title><guid>1</guid><link>https://a.example</link><pubDate>${day}</pubDate></item></channel></rss>`,
        },
      },
    });
    const publishes = ['news', 'gone'].map((path) => ({ kind: 'feed', at: `${sources.url}/${path}` }));
    await using project = await shareProject({
      config: {
        sources: sourcesSection(sources),
        feeds: { vendors: { acme: { title: 'Acme', publishes } } },
      },
    });
    const before = await runNexus(project, ['feeds', 'audit', 'acme']);
    expect(before.stdout).toMatch(/^feed +not_fetched +- +- +- /m);
    expect(sources.requests).toHaveLength(0);
    const fetched = await runNexus(project, ['feeds', 'fetch', 'acme']);
    expect(fetched.exitCode).toBe(1);
    expect(fetched.stdout).toMatch(/^feed +read +0 h +1 +\d{4}-\d\d-\d\d +http.*news$/m);
    expect(fetched.stdout).toMatch(/^not fetched: .*gone: answered 404$/m);
  },
);

slowlyVerifiesApp(
  'command.research',
  'tells by nexus doctor what each source lets be asked, and whether it answers',
  async () => {
    await using sources = await answeringSources({
      first: ({ source }, response) => {
        if (source !== 'openalex') return false;
        response.destroy();
        return true;
      },
    });
    const section = { ...sourcesSection(sources), semantic_scholar: { enabled: false } };
    await using project = await shareProject({ config: { sources: section } });
    const quiet = await runNexus(project, ['doctor']);
    expect(quiet.stdout).toMatch(
      /^ok +Sources: arxiv: .* without a key, may be asked now; --connect asks it/m,
    );
    expect(sources.requests).toHaveLength(0);
    const asked = await runNexus(project, ['doctor', '--connect']);
    expect(asked.exitCode).toBe(0);
    expect(asked.stdout).toMatch(
      /^warn +Sources: arxiv: answered 200 in \d+ ms; .* may be asked (?:now|in [123] s)$/m,
    );
    expect(asked.stdout).toMatch(/^ +openalex: not reached: /m);
    // It is the command that is at work.
    expect(asked.stdout).not.toContain('tries every source');
    expect(asked.stdout).toMatch(/^ +semantic_scholar: turned off by the config$/m);
    expect(asked.stdout).toMatch(/^ +github: answered 200 /m);
    expect(asked.stdout).toContain('sources.<name>.enabled');
  },
);
