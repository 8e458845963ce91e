// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorOf, startWorkflows, type WorkflowsUnderTest } from '../../test/workflows-under-test.ts';

let plugin: WorkflowsUnderTest;
afterEach(() => plugin.stop());

const workflow = (name: string, more = '') =>
  `name: ${name}\ndescription: A test.\nsteps: [{ id: a, uses: 'tool:echo', with: { value: ${name} } }]\n${more}`;

interface Listed {
  readonly workflows: readonly {
    readonly name: string;
    readonly kind: string;
    readonly source: string;
    readonly file?: string;
    readonly digest?: string;
    readonly inputs?: readonly unknown[];
  }[];
  readonly faulty?: readonly {
    readonly file: string;
    readonly faults: readonly { readonly message: string }[];
  }[];
  readonly nearest?: readonly string[];
  readonly count: number;
  readonly nextOffset?: number;
}

it('says how many files of a project are not read', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 502 }, (_, at) => [`.nexus/workflows/w-${1_000 + at}.yaml`, 'no workflow']),
  );
  plugin = await startWorkflows({ files });
  const faulty: NonNullable<Listed['faulty']>[number][] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = await list({ offset });
    expect(page).toMatchObject({ count: 16, faultyTotal: 501 });
    faulty.push(...(page.faulty ?? []));
    offset = page.nextOffset;
  }
  expect(new Set(faulty.map(({ file }) => file)).size).toBe(501);
  expect(faulty.at(-1)).toMatchObject({
    file: '.nexus/workflows',
    faults: [{ message: expect.stringMatching(/502 workflow files; those after the first 500/) }],
  });
});

const list = (args: object = {}) => plugin.answer<Listed>('list_workflows', { ...args });
const run = async (template: string) => errorOf(await plugin.call('run_workflow', { template }));

const SHIPPED = {
  workflow: [
    'bug-fix',
    'code-review',
    'docs-audit',
    'documentation-update',
    'feature-implementation',
    'infrastructure-audit',
    'refactoring',
    'research-review',
    'security-audit',
    'standards-review',
    'test-generation',
  ],
  graph: ['code-review', 'documentation', 'pipeline', 'security-scan', 'test-generation'],
};

