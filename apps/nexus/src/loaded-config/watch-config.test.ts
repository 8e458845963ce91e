import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LoadedConfig, loadConfig } from './load-config.ts';
import { type ConfigWatch, watchConfig } from './watch-config.ts';

describe('watchConfig', () => {
  let folder: string;
  let file: string;
  let watched: ConfigWatch | undefined;
  const changes: { loaded: LoadedConfig; changed: readonly string[] }[] = [];
  const errors: unknown[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (message, fields) => void errors.push([message, fields]),
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-watch-')));
    file = join(folder, 'nexus.config.json');
    changes.length = 0;
    errors.length = 0;
  });
  afterEach(() => {
    watched?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (config: unknown) => writeFileSync(file, JSON.stringify(config));
  async function start(onChange?: () => void): Promise<ConfigWatch> {
    const source = { cwd: folder, env: { NEXUS_DATA_DIR: folder, SET: 'yes' } };
    watched = watchConfig({
      source,
      loaded: await loadConfig(source),
      log,
      onChange(loaded, changed) {
        onChange?.();
        changes.push({ loaded, changed });
      },
    });
    return watched;
  }
  const waitForChange = () => vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: 20_000 });
  const servers = { s: { command: 'x' } };

  it('gives the new config and the sections that changed', async () => {
    write({ toolMode: 'dynamic', limits: { burst: 5 } });
    await start();
    write({ limits: { burst: 6 }, toolboxes: { a: { mcpServers: servers } } });
    await waitForChange();
    expect(changes[0]?.changed).toEqual(['limits', 'toolMode', 'toolboxes']);
    expect(changes[0]?.loaded.toolboxSource.toolboxes).toMatchObject([{ name: 'a', servers: ['s'] }]);
  });

  it('follows a file that an editor replaces, also through a link', async () => {
    const real = join(folder, 'real.json');
    writeFileSync(real, '{}');
    symlinkSync(real, file);
    await start();
    const fresh = join(folder, 'fresh.json');
    writeFileSync(fresh, '{"toolMode": "proxy"}');
    renameSync(fresh, real);
    await waitForChange();
    expect(changes[0]?.loaded.config.toolMode).toBe('proxy');
  });

  it('stays with what runs where the file is faulty, and logs its faults', async () => {
    write({ toolMode: 'dynamic' });
    await start();
    write({ toolMode: 'dyn', lmits: {} });
    await vi.waitFor(() => expect(errors).toHaveLength(1), { timeout: 20_000 });
    expect(JSON.stringify(errors)).toMatch(/toolMode.*lmits|lmits.*toolMode/s);
    expect(changes).toEqual([]);
    write({ toolMode: 'proxy' });
    await waitForChange();
  });

  it.each([
    ['half-written', '{"toolboxes": {"a"', /has 1 fault/],
    ['empty', '', /gone or empty/],
  ])('refuses a file that is %s', async (_what, text, message) => {
    write({ toolMode: 'proxy' });
    const { reload } = await start();
    writeFileSync(file, text);
    await expect(reload()).rejects.toThrow(message);
    expect(changes).toEqual([]);
  });

  it('refuses when the file is gone, or another one would be found', async () => {
    write({});
    const { reload } = await start();
    rmSync(file);
    await expect(reload()).rejects.toThrow(/gone or empty/);
    symlinkSync(join(folder, 'nowhere'), file);
    await expect(reload()).rejects.toThrow(/gone or empty/);
  });

  it('says what changed to whoever asks for a reload, and nothing where nothing did', async () => {
    write({ toolMode: 'proxy' });
    const { reload } = await start();
    expect(await reload()).toEqual([]);
    write({ toolMode: 'dynamic' });
    expect(await reload()).toEqual(['toolMode']);
    expect(await reload()).toEqual([]);
  });

  it('offers a change again that could not be taken over', async () => {
    write({});
    let hasFailed = false;
    const { reload } = await start(() => {
      if (hasFailed) return;
      hasFailed = true;
      throw new Error('busy');
    });
    write({ profile: 'lean' });
    await expect(reload()).rejects.toThrow('busy');
    expect(await reload()).toEqual(['profile']);
  });

  it('needs no file', async () => {
    const { reload } = await start();
    expect(await reload()).toEqual([]);
  });
});
