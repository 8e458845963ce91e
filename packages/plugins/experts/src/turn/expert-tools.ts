import { type ModelTool, matchesName, type ToolCaller, type ToolSummary } from '@nexus/plugin-sdk';
import type { ExpertsOptions } from '../options.ts';

/** A tool that an expert may use, as it stands when its turn begins; plain JSON. */
export interface ExpertTool extends ModelTool {
  readonly isReadOnly: boolean;
  /** Whether a call may be made again where nobody knows whether the first one arrived. */
  readonly isRepeatable: boolean;
}

/** Nexus's own tools that help an expert; those of opened toolboxes come beside them. */
const OWN = [
  'search_codebase',
  'extract_symbols',
  'search_usages',
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
    .map(({ name, description, inputSchema, annotations, isRepeatable }) => ({
      name,
      description,
      inputSchema,
      isReadOnly: annotations.readOnlyHint,
      isRepeatable,
    }));
}

function mayUse({ name, annotations }: ToolSummary, { allowTools, denyTools }: ExpertsOptions): boolean {
  if (denyTools.some((pattern) => matchesName(pattern, name))) return false;
  if (allowTools.some((pattern) => matchesName(pattern, name))) return true;
  return annotations.readOnlyHint && (OWN.includes(name) || name.includes(TOOLBOX_MARK));
}
