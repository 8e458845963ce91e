import type { RegisteredTool } from '@nexus/core';
import type { ToolboxFault } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import type { Workplace } from '../workplace.ts';
import { prefixedTool } from './prefixed-tool.ts';
import type { Session } from './session.ts';

/**
 * Makes callable for the session what it has of a toolbox: all of an open one, else the tools it reached. One
 * whose name the session has from elsewhere gets its name with a prefix, so that both can be reached.
 * @returns those tools
 */
export function registerTools(
  { registry, source }: Workplace,
  session: Session,
  offer: Offer,
): ToolboxFault[] {
  const { toolbox } = offer;
  const isOpen = session.open.has(toolbox);
  const isListed = isOpen && source.toolMode === 'dynamic';
  const reached = session.reached.get(toolbox);
  const { tools } = offer.tools();
  const wanted = isOpen ? tools : tools.filter(({ registered }) => reached?.has(registered.name));
  const asListed = (tool: RegisteredTool) => (isListed ? tool : unlisted(tool));
  const register = (all: readonly RegisteredTool[]) =>
    registry.setForSession(session.id, sourceOf(toolbox), all.map(asListed));
  const taken = new Set(register(wanted.map(({ registered }) => registered)).map(({ name }) => name));
  if (taken.size === 0) return [];
  register(
    wanted.map((each) => (taken.has(each.registered.name) ? prefixedTool(toolbox, each) : each.registered)),
  );
  return wanted
    .filter(({ registered }) => taken.has(registered.name))
    .map((each) => {
      const { server, tool, registeredName } = each.catalogued;
      const holder = registry.get(registeredName, session.id)?.plugin;
      const { name } = prefixedTool(toolbox, each);
      const reason = `it is named ${name} here, since the session has a tool named ${registeredName} already, of ${holder}; rename this one under tools of its server for a name of your own`;
      return { server, tool, reason };
    });
}

export function unregisterTools({ registry }: Workplace, session: Session, toolbox: string): void {
  registry.setForSession(session.id, sourceOf(toolbox), []);
}

function sourceOf(toolbox: string): string {
  return `toolbox ${toolbox}`;
}

function unlisted(tool: RegisteredTool): RegisteredTool {
  return { ...tool, isListed: false };
}
