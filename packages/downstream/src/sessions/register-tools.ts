import type { RegisteredTool } from '@nexus/core';
import type { ToolboxFault } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import type { Workplace } from '../workplace.ts';
import type { Session } from './session.ts';

/**
 * Makes callable for the session what it has of a toolbox: all of an open one, else the tools it reached.
 * @returns the tools whose names it has from elsewhere
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
  const taken = registry.setForSession(
    session.id,
    sourceOf(toolbox),
    wanted.map(({ registered }) => (isListed ? registered : unlisted(registered))),
  );
  if (taken.length === 0) return [];
  const servers = new Map(tools.map(({ catalogued }) => [catalogued.registeredName, catalogued]));
  return taken.map(({ name }) => {
    const { server = '', tool = name } = servers.get(name) ?? {};
    const holder = registry.get(name, session.id)?.plugin;
    const reason = `the session has a tool named ${name} already, of ${holder}; rename this one under tools of its server, or set prefix`;
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
