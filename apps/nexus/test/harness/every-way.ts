import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostSession } from './session.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;
type Args = Readonly<Record<string, unknown>>;

/** A tool as `tools/list` has it, with what it is asked. */
export interface Asked {
  readonly definition: Answer;
  readonly args: Args;
}

/** Where a call may be made; `undefined` where this tool can't be called so. */
interface Way {
  readonly name: string;
  call(session: HostSession, asked: Asked, root: string): Promise<Answer> | undefined;
}

const FOLDER = '.nexus/workflows/ways';

/** Each way beside a direct call that a tool can be called by, with what came of it. */
export const OTHER_WAYS: readonly Way[] = [
  {
    name: 'use_tool',
    call: (session, { definition: { name }, args }) =>
      session.call('use_tool', { toolbox: 'nexus', server: 'nexus', tool: name, arguments: args }),
  },
  {
    name: 'bundle',
    call: (session, { definition: { name, annotations }, args }) =>
      annotations.readOnlyHint && name !== 'bundle'
        ? session.call('bundle', { ops: [{ tool: name, arguments: args }] })
        : undefined,
  },
  {
    name: 'a step of a workflow',
    async call(session, { definition: { name }, args }, root) {
      const template = `${FOLDER}/${name}.yaml`;
      await mkdir(dirname(join(root, template)), { recursive: true });
      // JSON is YAML.
      const steps = [{ id: 'ask', uses: `tool:${name}`, with: args }];
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of workflows
      const outputs = { answer: '${{ steps.ask.output }}' };
      const workflow = { name: `way-${name}`, description: 'Asks.', steps, outputs };
      await writeFile(join(root, template), JSON.stringify(workflow));
      return session.call('run_workflow', { template });
    },
  },
  {
    name: 'a job',
    call: (session, { definition: { name, inputSchema }, args }) =>
      'dispatch' in inputSchema.properties ? jobOf(session, name, args) : undefined,
  },
];

async function jobOf(session: HostSession, name: string, args: Args): Promise<Answer> {
  const begun = await session.call(name, { ...args, dispatch: 'async' });
  const jobId = begun.result?.structuredContent?.jobId;
  if (jobId === undefined) return begun;
  for (;;) {
    const told = await session.call('get_job_result', { jobId });
    if (!/queued|working/.test(told.result?.structuredContent?.status ?? '')) return told;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
