import { prove } from '@nexus/plugin-sdk';
import { expect, vi } from 'vitest';
import { boot } from '../../src/boot/boot.ts';
import { loadConfig } from '../../src/loaded-config/load-config.ts';
import { createLog } from '../../src/log.ts';
import { makeProject } from '../harness/project.ts';
import { verifiesApp } from '../harness/verifies.ts';

verifiesApp(
  'no-project.runs',
  'a run that works on the project says what to do where there is none',
  async () => {
    await using project = await makeProject();
    const { root, env } = project;
    vi.stubEnv('HOME', root);
    vi.stubEnv('USERPROFILE', root);
    const nexus = await boot(await loadConfig({ cwd: root, env }), createLog('error'));
    try {
      const { id } = await nexus.engine.runs.start(prove, { kind: 'fails', claim: 'It does not hold.' });
      const { error } = await nexus.engine.runs.wait(id, { signal: AbortSignal.timeout(20_000) });
      expect(error).toMatchObject({
        code: 'NEXUS_UNAVAILABLE',
        message: expect.stringContaining('no project. Start Nexus in'),
      });
    } finally {
      await nexus.stop();
      vi.unstubAllEnvs();
    }
  },
);
