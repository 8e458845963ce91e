import type { RegisteredTool, Registry } from '@nexus/core';
import type { ToolboxFault } from '@nexus/plugin-sdk';
import type { OfferedTool } from '../catalogue/offered-tool.ts';
import type { Holding } from './holding.ts';
import { prefixedTool } from './prefixed-tool.ts';
import type { Session } from './session.ts';

/**
 * Makes callable for the session what it has of a toolbox. A tool whose name the session has from elsewhere gets
 * its name with a prefix, so that both can be reached.
 * @param isListed whether `tools/list` shows those of an open toolbox
 * @returns those tools
 */
export function registerTools(
  registry: Registry,
  session: Session,
  { toolbox, isListed }: { readonly toolbox: string; readonly isListed: boolean },
): ToolboxFault[] {
  const holding = session.holdings.get(toolbox);
  const wanted = toolsOf(holding);
  const asListed = (tool: RegisteredTool) =>
    isListed && holding?.state === 'open' ? tool : { ...tool, isListed: false };
  const register = (all: readonly RegisteredTool[]) =>
    registry.setForSession(session.scope, `toolbox ${toolbox}`, all.map(asListed));
  const taken = new Set(register(wanted.map(({ registered }) => registered)).map(({ name }) => name));
  if (taken.size === 0) return [];
  register(
    wanted.map((each) => (taken.has(each.registered.name) ? prefixedTool(toolbox, each) : each.registered)),
  );
  return wanted
    .filter(({ registered }) => taken.has(registered.name))
    .map((each) => {
      const { server, tool, registeredName } = each.catalogued;
      const holder = registry.get(registeredName, session.scope)?.plugin;
      const { name } = prefixedTool(toolbox, each);
      const reason = `it is named ${name} here, since the session has a tool named ${registeredName} already, of ${holder}; rename this one under tools of its server for a name of your own`;
      return { server, tool, reason };
    });
}

function toolsOf(holding: Holding | undefined): readonly OfferedTool[] {
  if (!holding) return [];
  const { tools } = holding.offer.tools();
  if (holding.state === 'open') return tools;
  return tools.filter(({ registered }) => holding.names.has(registered.name));
}
