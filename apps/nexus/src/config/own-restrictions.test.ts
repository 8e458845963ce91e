import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../loaded-config/load-config.ts';
import { ConfigError } from './config-fault.ts';
import { withOwnRestrictions } from './own-restrictions.ts';

describe('a config of a project', () => {
  it('is as it was where its user forbids nothing', () => {
    const project = { permissions: { deny: ['a'] }, experts: { maxCostUsd: 9 } };
    expect(withOwnRestrictions(project, { profile: 'lean' })).toEqual(project);
  });

  it('denies what its user denies, beside what it denies itself', () => {
    const own = { permissions: { deny: ['memory_*', 'a'] }, experts: { denyTools: ['b'] } };
    expect(withOwnRestrictions({ permissions: { allow: ['*'], deny: ['a', 'c'] } }, own)).toEqual({
      permissions: { allow: ['*'], deny: ['a', 'c', 'memory_*'] },
      experts: { denyTools: ['b'] },
    });
  });

  it('has the lower of two caps', () => {
    const own = { experts: { maxCostUsd: 0.5, maxTokens: 900 }, consensus: { maxCostUsd: 2 } };
    const project = { experts: { maxCostUsd: 99_999, maxTokens: 800 } };
    expect(withOwnRestrictions(project, own)).toEqual({
      experts: { maxCostUsd: 0.5, maxTokens: 800 },
      consensus: { maxCostUsd: 2 },
    });
  });

  it.each([
    ['limits', 'maxResultChars'],
    ['limits', 'maxMessageBytes'],
    ['code', 'maxFileBytes'],
    ['workflows', 'maxSteps'],
    ['models', 'maxAttempts'],
  ])('has the lower of two limits: %s.%s', (section, key) => {
    const of = (limit: number | undefined, own: number) =>
      withOwnRestrictions(
        { [section]: limit === undefined ? {} : { [key]: limit } },
        { [section]: { [key]: own } },
      );
    expect(of(9_000, 8_000)).toEqual({ [section]: { [key]: 8_000 } });
    expect(of(7_000, 8_000)).toEqual({ [section]: { [key]: 7_000 } });
    expect(of(undefined, 8_000)).toEqual({ [section]: { [key]: 8_000 } });
  });

  it('denies each tool that its user has off, and asks no source or provider that is off there', () => {
    const own = {
      tools: { bundle: { enabled: false, timeoutMs: 5 }, orchestrate: { timeoutMs: 5 } },
      sources: { arxiv: { enabled: false }, github: { enabled: true } },
      models: { providers: { openai: { enabled: false } } },
    };
    const project = {
      tools: { bundle: { enabled: true, timeoutMs: 9 } },
      sources: { arxiv: { enabled: true, mailto: 'a@b' } },
      models: { providers: { google: {} } },
    };
    expect(withOwnRestrictions(project, own)).toEqual({
      tools: project.tools,
      permissions: { deny: ['bundle'] },
      sources: { arxiv: { enabled: false, mailto: 'a@b' } },
      models: { providers: { google: {}, openai: { enabled: false } } },
    });
  });

  it('takes what its user excludes last, so that nothing of its own brings it back', () => {
    const own = { code: { exclude: ['/secrets'] } };
    expect(withOwnRestrictions({ code: { exclude: ['!/secrets'] } }, own)).toEqual({
      code: { exclude: ['!/secrets', '/secrets'] },
    });
  });

  it.each([{ permissions: { deny: 'all' } }, { permissions: 3, experts: [] }])(
    'that is wrong stays as it is, to be told: %j',
    (project) => {
      const own = { permissions: { deny: ['a'] }, experts: { maxCostUsd: 1 } };
      expect(withOwnRestrictions(project, own)).toMatchObject(project);
    },
  );
});