describe('the list of workflows', () => {
  it('has what comes with Nexus: eleven workflows and five graphs, without a fault', async () => {
    plugin = await startWorkflows();
    const { workflows, count, faulty } = await list();
    const named = (kind: string) => workflows.filter((each) => each.kind === kind).map(({ name }) => name);
    expect(named('workflow')).toEqual(SHIPPED.workflow);
    expect(named('graph')).toEqual(SHIPPED.graph);
    expect({ count, faulty }).toEqual({ count: 16, faulty: undefined });
    expect(workflows.every(({ inputs }) => Array.isArray(inputs))).toBe(true);
    expect(
      (await list({ category: 'audit', format: 'names' })).workflows.map((each) => Object.keys(each)),
    ).toEqual(Array(3).fill(['name', 'kind', 'category', 'version', 'source']));
    expect((await list({ category: 'adit' })).nearest).toEqual(['audit']);
  });

  it('is read on by offset, each workflow once, with how many there are', async () => {
    const names = Array.from({ length: 190 }, (_, at) => `w-${1_000 + at}`);
    const files = Object.fromEntries(names.map((name) => [`.nexus/workflows/${name}.yaml`, workflow(name)]));
    plugin = await startWorkflows({ files });
    const all: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { workflows, count, nextOffset } = await list({ format: 'names', offset });
      expect(count).toBe(206);
      all.push(...workflows.map(({ kind, name }) => `${kind} ${name}`));
      offset = nextOffset;
    }
    expect(all).toHaveLength(206);
    expect(new Set(all).size).toBe(206);
  });

  it('has one that no answer holds by its name, with where the rest of it is, and the others whole', async () => {
    const input = (_: unknown, at: number) => `{ name: i${at}, description: ${'long '.repeat(30)} }`;
    const inputs = `inputs: [${Array.from({ length: 30 }, input).join(', ')}]`;
    const files = {
      '.nexus/workflows/a.yaml': workflow('a'),
      '.nexus/workflows/b.yaml': workflow('b', inputs),
    };
    plugin = await startWorkflows({ files, maxResultChars: 6_000 });
    const found: Listed['workflows'][number][] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = await list({ offset });
      found.push(...page.workflows);
      offset = page.nextOffset;
    }
    const brief = found.filter((each) => !('description' in each));
    expect(brief).toMatchObject([{ name: 'b', whole: expect.stringMatching(/^nexus:/) }]);
    expect(found).toHaveLength(18);
  });

  it('keeps only what its page names of those that no answer holds', async () => {
    const long = `inputs: [{ name: i, description: ${'long '.repeat(80)} }]`;
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`.nexus/workflows/w${at}.yaml`, workflow(`w${at}`, long)]),
    );
    plugin = await startWorkflows({ files, maxResultChars: 1_000 });
    const keep = vi.spyOn(plugin.host.results, 'keep');
    const wholes: unknown[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: Listed = await list({ offset });
      wholes.push(...page.workflows.flatMap((each) => ('whole' in each ? [each.whole] : [])));
      const uris = await Promise.all(keep.mock.results.map(async ({ value }) => (await value).uri));
      expect(uris).toEqual(wholes);
      offset = page.nextOffset;
    }
    expect(wholes.length).toBeGreaterThanOrEqual(40);
  });

  it('has the files of the project as they are now, and names those that are faulty', async () => {
    plugin = await startWorkflows({ files: { '.nexus/workflows/one.yaml': workflow('one') } });
    const own = async () => (await list()).workflows.filter(({ source }) => source === 'project');
    expect(await own()).toMatchObject([{ name: 'one', file: '.nexus/workflows/one.yaml' }]);
    plugin.write('.nexus/workflows/two.yml', workflow('two'));
    plugin.write('.nexus/workflows/broken.yaml', 'name: x\nsteps: {');
    plugin.write('.nexus/workflows/notes.md', '# no workflow');
    expect((await own()).map(({ name }) => name)).toEqual(['one', 'two']);
    expect((await list()).faulty).toMatchObject([{ file: '.nexus/workflows/broken.yaml' }]);
    rmSync(join(plugin.root, '.nexus/workflows/one.yaml'));
    expect((await own()).map(({ name }) => name)).toEqual(['two']);
    expect((await run('broken')).text).toMatch(/^\.nexus\/workflows\/broken\.yaml has/);
  });
});

