import { rm, writeFile } from 'node:fs/promises';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { isSlowStep, slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 30_000 };
const FOLDER = '.nexus/workflows';

const OUTER = `
name: outer
description: Asks, and then has others do it.
steps:
  - { id: go, uses: ask, with: { message: Go on? } }
  - { id: edited, uses: 'tool:run_workflow', needs: [go], with: { template: edited } }
  - { id: deleted, uses: 'tool:run_graph_workflow', needs: [go], with: { workflow: deleted } }
outputs:
  edited: \${{ steps.edited.output.output.said }}
  deleted: \${{ steps.deleted.output.output.said }}
`;

const saying = (name: string, list: 'steps' | 'nodes', word: string) => `
name: ${name}
description: Says a word.
${list}: [{ id: say, uses: 'tool:memory_stats' }]
outputs: { said: ${word} }
`;

async function throughAKill(env: Readonly<Record<string, string>>): Promise<void> {
  await using project = await shareProject({
    files: {
      [`${FOLDER}/outer.yaml`]: OUTER,
      [`${FOLDER}/edited.yaml`]: saying('edited', 'steps', 'before'),
      [`${FOLDER}/deleted.yaml`]: saying('deleted', 'nodes', 'before'),
    },
    env: { ...NO_MODELS, ...env },
  });
  const server = await project.host();
  server.session.call('run_workflow', { template: 'outer', idempotencyKey: 'once' }).catch(() => {});
  const listed = async () => JSON.parse((await runNexus(project, ['runs', '--json'])).stdout).runs;
  await vi.waitFor(async () => expect(await listed()).toMatchObject([{ asks: [{}] }]), PATIENCE);
  const [{ id }] = await listed();
  server.child.kill('SIGKILL');
  await server.exit();
  await writeFile(project.path(FOLDER, 'edited.yaml'), saying('edited', 'steps', 'after'));
  await rm(project.path(FOLDER, 'deleted.yaml'));
  const answered = await runNexus(project, ['runs', 'answer', id, 'yes']);
  expect(answered.exitCode, answered.stderr).toBe(0);
  const next = await project.host();
  const { result } = await next.session.call('resume_run', { runId: id });
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
    runId: id,
    output: { edited: 'before', deleted: 'before' },
  });
}

const TITLE = 'calls the workflows that it began with, whatever has become of their files since a kill -9';

verifiesApp('workflows.kill', TITLE, () => throughAKill({}));

const binaries = findPostgres();
describe.skipIf(!binaries || !isSlowStep)('on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());

  slowlyVerifiesApp('workflows.kill', TITLE, async () =>
    throughAKill({ NEXUS_DATABASE_URL: await postgres.createSchema() }),
  );
});
