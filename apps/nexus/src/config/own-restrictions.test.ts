import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from './load-config.ts';
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

  it('has no tool on that its user has off', () => {
    const own = { tools: { bundle: { enabled: false, timeoutMs: 5 }, orchestrate: { timeoutMs: 5 } } };
    expect(withOwnRestrictions({ tools: { bundle: { enabled: true, timeoutMs: 9 } } }, own)).toEqual({
      tools: { bundle: { enabled: false, timeoutMs: 9 } },
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
    const own = { permissions: { deny: ['memory_*'] }, experts: { maxCostUsd: 0.5 } };
    writeFileSync(join(folder, 'config/nexus/nexus.config.json'), JSON.stringify(own));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const load = (env: Record<string, string> = {}) => loadConfig({ cwd: join(folder, 'clone'), env });

  it.each(['{}', '{"permissions":{"allow":["*"]},"experts":{"maxCostUsd":99999}}'])(
    'takes away nothing that its user denies or caps: %s',
    async (text) => {
      writeFileSync(join(folder, 'clone/nexus.config.json'), text);
      const { config, pluginOptions } = await load();
      expect(config.permissions.deny).toEqual(['memory_*']);
      expect(pluginOptions.experts).toMatchObject({ maxCostUsd: 0.5 });
    },
  );

  it('is held to nothing of another file where it is named itself', async () => {
    const file = join(folder, 'clone/nexus.config.json');
    writeFileSync(file, '{}');
    const { config } = await load({ NEXUS_CONFIG: file });
    expect(config.permissions.deny).toEqual([]);
  });
});
