import {
  type CallContext,
  nearestNames,
  type ToolAddress,
  type ToolCatalogue,
  ToolError,
} from '@nexus/plugin-sdk';

interface Named {
  readonly toolbox: string | undefined;
  readonly server: string | undefined;
  readonly tool: string;
}

type Catalogued = ToolAddress & { readonly registeredName: string };

/** Also one that is held back: a name stands for it as before, so that no other is taken for it. */
type Candidate = Catalogued & {
  readonly heldBack?: { readonly tool: string; readonly names: readonly string[] };
};

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
  const catalogue = await host.toolboxes.catalogue(context);
  const tools: readonly Candidate[] = [...catalogue.tools, ...heldOf(catalogue)];
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
  if (only) throw invalid(severalText(tool, named));
  const [elsewhere] = whole;
  if (elsewhere) throw invalid(notThere(elsewhere, { toolbox, server }));
  if (toolbox !== undefined && server !== undefined) return { toolbox, server, tool };
  // By the name that its server gives it, though the config has another.
  const renamed = tools.find((each) => each.heldBack?.tool === tool && isThere(each));
  if (renamed) return renamed;
  const where = toolbox === undefined ? 'No toolbox' : `No server of toolbox ${toolbox}`;
  const near = nearestOf(tool, toolbox === undefined ? catalogue.tools : catalogue.tools.filter(isThere));
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const text = `${where} is known to have a tool ${tool}.${hint} find_tools finds tools by words, with their names.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { nearest: near } });
}

/** Under the name that it is called by, or under all three of its names: a config may have it called by less. */
function isWhole({ toolbox, server, tool, registeredName, heldBack }: Candidate, name: string): boolean {
  if (heldBack) return heldBack.names.includes(name);
  return registeredName === name || [toolbox, server, tool].join(JOINED) === name;
}

function heldOf({ heldBack = [] }: ToolCatalogue): Candidate[] {
  return heldBack.flatMap(({ toolbox, server, tools }) =>
    tools.map((each) => {
      const { tool, name, names } = each;
      const [registeredName = [toolbox, server, name].join(JOINED)] = names;
      return { toolbox, server, tool: name, registeredName, heldBack: { tool, names } };
    }),
  );
}

/** Those that can be called first: which one is held back is told, so that no other is taken in its place unknowingly. */
function severalText(tool: string, several: readonly Candidate[]): string {
  const sorted = [
    ...several.filter(({ heldBack }) => !heldBack),
    ...several.filter(({ heldBack }) => heldBack),
  ];
  const places = sorted
    .slice(0, MAX_PLACES)
    .map(({ toolbox, server, tool: name, registeredName, heldBack }) => {
      const alike = several.filter((each) => each.registeredName === registeredName);
      const place = alike.length === 1 ? registeredName : [toolbox, server, name].join(JOINED);
      return heldBack ? `${place} (held back: \`nexus pins\` shows why)` : place;
    });
  const rest = sorted.length > places.length ? `, and ${sorted.length - places.length} more` : '';
  return `Several servers have a tool ${tool}. Give one of these as \`tool\`: ${places.join(', ')}${rest}.`;
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
