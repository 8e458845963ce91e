import {
  type ModelTool,
  matchesName,
  READING_KIT,
  type ToolCaller,
  ToolError,
  type ToolSummary,
} from '@nexus/plugin-sdk';
import type { ExpertsOptions } from '../options.ts';
import type { Role } from '../roles/roles.ts';

/** A tool that an expert may use, as it stands when its turn begins; plain JSON. */
export interface ExpertTool extends ModelTool {
  readonly isReadOnly: boolean;
  /** What it is, whatever it is called when it is called. */
  readonly origin: string;
  /** Whether a call may be made again where nobody knows whether the first one arrived. */
  readonly isRepeatable: boolean;
}

/** Nexus's own tools that help any expert; those of its role and of opened toolboxes come beside them. */
const OWN: readonly string[] = [...READING_KIT, 'memory_query'];

/** Between the parts of the name of a toolbox's tool. */
const TOOLBOX_MARK = '__';

/**
 * The tools of the caller that an expert may use: those that only read, of code, memory, its role and opened
 * toolboxes, and what the config allows beside them. Those that read the project come first, as whoever judges has
 * them, so that both are told the same to begin with.
 */
export function expertTools(
  caller: ToolCaller,
  options: ExpertsOptions,
  { tools: ofRole = [] }: Pick<Role, 'tools'> = {},
): ExpertTool[] {
  const own = [...OWN, ...ofRole];
  const found = caller.list().filter((tool) => mayUse(tool, options, own));
  return [...found.filter(isOfKit), ...found.filter((tool) => !isOfKit(tool))].map(
    ({ name, origin, description, inputSchema, annotations, isRepeatable }) => ({
      name,
      origin,
      description,
      inputSchema,
      isReadOnly: annotations.readOnlyHint,
      isRepeatable,
    }),
  );
}

const isOfKit = ({ name }: ToolSummary) => (READING_KIT as readonly string[]).includes(name);

function mayUse(
  { name, origin, annotations }: ToolSummary,
  { allowTools, denyTools }: ExpertsOptions,
  own: readonly string[],
): boolean {
  if (denyTools.some((pattern) => matchesName(pattern, name) || matchesName(pattern, origin))) return false;
  if (allowTools.some((pattern) => matchesName(pattern, origin))) return true;
  return annotations.readOnlyHint && (own.includes(name) || name.includes(TOOLBOX_MARK));
}

/**
 * Holds a call to the tool that the expert was given: while it worked, the name may have become another's.
 * @throws {ToolError} NEXUS_DENIED
 */
export function assertStillMeant(
  caller: ToolCaller,
  { name, origin = name }: { readonly name: string; readonly origin?: string },
): void {
  const found = caller.find(name)?.origin;
  if (found === undefined || found === origin) return;
  throw new ToolError(
    'NEXUS_DENIED',
    `${name} is another tool now (${found}) than this expert was given (${origin}).`,
  );
}
