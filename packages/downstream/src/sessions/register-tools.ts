import type { RegisteredTool, Registry } from '@nexus/core';
import type { CataloguedTool, ToolboxFault } from '@nexus/plugin-sdk';
import type { OfferedTool } from '../catalogue/offered-tool.ts';
import type { Holding } from './holding.ts';
import { underItsNames } from './other-names.ts';
import type { Session } from './session.ts';

/** A tool whose name the session has from elsewhere. */
export interface TakenName {
  readonly tool: CataloguedTool;
  /** What it is called instead; undefined where it can't be called. */
  readonly name: string | undefined;
  readonly fault: ToolboxFault;
}

/**
 * Makes callable for the session what it has of a toolbox. A tool whose name the session has from elsewhere gets
 * another, so that both can be reached.
 * @param isListed whether `tools/list` shows those of an open toolbox
 * @returns those tools
 */
export function registerTools(
  registry: Registry,
  session: Session,
  { toolbox, isListed }: { readonly toolbox: string; readonly isListed: boolean },
): TakenName[] {
  const holding = session.holdings.get(toolbox);
  const isShown = isListed && holding?.state === 'open';
  const wanted = toolsOf(holding);
  const keptNames = keptForHeldBack(session, toolbox);
  /** Only of those whose first name is taken: what it may be called, the name that it has now in front. */
  const names = new Map<OfferedTool, RegisteredTool[]>();
  const tools = () =>
    wanted.flatMap((each): RegisteredTool[] => {
      const left = names.get(each);
      const tool = left ? left[0] : each.registered;
      if (!tool) return [];
      return [isShown ? tool : { ...tool, isListed: false }];
    });
  for (const each of wanted) {
    if (keptNames.has(each.registered.name)) names.set(each, underItsNames(toolbox, each).slice(1));
  }
  for (;;) {
    const taken = registry.setForSession(session.scope, `toolbox ${toolbox}`, tools());
    if (taken.length === 0) break;
    const takenNames = new Set(taken.map(({ name }) => name));
    for (const each of wanted) {
      const left = names.get(each) ?? [each.registered];
      if (!left[0] || !takenNames.has(left[0].name)) continue;
      names.set(each, names.has(each) ? left.slice(1) : underItsNames(toolbox, each).slice(1));
    }
  }
  return [...names].map(([{ catalogued }, [called]]) => ({
    tool: catalogued,
    name: called?.name,
    fault: faultOf(
      catalogued,
      called?.name,
      registry.get(catalogued.registeredName, session.scope)?.plugin ??
        keptNames.get(catalogued.registeredName),
    ),
  }));
}

function faultOf(
  { server, tool, registeredName }: CataloguedTool,
  name: string | undefined,
  holder: string | undefined,
): ToolboxFault {
  const how = name === undefined ? 'it can’t be called here' : `it is named ${name} here`;
  const reason = `${how}, since the session has a tool named ${registeredName} already, of ${holder}; rename this one under tools of its server for a name of your own`;
  return { server, tool, reason };
}

/**
 * Names of tools that are held back, of toolboxes that the session had before this one, each with whose it is: who calls it
 * is told so, and gets no other tool in its place.
 */
function keptForHeldBack({ holdings }: Session, toolbox: string): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [name, { offer }] of holdings) {
    if (name === toolbox) break;
    for (const { server, names } of offer.tools().held) {
      const [registered] = names;
      if (registered !== undefined) kept.set(registered, `${name} / ${server}, which is held back`);
    }
  }
  return kept;
}

function toolsOf(holding: Holding | undefined): readonly OfferedTool[] {
  if (!holding) return [];
  const { tools } = holding.offer.tools();
  if (holding.state === 'open') return tools;
  return tools.filter(({ registered }) => holding.names.has(registered.name));
}
