import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config/config-fault.ts';
import type { Found } from '../config/find.ts';
import { isAnyoneTrusted, judge, type Trust } from './trust.ts';
import { trustParts } from './trust-record.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-judge-')));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state'));
  put('project/nexus.config.json', '{}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const foundIn = (more: Partial<Found> = {}): Found => ({
  configFile: join(root, 'project/nexus.config.json'),
  projectRoot: join(root, 'project'),
  ...{ isOwnChoice: false, refused: [], hidden: [], ...more },
});
const names = (parts: Trust['parts']) => parts.map(({ name }) => name);

const COMMANDS = { test: ['true'] };
const RAW = { limits: { burst: 5 }, workflows: { commands: COMMANDS, maxSteps: 7 }, bus: { anything: 1 } };

describe('whether everyone is trusted', () => {
  it('is said by one word alone', () => {
    expect([{}, { NEXUS_TRUST: '' }, { NEXUS_TRUST: 'all' }].map(isAnyoneTrusted)).toEqual([
      false,
      false,
      true,
    ]);
    for (const word of ['yes', 'ALL', ' all', 'none']) {
      const error = (() => {
        try {
          return isAnyoneTrusted({ NEXUS_TRUST: word });
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as Error).message).toContain(`must be all, or not set; found ${JSON.stringify(word)}`);
      expect((error as Error).message).toContain('NEXUS_TRUST');
    }
  });
});

describe.runIf(process.platform === 'linux')('what of a project’s config counts', () => {
  it('is its data, and of the rest what its user trusts as it stands', async () => {
    const before = await judge(RAW, foundIn(), {});
    expect(names(before.waiting)).toEqual(['workflows.commands', 'bus.anything']);
    expect(before.parts).toEqual(before.waiting);
    expect(before.used).toEqual({ limits: { burst: 5 }, workflows: { maxSteps: 7 }, bus: {} });
    trustParts(
      before.waiting.filter(({ name }) => name === 'workflows.commands'),
      before.parts,
    );
    const after = await judge(RAW, foundIn(), {});
    expect(names(after.waiting)).toEqual(['bus.anything']);
    expect(names(after.parts)).toEqual(['workflows.commands', 'bus.anything']);
    expect(after.used).toEqual({ ...RAW, bus: {} });
    const other = { ...RAW, workflows: { commands: { test: ['false'] } } };
    expect(names((await judge(other, foundIn(), {})).waiting)).toEqual([
      'workflows.commands',
      'bus.anything',
    ]);
  });

  it('is all of it where its user chose the file, where everyone is trusted, and where there is none', async () => {
    for (const [found, environment] of [
      [foundIn({ isOwnChoice: true }), {}],
      [foundIn(), { NEXUS_TRUST: 'all' }],
      [foundIn({ configFile: undefined }), {}],
    ] as const) {
      expect(await judge(RAW, found, environment)).toEqual({ used: RAW, parts: [], waiting: [] });
    }
  });

  it('is bound to the file by its real path, and to scripts of its repository beside it and above', async () => {
    execFileSync('git', ['init', '-q', join(root, 'project')]);
    put('project/sub/nexus.config.json', '{}');
    put('project/tool.sh', 'true');
    symlinkSync(join(root, 'project/sub'), join(root, 'link'));
    const raw = { toolboxes: { t: { mcpServers: { s: { command: 'sh', args: ['../tool.sh'] } } } } };
    const found = foundIn({ configFile: join(root, 'link/nexus.config.json') });
    const first = await judge(raw, found, {});
    expect(first.parts.map(({ place }) => place)).toEqual([join(root, 'project/sub/nexus.config.json')]);
    trustParts(first.waiting, first.parts);
    expect((await judge(raw, found, {})).waiting).toEqual([]);
    put('project/tool.sh', 'false');
    expect(names((await judge(raw, found, {})).waiting)).toEqual(['toolboxes.t.mcpServers.s']);
  });

  it('is held to scripts beside it where it lies in no repository', async () => {
    put('project/tool.sh', 'true');
    const raw = { toolboxes: { t: { mcpServers: { s: { command: 'sh', args: ['./tool.sh'] } } } } };
    const { waiting, parts } = await judge(raw, foundIn(), {});
    trustParts(waiting, parts);
    put('project/tool.sh', 'false');
    expect(names((await judge(raw, foundIn(), {})).waiting)).toEqual(['toolboxes.t.mcpServers.s']);
  });

  it('leaves out with a plugin that waits the sections that may be its options, and no others', async () => {
    put('project/review.mjs', 'export default {};');
    const raw = {
      plugins: ['./review.mjs'],
      review: { strict: true },
      lint: { all: true },
      memory: { anything: 1 },
      limits: { burst: 5 },
    };
    const waiting = await judge(raw, foundIn(), {});
    expect(names(waiting.waiting)).toEqual(['plugins: ./review.mjs', 'review', 'lint', 'memory']);
    const but = (name: string) => waiting.parts.filter((part) => part.name !== name);
    // Its options were trusted, it itself was not: as a section of nobody they would be a fault.
    trustParts(but('plugins: ./review.mjs'), waiting.parts);
    const used = await judge(raw, foundIn(), {});
    expect(names(used.waiting)).toEqual(['plugins: ./review.mjs']);
    expect(used.used).toEqual({ plugins: [], memory: { anything: 1 }, limits: { burst: 5 } });
    trustParts(waiting.parts, waiting.parts);
    expect((await judge(raw, foundIn(), {})).used).toEqual(raw);
    // Where no plugin waits, they wait alone.
    const other = await judge({ ...raw, review: { strict: false } }, foundIn(), {});
    expect(names(other.waiting)).toEqual(['review']);
    expect(other.used).toMatchObject({ lint: { all: true }, memory: { anything: 1 } });
  });
});

describe.runIf(process.platform === 'linux')('what a project says of itself', () => {
  it('waits beside its config: workflows with a schedule, and who it is on a shared database', async () => {
    put('project/.nexus/workflows/night.yaml', 'name: night\nschedule: daily\n');
    execFileSync('git', ['init', '-q', join(root, 'project')]);
    execFileSync('git', [
      '-C',
      join(root, 'project'),
      'remote',
      'add',
      'origin',
      'https://host.example/a/b.git',
    ]);
    const shared = { NEXUS_DATABASE_URL: 'postgres://db.example/x' };
    const all = async (raw: Parameters<typeof judge>[0], environment: Parameters<typeof judge>[2]) => {
      const { parts, waiting } = await judge(raw, foundIn(), environment);
      expect(waiting).toEqual(parts);
      return names(parts).map((name) => name.replace(/^project: .*/, 'claim'));
    };
    const night = 'schedule: .nexus/workflows/night.yaml';
    expect(await all({}, shared)).toEqual(['claim', night]);
    expect(await all({}, {})).toEqual([night]);
    expect(await all({}, { ...shared, NEXUS_PROJECT_ID: 'mine' })).toEqual([night]);
    // The project's own word on its id counts no sooner than its user trusts it.
    const named = { project: { id: 'mine' } };
    expect(await all(named, shared)).toEqual(['project', 'claim', night]);
    const unnamed = { project: { folder: 'mine' } };
    const { parts: said } = await judge(unnamed, foundIn(), shared);
    trustParts(
      said.filter(({ name }) => name === 'project'),
      said,
    );
    expect(names((await judge(unnamed, foundIn(), shared)).waiting)).toEqual([
      expect.stringMatching(/^project: /),
      night,
    ]);
    const { parts } = await judge(named, foundIn(), shared);
    trustParts(parts, parts);
    expect(names((await judge(named, foundIn(), shared)).parts)).toEqual(['project', night]);
    expect((await judge(named, foundIn(), shared)).waiting).toEqual([]);
  });
});
