import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { bundleFixture } from '../harness/bundle-fixture.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const SPELLINGS = ['plain', 'uri', 'base64', 'base64url', 'hex'] as const;

/** Nothing gives them away but that they are in force; no two alike, and none within another. */
const secrets = fc
  .uniqueArray(fc.stringMatching(/^[A-Za-z0-9!$%&()+,./:;=?@_~-]{12,32}$/), { minLength: 6, maxLength: 6 })
  .map((values) => values.map((value, index) => `${value}${index}x`));

/** A server that fails, and says of what on stderr. */
const FOREIGN = `
const { CRM_0_TOKEN: secret } = process.env;
process.stderr.write('starting with ' + secret + '\\n');
throw new Error('no login with ' + secret);
`;

slowlyVerifiesApp('exits.masked', 'shows no secret at any exit, in any spelling', async () => {
  const [values = []] = fc.sample(secrets, 1);
  const variables = values.map((value, index) => [`CRM_${index}_TOKEN`, value] as const);
  await using project = await makeProject({
    env: Object.fromEntries(variables),
    config: {
      plugins: ['./leaky-plugin.mjs'],
      toolboxes: {
        far: {
          description: 'Fails.',
          mcpServers: {
            end: {
              command: process.execPath,
              args: ['-e', FOREIGN],
              env: { CRM_0_TOKEN: '$' + '{CRM_0_TOKEN}' },
            },
          },
        },
      },
    },
  });
  await bundleFixture('leaky-plugin', project.path('leaky-plugin.mjs'));
  await using server = startServer(project, {
    command: process.execPath,
    args: [bin, '--mode=server', '--verbose'],
    env: { NEXUS_LOG_LEVEL: 'debug' },
  });
  const { session } = server;
  await session.initialize();
  const shown: Record<string, string> = {};
  const show = (exit: string, what: unknown) => {
    shown[exit] = `${shown[exit] ?? ''}${typeof what === 'string' ? what : JSON.stringify(what)}\n`;
  };
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
  for (const [variable, value] of variables) {
    // What a caller's own trace carries is logged with the call.
    const _meta = {
      traceparent,
      tracestate: `a=${value}`,
      baggage: `b=${value}`,
    };
    for (const spelling of SPELLINGS) {
      const what = { variable, spelling };
      for (const tool of ['leaky_throw', 'leaky_fail', 'leaky_log'])
        show(`answer of ${tool}`, await session.call(tool, what, { _meta }));
      const { result } = await session.call('leaky_run', what);
      show('answer of leaky_run', result);
      const { runId } = result.structuredContent;
      show('resource of a run', await session.ask('resources/read', { uri: `nexus://runs/${runId}` }));
      const job = await session.call('leaky_fail', { ...what, idempotencyKey: `${variable} ${spelling}` });
      show('job', job);
    }
  }
  show('resource', await session.ask('resources/read', { uri: 'nexus://leaky' }));
  show('config resource', await session.ask('resources/read', { uri: 'nexus://config' }));
  show('toolbox', await session.call('open_toolbox', { toolbox: 'far' }));
  show('toolboxes', await session.call('list_toolboxes'));
  const { result: jobs } = await session.call('list_jobs');
  show('list_jobs', jobs);
  for (const { jobId } of jobs.structuredContent.jobs.slice(0, 6))
    show('get_job_result', await session.call('get_job_result', { jobId }));
  for (const args of [
    ['status'],
    ['runs'],
    ['jobs'],
    ['doctor', '--connect'],
    ['config'],
    ['toolbox', 'open', 'far'],
  ])
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await runNexus(project, [...args, ...json]);
      show(`nexus ${args.join(' ')}`, stdout + stderr);
    }
  const { runs } = JSON.parse((await runNexus(project, ['runs', '--json'])).stdout);
  for (const { id } of runs.slice(0, 6))
    show('nexus runs <id>', (await runNexus(project, ['runs', id, '--json'])).stdout);
  server.child.stdin?.end();
  await server.exit();
  show('log', server.stderr());
  show(
    'notifications',
    session.received.filter(({ method }) => method !== undefined),
  );
  show('records', await recordsOf(project));

  for (const [exit, text] of Object.entries(shown)) {
    for (const value of values) {
      const bytes = Buffer.from(value);
      for (const spelt of [
        value,
        encodeURIComponent(value),
        ...(['base64', 'base64url', 'hex'] as const).map((each) => bytes.toString(each)),
      ])
        expect({
          exit,
          leaks: text.includes(spelt) || text.includes(JSON.stringify(spelt).slice(1, -1)) ? spelt : '',
        }).toEqual({ exit, leaks: '' });
    }
  }
  for (const exit of ['log', 'answer of leaky_fail', 'job', 'nexus runs <id>', 'toolbox'])
    expect({ exit, isMasked: shown[exit]?.includes('********') }).toEqual({ exit, isMasked: true });
});

/** JSONL files of the data directory: telemetry and the like. */
async function recordsOf({ dataDir }: Project): Promise<string> {
  const files = await readdir(dataDir, { recursive: true });
  const texts = files
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => readFile(join(dataDir, file), 'utf8'));
  return (await Promise.all(texts)).join('');
}
