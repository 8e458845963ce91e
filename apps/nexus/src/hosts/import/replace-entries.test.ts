import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupOf, replaceEntries, undoReplacement } from './replace-entries.ts';

const entry = { command: 'nexus', args: ['--mode=server'] };
const values = { A_KEY: 'key-one', B_KEY: 'key "two"' };
const replacement = { names: ['a', 'b'], projectRoot: '/p', entry, values };

describe('one entry in the place of many', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-replace-'));
    file = join(folder, 'mcp.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
  const read = () => JSON.parse(readFileSync(file, 'utf8'));

  it('leaves all else as it was, and the file as it was beside it, as closed', () => {
    write({ theme: 'dark', mcpServers: { a: { command: 'a' }, other: { command: 'o' }, b: {} } });
    const before = readFileSync(file, 'utf8');
    chmodSync(file, 0o600);
    expect(replaceEntries(file, replacement)).toMatchObject({ removed: ['a', 'b'] });
    expect(read()).toEqual({ theme: 'dark', mcpServers: { other: { command: 'o' }, nexus: entry } });
    expect(readFileSync(backupOf(file), 'utf8')).toBe(before);
    if (process.platform !== 'win32') expect(statSync(backupOf(file)).mode & 0o077).toBe(0);
    expect(undoReplacement(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(backupOf(file))).toBe(false);
    expect(undoReplacement(file)).toBe(false);
  });

  it('finds them wherever a host keeps them, and is there once', () => {
    write({
      mcpServers: { a: {} },
      projects: { '/p': { mcpServers: { b: {} } }, '/q': { mcpServers: { a: {} } } },
    });
    expect(replaceEntries(file, replacement)).toMatchObject({ removed: ['a', 'b'] });
    expect(read()).toEqual({
      mcpServers: { nexus: entry },
      projects: { '/p': { mcpServers: {} }, '/q': { mcpServers: { a: {} } } },
    });
    rmSync(backupOf(file));
    write({ servers: { a: {}, nexus: { command: 'mine' } } });
    replaceEntries(file, replacement);
    expect(read()).toEqual({ servers: { nexus: { command: 'mine' } } });
    rmSync(backupOf(file));
    write({ servers: { a: {} } });
    replaceEntries(file, replacement);
    expect(read()).toEqual({ servers: { nexus: { type: 'stdio', ...entry } } });
  });

  it('gives a file the values back that stood in it, and none of another file', () => {
    write({ mcpServers: { a: { env: { KEY: 'key "two"' } } } });
    replaceEntries(file, replacement);
    expect(read()).toEqual({ mcpServers: { nexus: { ...entry, env: { B_KEY: 'key "two"' } } } });
  });

  it('writes nothing where there is nothing to replace, a backup already, or comments to lose', () => {
    write({ mcpServers: { other: {} } });
    expect(replaceEntries(file, replacement)).toEqual({ removed: [], given: [] });
    expect(existsSync(backupOf(file))).toBe(false);
    write({ mcpServers: { a: {} } });
    writeFileSync(backupOf(file), 'the first one');
    expect(() => replaceEntries(file, replacement)).toThrow('--undo');
    expect(readFileSync(backupOf(file), 'utf8')).toBe('the first one');
    rmSync(backupOf(file));
    writeFileSync(file, '{ // mine\n "mcpServers": { "a": {} } }');
    expect(() => replaceEntries(file, replacement)).toThrow('comments');
    expect(readFileSync(file, 'utf8')).toContain('// mine');
  });
});
