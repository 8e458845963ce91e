import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AnyRunKind, type AnyTool, definePlugin, defineTool, ToolError } from '@nexus/plugin-sdk';
import { type PluginTestOptions, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { z } from 'zod';
import workflows from '../src/index.ts';

/** What the tools of a test were called with, in order. */
export interface Calls {
  readonly all: string[];
  /** Called at each call, before it answers. */
  onCall: (what: string) => Promise<unknown> | unknown;
}

export interface WorkflowsUnderTest extends PluginUnderTest {
  readonly calls: Calls;
  readonly root: string;
  write(file: string, text: string): void;
}

export interface UnderTestOptions extends PluginTestOptions {
  /** By path in the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Kinds of runs as other plugins have them. */
  readonly kinds?: readonly AnyRunKind[];
  /** Tools as other plugins have them, beside the test's own. */
  readonly tools?: readonly AnyTool[];
}

/** The plugin beside tools as others have them: one that echoes and reads, one that writes, one that fails. */
export async function startWorkflows({
  files = {},
  kinds = [],
  tools = [],
  ...options
}: UnderTestOptions = {}) {
  const calls: Calls = { all: [], onCall: () => {} };
  const root = mkdtempSync(join(tmpdir(), 'nexus-workflows-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const plugin = definePlugin({
    ...workflows,
    tools: [...workflows.tools, ...toolsOf(calls), ...tools],
    runs: [...(workflows.runs ?? []), ...kinds],
  });
  const started = await startPlugin(plugin, { projectRoot: root, ...options });
  return {
    ...started,
    calls,
    root,
    write,
    async stop() {
      await started.stop();
      rmSync(root, { recursive: true, force: true });
    },
  } satisfies WorkflowsUnderTest;
}

function toolsOf(calls: Calls) {
  const called = async (what: string) => {
    calls.all.push(what);
    await calls.onCall(what);
  };
  const hints = { destructiveHint: false, openWorldHint: false } as const;
  return [
    defineTool({
      name: 'echo',
      title: 'Echo',
      description: 'Gives back what it gets.',
      input: z.object({ value: z.unknown().describe('What.') }),
      output: z.object({ value: z.unknown() }),
      annotations: { ...hints, readOnlyHint: true, idempotentHint: true },
      budget: 'interactive',
      async call({ value }) {
        await called(`echo ${JSON.stringify(value)}`);
        return { value: value ?? null };
      },
    }),
    defineTool({
      name: 'note',
      title: 'Note',
      description: 'Writes a note down.',
      input: z.object({ text: z.string().min(1).max(100).describe('What.') }),
      output: z.object({ length: z.int() }),
      annotations: { ...hints, readOnlyHint: false, idempotentHint: false },
      budget: 'interactive',
      async call({ text }) {
        await called(`note ${text}`);
        return { length: text.length };
      },
    }),
    defineTool({
      name: 'fail_until',
      title: 'Fail until',
      description: 'Fails until it was called so often.',
      input: z.object({ times: z.int().min(0).max(100).describe('How often.') }),
      output: z.object({ calls: z.int() }),
      annotations: { ...hints, readOnlyHint: true, idempotentHint: true },
      budget: 'interactive',
      async call({ times }) {
        await called('fail_until');
        const count = calls.all.filter((each) => each === 'fail_until').length;
        if (count < times) throw new ToolError('NEXUS_UNAVAILABLE', `not the ${count}th time`);
        return { calls: count };
      },
    }),
  ];
}

/** As a client sees why a call failed. */
export function errorOf(result: Awaited<ReturnType<PluginUnderTest['call']>>) {
  const { code, detail } = (result._meta?.['nexus/error'] ?? {}) as {
    readonly code?: string;
    readonly detail?: Readonly<Record<string, unknown>>;
  };
  return { code, detail, text: result.content.map((block) => block.text ?? '').join('\n') };
}