describe('a workflow that is asked for', () => {
  it.each([
    ['run_workflow', 'template', workflow('one'), workflow('two')],
    [
      'run_graph_workflow',
      'workflow',
      'name: g\ndescription: G.\nnodes: [{ id: a, uses: "tool:echo", with: { value: one } }]\nedges: []\n',
      'name: g\ndescription: G.\nnodes: [{ id: a, uses: "tool:echo", with: { value: two } }]\nedges: []\n',
    ],
  ])('by its digest is run by %s only as it stood', async (tool, named, before, after) => {
    const file = '.nexus/workflows/mine.yaml';
    plugin = await startWorkflows({ files: { [file]: before } });
    const digestNow = async () =>
      (await list()).workflows.find((each) => each.file === file)?.digest ?? 'none is listed';
    const digest = await digestNow();
    expect((await plugin.call(tool, { [named]: file, digest })).isError).toBeUndefined();
    plugin.write(file, after);
    expect(errorOf(await plugin.call(tool, { [named]: file, digest })).code).toBe('NEXUS_CONFLICT');
    expect(plugin.calls.all).toEqual(['echo "one"']);
    await plugin.call(tool, { [named]: file, digest: await digestNow() });
    expect(plugin.calls.all).toEqual(['echo "one"', 'echo "two"']);
  });

  it('by a name that the repository has taken too is refused, until it is said which is meant', async () => {
    const mine = '.nexus/workflows/mine.yaml';
    plugin = await startWorkflows({ files: { [mine]: workflow('standards-review') } });
    const error = await run('standards-review');
    expect(error).toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(error.text).toContain(`nexus:standards-review, or ${mine}`);
    expect(plugin.calls.all).toEqual([]);
    const names = (await list()).workflows.map(({ name }) => name);
    expect(names).toContain('nexus:standards-review');
    expect(names).toContain(mine);
    expect(names).not.toContain('standards-review');
    expect((await run(mine)).code).toBe(undefined);
    expect(plugin.calls.all).toEqual(['echo "standards-review"']);
    const dry = await plugin.answer('run_workflow', { template: 'nexus:standards-review', dryRun: true });
    expect(dry).toMatchObject({
      plan: expect.arrayContaining([expect.objectContaining({ id: 'unfinished' })]),
    });
  });

  it('by a mistyped name is told the nearest', async () => {
    plugin = await startWorkflows();
    const error = await run('standard-review');
    expect(error).toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      text: expect.stringContaining('did you mean standards-review?'),
    });
    for (const name of ['__proto__', 'constructor', 'graph:standards-review', 'nexus:', '']) {
      expect((await run(name)).code).toMatch(/NEXUS_(NOT_FOUND|INVALID_ARGUMENTS)/);
    }
  });

  it.each([
    '../outside.yaml',
    '/etc/passwd.yaml',
    '.nexus/workflows/../../../outside.yaml',
    '.nexus/workflows/link.yaml',
    'folder-link/outside.yaml',
    '..\\outside.yaml',
  ])('by the path %s outside of the project is refused, and nothing of it is told', async (path) => {
    const outside = join(tmpdir(), `nexus-outside-${process.pid}`);
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'outside.yaml'), 'SECRET');
    plugin = await startWorkflows({ files: { '.nexus/workflows/one.yaml': workflow('one') } });
    symlinkSync(join(outside, 'outside.yaml'), join(plugin.root, '.nexus/workflows/link.yaml'));
    symlinkSync(outside, join(plugin.root, 'folder-link'));
    const error = await run(path);
    expect(error.code).toMatch(/NEXUS_(OUTSIDE_ROOTS|NOT_FOUND)/);
    expect(error.text).not.toContain('SECRET');
    rmSync(outside, { recursive: true });
  });

  it('by the path of a folder, a large file, no text, or what Nexus has for itself is refused', async () => {
    plugin = await startWorkflows({ files: { 'large.yaml': 'a'.repeat(300_000), 'folder.yaml/x': '' } });
    writeFileSync(join(plugin.root, 'binary.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    for (const path of ['large.yaml', 'folder.yaml', 'binary.yaml']) {
      expect([path, (await run(path)).code]).toEqual([path, 'NEXUS_FILE_UNREADABLE']);
    }
    expect((await run('not-there.yaml')).code).toBe('NEXUS_NOT_FOUND');
  });

  it.skipIf(process.platform === 'win32')('that is a pipe holds nobody', async () => {
    plugin = await startWorkflows({ files: { '.nexus/workflows/one.yaml': workflow('one') } });
    execFileSync('mkfifo', [join(plugin.root, '.nexus/workflows/pipe.yaml')]);
    expect((await run('.nexus/workflows/pipe.yaml')).code).toBe('NEXUS_FILE_UNREADABLE');
    expect(await list()).toMatchObject({ faulty: [{ file: '.nexus/workflows/pipe.yaml' }] });
  });

  it('that would hold whoever reads it is given up, while others are served', async () => {
    // The parser compares each of the keys with all before it.
    const hold = `{${Array.from({ length: 38_000 }, (_, at) => `k${at}`).join(',')}}`;
    plugin = await startWorkflows({
      files: { 'hold.yaml': hold, 'fine.yaml': workflow('fine') },
    });
    const held = run('hold.yaml');
    const first = await Promise.race([held.then(() => 'held'), list().then(() => 'served')]);
    expect(first).toBe('served');
    // The latter on a machine that is fast enough.
    expect((await held).text).toMatch(/reading it took longer than 3000 ms|neither steps nor nodes/);
    expect((await run('fine.yaml')).code).toBe(undefined);
  });
});
