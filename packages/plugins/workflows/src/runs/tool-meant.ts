import { nearestNames, type ToolCaller, type ToolSummary } from '@nexus/plugin-sdk';

/**
 * The tool that a step means: of a toolbox's tool `{toolbox}__{server}__{its server's own name}`, which no filter,
 * rename or prefix of a config can put another tool behind.
 */
export function toolMeant(tools: ToolCaller, named: string): ToolSummary | undefined {
  const found = tools.find(named);
  if (found?.origin === named) return found;
  return tools.list().find(({ origin }) => origin === named);
}

/** As `toolMeant`, of toolboxes that are not open, too. */
export async function toolReached(tools: ToolCaller, named: string): Promise<ToolSummary | undefined> {
  const there = toolMeant(tools, named);
  if (there || !tools.reach) return there;
  await tools.reach(named);
  return toolMeant(tools, named);
}

/** Says so, with how it would have to be named or the nearest that there is. */
export function noSuchTool(named: string, tools: ToolCaller): string {
  const origin = tools.find(named)?.origin;
  if (origin !== undefined) {
    return `no tool is meant by "${named}": it is a name that the config gives ${origin}, and a step names what it runs; write ${origin}.`;
  }
  const origins = tools.list().map((tool) => tool.origin);
  const [near] = nearestNames(named, origins, 1);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `there is no tool "${named}" that you may call${hint}`;
}