describe('a clone with a config', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-own-'));
    for (const each of ['clone/.git', 'config/nexus']) mkdirSync(join(folder, each), { recursive: true });
    vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
    write('clone', '{}');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (whose: 'clone' | 'config/nexus', text: string) =>
    writeFileSync(join(folder, whose, 'nexus.config.json'), text);
  const load = (own: object, env: Record<string, string> = {}) => {
    write('config/nexus', JSON.stringify(own));
    return loadConfig({ cwd: join(folder, 'clone'), env });
  };
  const own = { permissions: { deny: ['memory_*'] }, experts: { maxCostUsd: 0.5 } };

  it.each(['{}', '{"permissions":{"allow":["*"]},"experts":{"maxCostUsd":99999}}'])(
    'takes away nothing that its user denies or caps: %s',
    async (text) => {
      write('clone', text);
      const { config, pluginOptions, ownPermissions } = await load(own);
      expect(config.permissions.deny).toEqual(['memory_*']);
      expect(ownPermissions).toEqual({
        ...{ file: join(folder, 'config/nexus/nexus.config.json'), deny: ['memory_*'], off: [] },
      });
      expect(pluginOptions.experts).toMatchObject({ maxCostUsd: 0.5 });
    },
  );

  it('is held to nothing of another file where it is named itself', async () => {
    const file = join(folder, 'clone/nexus.config.json');
    const { config, ownPermissions } = await load(own, { NEXUS_CONFIG: file });
    expect(config.permissions.deny).toEqual([]);
    expect(ownPermissions).toBeUndefined();
  });

  it('is held to what its user says in the form of older configs', async () => {
    const tools = { workflow: { enabled: false }, bundle: { enabled: false }, theirs: { enabled: false } };
    const { config, ownPermissions } = await load({ mcp: { tools } });
    expect(config.permissions.deny).toEqual(['run_workflow', 'bundle']);
    expect(ownPermissions?.off).toEqual(['run_workflow', 'bundle']);
  });

  it('is held to what its user alone allows', async () => {
    write('clone', '{"permissions":{"allow":["*"]}}');
    expect((await load({ permissions: { allow: ['find_tools'] } })).ownPermissions?.allow).toEqual([
      'find_tools',
    ]);
  });

  it.each([
    [{ permission: { deny: ['a'] } }, 'permission: no such key; did you mean permissions'],
    [{ permissions: { denied: ['a'] } }, 'permissions.denied: no such key'],
    [{ permissions: { deny: 'memory_*' } }, 'permissions.deny: '],
    [
      { permissions: { deny: ['${LACKING}'] } },
      'permissions.deny.0: the environment variable LACKING is not set',
    ],
    [{ limits: { maxResultChars: '5' } }, 'limits.maxResultChars: '],
    [{ experts: { maxCostUsd: 'none' } }, 'experts.maxCostUsd: '],
    [{ experts: { denyTool: ['a'] } }, 'experts.denyTool: no such key'],
    [{ tools: { bundel: { enabled: false } } }, 'tools.bundel: no such key; did you mean bundle'],
    [{ tools: { bundle: { enabled: 'no' } } }, 'tools.bundle.enabled: '],
    [{ mcp: { tool: {} } }, 'mcp.tool: no such key'],
    [{ sources: { arxiv: { enabled: 0 } } }, 'sources.arxiv.enabled: '],
  ])('says what it can’t read of its user’s own file, whose that is: %j', async (own, said) => {
    const error = await load(own).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain(join(folder, 'config/nexus/nexus.config.json'));
    expect((error as Error).message).toContain(said);
  });

  const theirs = { plugins: ['./theirs.js'], theirs: { deep: 1 } };
  it.each([
    [
      { permissions: { deny: ['memory_quer', 'memory_query'] } },
      'permissions.deny names "memory_quer", and no tool is called that; did you mean memory_query?',
    ],
    [{ permissions: { allow: ['zzz'] } }, 'permissions.allow names "zzz", and no tool is called that'],
    [{ experts: { denyTools: ['bundel'] } }, 'experts.denyTools names "bundel"'],
    [
      { ...theirs, permissions: { deny: ['memory_quer'] } },
      'did you mean memory_query? (if it is not of a plugin',
    ],
    [
      { ...theirs, permisions: { deny: ['bundle'] } },
      'permisions: no such section; did you mean permissions?',
    ],
    [
      { mcp: { tools: { bundel: { enabled: false } } } },
      'mcp.tools.bundel: no such tool; did you mean bundle?',
    ],
    [
      { plugins: ['./theirs.js', './my-permission-plugin.mjs'], permission: { deny: ['bundle'] } },
      'permission: no such section; did you mean permissions?',
    ],
    [{ permissions: { deny: ['mem-*'] } }, 'permissions.deny names "mem-*", and no tool is called that'],
    [{ ...theirs, limit: { burst: 1 } }, 'limit: no such section; did you mean limits?'],
    [
      { ...theirs, tools: { bundel: { enabled: false } } },
      'tools.bundel: no such tool; did you mean bundle?',
    ],
    [
      { ...theirs, mcp: { tools: {} }, tools: { bundel: { enabled: false } } },
      'tools.bundel: no such tool; did you mean bundle?',
    ],
  ])(
    'is told once of what may be a prohibition of its user’s, misspelt, and in which file: %j',
    async (own, said) => {
      const file = join(folder, 'config/nexus/nexus.config.json');
      const { configWarnings } = await load(own);
      expect(configWarnings).toEqual([expect.stringContaining(said)]);
      expect(configWarnings[0]).toContain(`${file}: `);
    },
  );

  it.each([
    [{ ...theirs, tools: { theirs_tool: { enabled: true } } }],
    [
      {
        mcp: { tools: { workflow: { enabled: false } } },
        permissions: { deny: ['memory_query', 'box__s__tool', 'bund*', '*'] },
        experts: { denyTools: ['bundle'] },
      },
    ],
  ])('is told nothing of what is spelt as it should be: %j', async (own) => {
    expect((await load(own)).configWarnings).toEqual([]);
  });

  it('is not stopped by what its user says of a plugin that it names and that is not trusted yet', async () => {
    write('clone', JSON.stringify({ plugins: ['./mine.js'], mine: { a: 1 } }));
    writeFileSync(join(folder, 'clone/mine.js'), 'throw new Error("it is not loaded");');
    const { config, faultsOnceTrusted } = await load({ ...own, mine: { a: 2 } });
    expect(config.permissions.deny).toEqual(['memory_*']);
    expect(faultsOnceTrusted).toBeUndefined();
    await expect(load({ mine: {}, permission: {} })).rejects.toThrow('permission: no such key');
    write('clone', JSON.stringify({ permission: { deny: [] } }));
    await expect(load({ permission: {} })).rejects.toThrow('permission: no such key');
  });

  it.each([
    { plugins: ['./theirs.js'], theirs: { deep: 1 }, tools: { theirs_tool: { enabled: false } } },
    { models: { providers: { openrouter: { apiKey: '${LACKING}' } } }, workflows: { setup: [] } },
    { toolboxes: { a: { mcpServers: { b: { command: '${LACKING}' } } } }, http: { port: 'none' } },
  ])('is stopped by nothing that forbids nothing: %j', async (more) => {
    const { config } = await load({ ...more, permissions: { deny: ['a'] } });
    expect(config.permissions.deny).toEqual(['a']);
  });
});
