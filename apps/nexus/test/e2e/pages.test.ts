import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testDir } from '../harness/app.ts';
import { allPages, blocksOf, readPage } from '../harness/pages/blocks.ts';
import { runPage } from '../harness/pages/run-page.ts';
import { scenes } from '../harness/pages/scenes.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** Pages that have a test of their own, which runs every block. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/workflows.md': 'workflows-page.test.ts',
  'docs/research.md': 'source-pages.test.ts',
  'docs/github.md': 'source-pages.test.ts',
  'docs/feeds.md': 'source-pages.test.ts',
};

/** A page has up to thirty commands, each a process that starts. */
const PAGE_MS = 600_000;

/**
 * What every check does as it says; each page starts tens of processes, so that all of them, as the command is when it
 * is installed, are done by `test/slow/pages-installed.test.ts`.
 */
const IN_EVERY_CHECK = 'docs/first-hour.md';

/** So many blocks say that no test runs them: another one is a decision, not an accident. */
const NOT_RUN = 15;

verifiesApp(
  'docs.blocks',
  'each block of shell and JSON is run, or says on its page why it is not',
  async () => {
    const pages = allPages().filter((page) => blocksOf(page).length > 0);
    const run = pages.filter((page) => blocksOf(page).some(({ whyNot }) => whyNot === undefined));
    expect(run.filter((page) => !(page in scenes) && !(page in ELSEWHERE))).toEqual([]);
    expect([...Object.keys(scenes), ...Object.keys(ELSEWHERE)].filter((page) => !run.includes(page))).toEqual(
      [],
    );
    expect(run).toContain(IN_EVERY_CHECK);
    for (const [page, file] of Object.entries(ELSEWHERE)) {
      const name = page.replace(/^docs\/(.*)\.md$/, '$1');
      expect(readFileSync(join(testDir, 'e2e', file), 'utf8')).toContain(name);
    }
    const marked = pages.flatMap((page) => blocksOf(page).filter(({ whyNot }) => whyNot !== undefined));
    expect(marked.map(({ page, whyNot }) => `${page}: ${whyNot}`)).toHaveLength(NOT_RUN);
  },
);

verifiesApp('docs.blocks', 'each page says in its first lines for whom it is', async () => {
  const silent = allPages().filter((page) => {
    const start = readPage(page).slice(0, 600);
    return page.startsWith('docs/') && !start.includes('This page is for');
  });
  expect(silent).toEqual([]);
  expect(readPage('README.md').slice(0, 200)).toContain('For anyone who');
});

verifiesApp(
  'docs.blocks',
  `${IN_EVERY_CHECK} does what it says`,
  async () => {
    const scene = scenes[IN_EVERY_CHECK];
    if (!scene) throw new Error(`${IN_EVERY_CHECK} has no scene`);
    await runPage(IN_EVERY_CHECK, scene);
  },
  PAGE_MS,
);
