import { homedir } from 'node:os';
import { parse } from 'node:path';
import type { Caller, Dispatcher } from '@nexus/core';
import { type Host, ToolError } from '@nexus/plugin-sdk';

/** Why a folder is no project: everything lies in it, and a search there would not end. */
export function noProjectFault(projectRoot: string): string | undefined {
  const isRoot = parse(projectRoot).root === projectRoot;
  if (!isRoot && projectRoot !== homedir()) return undefined;
  const what = isRoot ? 'the root of the file system' : 'the home directory';
  return `${projectRoot} is ${what} and no project. Start Nexus in the project’s folder, or name its config: --config /path/to/project/nexus.config.json.`;
}

/**
 * A dispatcher whose tools do not get the folder that is no project as a root; where the client names no
 * other, a tool that asks for roots fails at once with the fix.
 */
export function withoutRoot(dispatcher: Dispatcher, projectRoot: string, fault: string): Dispatcher {
  const without = (caller: Caller): Caller => ({
    ...caller,
    async roots() {
      const others = (await caller.roots()).filter(({ path }) => path !== projectRoot);
      if (others.length === 0) throw new ToolError('NEXUS_UNAVAILABLE', fault);
      return others;
    },
  });
  return {
    ...dispatcher,
    call: (caller, ...rest) => dispatcher.call(without(caller), ...rest),
    startTask: (caller, ...rest) => dispatcher.startTask(without(caller), ...rest),
    callAgain: (caller, ...rest) => dispatcher.callAgain(without(caller), ...rest),
  };
}

/** What runs get of the host there: one that works on the project fails at once with the fix, whoever started it. */
export function withoutProject(host: Host, fault: string): Host {
  return {
    ...host,
    get projectRoot(): string {
      throw new ToolError('NEXUS_UNAVAILABLE', fault);
    },
  };
}
