import {
  type ModelTool,
  matchesName,
  READING_KIT,
  type ToolCaller,
  ToolError,
  type ToolSummary,
} from '@nexus/plugin-sdk';
import type { ExpertsOptions } from '../options.ts';

/** A tool that an expert may use, as it stands when its turn begins; plain JSON. */
export interface ExpertTool extends ModelTool {
  readonly isReadOnly: boolean;
  /** What it is, whatever it is called when it is called. */
  readonly origin: string;
  /** Whether a call may be made again where nobody knows whether the first one arrived. */
  readonly isRepeatable: boolean;
}

/** Nexus's own tools that help an expert; those of opened toolboxes come beside them. */
const OWN: readonly string[] = [
  ...READING_KIT,
  'memory_query',
  'research_query',
  'research_analyze',
  'research_synthesize',
  'repo_analyze',
];

/** Between the parts of the name of a toolbox's tool. */
const TOOLBOX_MARK = '__';

/**
 * The tools of the caller that an expert may use: those that only read, of code, memory, research and opened
 * toolboxes, and what the config allows beside them.
 */
export function expertTools(caller: ToolCaller, options: ExpertsOptions): ExpertTool[] {
  return caller
    .list()
    .filter((tool) => mayUse(tool, options))
    .map(({ name, origin, description, inputSchema, annotations, isRepeatable }) => ({
      name,
      origin,
      description,
      inputSchema,
      isReadOnly: annotations.readOnlyHint,
      isRepeatable,
    }));
}

function mayUse(
  { name, origin, annotations }: ToolSummary,
  { allowTools, denyTools }: ExpertsOptions,
): boolean {
  if (denyTools.some((pattern) => matchesName(pattern, name) || matchesName(pattern, origin))) return false;
  if (allowTools.some((pattern) => matchesName(pattern, origin))) return true;
  return annotations.readOnlyHint && (OWN.includes(name) || name.includes(TOOLBOX_MARK));
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
