import type { AnyTool, CallContext, Host, ToolHints } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { pluginTool } from '../src/registry/plugin-tool.ts';
import type { RegisteredTool } from '../src/registry/registered-tool.ts';
import { memoryJobs } from './memory-jobs.ts';

export const READ_ONLY: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool with everything that a test does not care about filled in: it answers what it was given. */
export function fixtureTool(tool: Partial<AnyTool> & { input?: z.ZodObject } = {}): RegisteredTool {
  const full: AnyTool = {
    name: 'echo',
    title: 'Echo',
    description: 'Answers with its input.',
    input: z.object({}),
    output: z.looseObject({}),
    annotations: READ_ONLY,
    budget: 'interactive',
    call: async (input: Record<string, unknown>, _context: CallContext) => input,
    ...tool,
  };
  return pluginTool(full, { name: 'fixtures', host: fixtureHost(), state: async () => 'the state' });
}

/** The tool as one that its first call makes: until it is, none of what it is called by is there. */
export function unmade(tool: RegisteredTool): RegisteredTool {
  let made: RegisteredTool | undefined;
  const here = () => {
    if (!made) throw new Error(`${tool.name} was not made yet`);
    return made;
  };
  return {
    ...tool,
    load: () =>
      made
        ? undefined
        : Promise.resolve().then(() => {
            made = tool;
          }),
    fits: (...given) => here().fits(...given),
    validate: (...given) => here().validate(...given),
    run: (...given) => here().run(...given),
  };
}

/** A host whose services no fixture uses; touching the store is a fault of the test. */
function fixtureHost(): Host {
  const quiet = () => {};
  const storeless = () => Promise.reject(new Error('no fixture has a store'));
  return {
    projectRoot: '/project',
    project: { brief: async () => '', read: async () => undefined },
    dataDir: '/data',
    privatePaths: [],
    results: {
      maxChars: 50_000,
      keep: async () => ({ uri: 'nexus://results/x' }),
      read: async () => undefined,
    },
    store: {
      dialect: 'sqlite',
      projectId: 'fixture',
      now: undefined as never,
      readNow: storeless,
      open: storeless,
      openToRead: storeless,
      blank: storeless,
      ahead: storeless,
      withoutDisk: storeless,
      notify: storeless,
      listen: storeless,
      hold: storeless,
      isHeld: storeless,
    },
    jobs: memoryJobs(),
    // No fixture uses them.
    sessions: undefined as never,
    runs: undefined as never,
    toolboxes: undefined as never,
    workers: undefined as never,
    programs: undefined as never,
    secrets: undefined as never,
    audit: undefined as never,
    traces: undefined as never,
    models: undefined as never,
    fetching: undefined as never,
    events: { resourceUpdated: quiet },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    signal: new AbortController().signal,
  };
}
