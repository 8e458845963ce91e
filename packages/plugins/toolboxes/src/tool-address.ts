import { type CallContext, nearestNames, type ToolAddress, ToolError } from '@nexus/plugin-sdk';

interface Named {
  readonly toolbox: string | undefined;
  readonly server: string | undefined;
  readonly tool: string;
}

type Catalogued = ToolAddress & { readonly registeredName: string };

/** As registered names join them. */
const JOINED = '__';

/** As toolbox and server, Nexus itself. */
const OWN = 'nexus';

/** So many places of one name are told. */
const MAX_PLACES = 10;

/**
 * The tool that is meant. What is known of all servers is asked only where the three names do not say it.
 * One that is held back is an address, too: who reaches for it is told.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS for what may be several; NEXUS_NOT_FOUND
 */
export async function addressOf(
  { toolbox, server, tool }: Named,
  context: CallContext,
): Promise<ToolAddress> {
  const { host } = context;
  const mayBeWhole = tool.includes(JOINED);
  if (toolbox !== undefined && !mayBeWhole) {
    const only = server ?? (await onlyServer(toolbox, context));
    if (only !== undefined) return { toolbox, server: only, tool };
  }
  const { tools, heldBack = [] } = await host.toolboxes.catalogue(context);
  const isThere = (each: ToolAddress) =>
    each.toolbox === (toolbox ?? each.toolbox) && each.server === (server ?? each.server);
  const whole = tools.filter((each) => isWhole(each, tool));
  const wholeThere = whole.filter(isThere);
  // The catalogue leaves Nexus's own tools out for who has them listed.
  if (wholeThere.length === 0 && toolbox === undefined && server === undefined && context.tools.find(tool))
    return { toolbox: OWN, server: OWN, tool };
  const named =
    wholeThere.length > 0 ? wholeThere : tools.filter((each) => each.tool === tool && isThere(each));
  const [only, other] = named;
  if (only && !other) return only;
  if (only) {
    const places = named.slice(0, MAX_PLACES).map(({ registeredName }) => registeredName);
    const rest = named.length > places.length ? `, and ${named.length - places.length} more` : '';
    throw invalid(
      `Several servers have a tool ${tool}. Give one of these as \`tool\`: ${places.join(', ')}${rest}.`,
    );
  }
  const [elsewhere] = whole;
  if (elsewhere) throw invalid(notThere(elsewhere, { toolbox, server }));
  if (toolbox !== undefined && server !== undefined) return { toolbox, server, tool };
  const [held] = heldBack.flatMap((each) => {
    const [its] = each.tools.filter(({ tool: name, names }) => name === tool || names.includes(tool));
    const at = { toolbox: each.toolbox, server: each.server };
    return its && isThere({ ...at, tool: its.tool }) ? [{ ...at, tool: its.tool }] : [];
  });
  if (held) return held;
  const where = toolbox === undefined ? 'No toolbox' : `No server of toolbox ${toolbox}`;
  const near = nearestOf(tool, toolbox === undefined ? tools : tools.filter(isThere));
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const text = `${where} is known to have a tool ${tool}.${hint} find_tools finds tools by words, with their names.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { nearest: near } });
}

/** Under the name that it is called by, or under all three of its names: a config may have it called by less. */
function isWhole({ toolbox, server, tool, registeredName }: Catalogued, name: string): boolean {
  return registeredName === name || [toolbox, server, tool].join(JOINED) === name;
}

/** Names that would pass as they are. */
function nearestOf(name: string, tools: readonly Catalogued[]): string[] {
  const nameOf = (each: Catalogued) => (name.includes(JOINED) ? each.registeredName : each.tool);
  const near = nearestNames(name, new Set(tools.map(nameOf)));
  return near
    .flatMap((each) => tools.filter((tool) => nameOf(tool) === each))
    .map(({ registeredName }) => registeredName)
    .slice(0, 3);
}

/** The tool has its place in its name; what was given for another may be meant as an argument of it. */
function notThere(
  { toolbox, server, registeredName }: Catalogued,
  given: Readonly<Record<'toolbox' | 'server', string | undefined>>,
): string {
  const place = { toolbox, server };
  const wrong = (['toolbox', 'server'] as const).filter(
    (key) => given[key] !== undefined && given[key] !== place[key],
  );
  const meant = Object.fromEntries(wrong.map((key) => [key, given[key]]));
  const form = JSON.stringify({ tool: registeredName, arguments: meant });
  return `${registeredName} is a tool of server ${server} in toolbox ${toolbox}: leave ${wrong.join(' and ')} out, or, where the tool has such an argument, write ${form}.`;
}

/**
 * Undefined where there are several. For a toolbox that does not exist any name will do: what is answered then names the
 * nearest.
 */
async function onlyServer(toolbox: string, { host }: CallContext): Promise<string | undefined> {
  const toolboxes = await host.toolboxes.names();
  const [first, ...others] = toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  return others.length > 0 ? undefined : (first ?? toolbox);
}

function invalid(message: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', message);
}
