import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.ts';

describe('findProgram', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-program-'));
  beforeAll(() => {
    mkdirSync(join(folder, 'bin/folder'), { recursive: true });
    writeFileSync(join(folder, 'bin/tool'), '');
    writeFileSync(join(folder, 'bin/text'), '');
    chmodSync(join(folder, 'bin/tool'), 0o755);
    chmodSync(join(folder, 'bin/text'), 0o644);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds a command on the path, as the system would', () => {
    const env = { PATH: [join(folder, 'nowhere'), dirname(process.execPath)].join(delimiter) };
    expect(findProgram(basename(process.execPath), { cwd: folder, env })).toBe(process.execPath);
    expect(findProgram('no-such-program', { cwd: folder, env })).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')(
    'takes a path from the folder it is run in, and only what can be run',
    () => {
      const search = { cwd: folder, env: { PATH: join(folder, 'bin') } };
      expect(findProgram('./bin/tool', search)).toBe(join(folder, 'bin/tool'));
      expect(findProgram(join(folder, 'bin/tool'), search)).toBe(join(folder, 'bin/tool'));
      expect(findProgram('tool', search)).toBe(join(folder, 'bin/tool'));
      for (const name of ['text', 'folder', './tool']) expect(findProgram(name, search)).toBeUndefined();
    },
  );
});
