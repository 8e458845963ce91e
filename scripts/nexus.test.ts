import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('nexus.ts', import.meta.url));

// It builds what is not built yet.
it('prints what the command prints and nothing else, in the folder it was called from', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nexus-clone-'));
  try {
    await writeFile(join(folder, 'here.txt'), 'a needle\n');
    const args = ['--import', 'tsx', script, 'call', 'search_codebase', 'query=needle', '--json'];
    const { stdout, stderr } = await execa(process.execPath, args, {
      env: { INIT_CWD: folder, NEXUS_DATA_DIR: join(folder, 'data') },
      stdin: 'ignore',
    });
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { hits: [{ file: 'here.txt' }] } });
    expect(stderr).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
