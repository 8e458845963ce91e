import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host, ToolSummary } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parse.ts';
import { type Self, selfPlugin } from './self-plugin.ts';

describe('what Nexus says of its project', () => {
  let projectRoot: string;
  let self: Self;
  beforeEach(() => {
    readable = undefined;
    projectRoot = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-self-')));
    const parsed = parseConfig(
      { server: { instructions: 'see https://ada:pw@host/' } },
      { plugins: [], environment: {}, source: 'x' },
    );
    self = {
      ...parsed,
      pluginOptions: async () => parsed.pluginOptions,
      configFile: undefined,
      projectRoot,
      dataDir: join(projectRoot, 'data'),
    };
  });
  afterEach(() => rmSync(projectRoot, { recursive: true, force: true }));

  let readable: string[] | undefined;
  const context = () => ({
    state: self,
    roots: async () => (readable ?? [projectRoot]).map((path) => ({ path, name: 'root' })),
    host: { projectRoot, privatePaths: [join(projectRoot, 'data')] } as unknown as Host,
  });
  const resource = (name: string) => {
    const found = selfPlugin(self).resources?.find((each) => each.name === name);
    if (!found) throw new Error(`no resource ${name}`);
    return found.read(context());
  };
  const prompt = (name: string) => {
    const found = selfPlugin(self).prompts?.find((each) => each.name === name);
    if (!found) throw new Error(`no prompt ${name}`);
    return found;
  };
  const summary = (name: string) => ({ name }) as ToolSummary;

  it('gives CLAUDE.md as the project context, and AGENTS.md where there is none', async () => {
    writeFileSync(join(projectRoot, 'AGENTS.md'), 'agents');
    expect(await resource('project_context')).toBe('agents');
    writeFileSync(join(projectRoot, 'CLAUDE.md'), 'claude');
    expect(await resource('project_context')).toBe('claude');
  });

  it('finds the architecture in docs/ and names every place where it looked in vain', async () => {
    await expect(resource('architecture')).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: expect.stringContaining('docs/architecture.md'),
    });
    mkdirSync(join(projectRoot, 'docs'));
    writeFileSync(join(projectRoot, 'docs/architecture.md'), 'built so');
    expect(await resource('architecture')).toBe('built so');
  });

  it('follows no link that a repository brings along, out of the project or to what is Nexus’s own', async () => {
    mkdirSync(join(projectRoot, 'data'));
    writeFileSync(join(projectRoot, 'data/http-token'), 'token');
    symlinkSync(tmpdir(), join(projectRoot, 'out'));
    const path = prompt('code-review').arguments[0];
    const complete = (typed: string) => path?.complete?.(typed, { ...context(), tools: [] });
    expect(await complete('out/')).toEqual([]);
    expect(await complete('data/')).toEqual([]);
    expect(await complete('d')).toEqual([]);
    symlinkSync(join(projectRoot, 'data/http-token'), join(projectRoot, 'CLAUDE.md'));
    await expect(resource('project_context')).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    rmSync(join(projectRoot, 'CLAUDE.md'));
    mkdirSync(join(projectRoot, '.git'), { recursive: true });
    writeFileSync(join(projectRoot, '.git/config'), 'url = https://user:token@host/');
    symlinkSync(join(projectRoot, '.git/config'), join(projectRoot, 'CLAUDE.md'));
    await expect(resource('project_context')).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
  });

  it('tells whoever may read a part of the project of that part', async () => {
    mkdirSync(join(projectRoot, 'docs'));
    mkdirSync(join(projectRoot, 'src/server'), { recursive: true });
    writeFileSync(join(projectRoot, 'CLAUDE.md'), 'claude');
    writeFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'whole');
    writeFileSync(join(projectRoot, 'docs/architecture.md'), 'of the docs');
    readable = [join(projectRoot, 'docs'), join(projectRoot, 'src/server')];
    await expect(resource('project_context')).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    expect(await resource('architecture')).toBe('of the docs');
    const path = prompt('code-review').arguments[0];
    const complete = (typed: string) => path?.complete?.(typed, { ...context(), tools: [] });
    expect(await complete('')).toEqual(['docs/', 'src/']);
    expect(await complete('docs/')).toEqual(['docs/architecture.md']);
    symlinkSync(join(projectRoot, 'CLAUDE.md'), join(projectRoot, 'docs/ARCHITECTURE.md'));
    rmSync(join(projectRoot, 'docs/architecture.md'));
    await expect(resource('architecture')).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    readable = [];
    await expect(resource('architecture')).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    expect(await complete('')).toEqual([]);
  });

  it('shows the config without its secrets', async () => {
    const shown = JSON.parse((await resource('config')) as string);
    expect(shown.config.server.instructions).toBe('see https://ada:********@host/');
  });

  it('has prompts speak of tools only where they exist', async () => {
    const review = prompt('code-review');
    const values = { path: 'src' };
    expect(await review.render(values, { ...context(), tools: [] })).not.toContain('extract_symbols');
    const tools = [summary('extract_symbols')];
    expect(await review.render(values, { ...context(), tools })).toContain('extract_symbols');
  });

  it('has a review of a pull request begin with the tool that reads its diff', async () => {
    const review = prompt('code-review');
    const values = { path: 'https://github.com/acme/shop/pull/17/files' };
    const tools = [summary('pr_review')];
    expect(await review.render(values, { ...context(), tools })).toContain(
      'Call pr_review with repo=acme/shop and prNumber=17',
    );
    expect(await review.render(values, { ...context(), tools: [] })).not.toContain('pr_review');
    expect(await review.render({ path: 'src/pull/17' }, { ...context(), tools })).not.toContain('pr_review');
  });

  it('completes paths below the project root and nothing outside it', async () => {
    mkdirSync(join(projectRoot, 'src/server'), { recursive: true });
    writeFileSync(join(projectRoot, 'src/session.ts'), '');
    const path = prompt('code-review').arguments[0];
    const complete = (typed: string) => path?.complete?.(typed, { ...context(), tools: [] });
    expect(await complete('sr')).toEqual(['src/']);
    expect(await complete('src/se')).toEqual(['src/server/', 'src/session.ts']);
    expect(await complete('../')).toEqual([]);
    expect(await complete('/etc/')).toEqual([]);
  });
});
