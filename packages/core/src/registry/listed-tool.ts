import type { AnyTool, BudgetClass, Label, ToolHints } from '@nexus/plugin-sdk';
import { passesResultsOn, toListing } from './plugin-tool.ts';
import type { ToolListing } from './registered-tool.ts';

/** As much of a plugin's tool as lists, searches and admits it: plain data, known without its module. */
export interface ListedTool {
  readonly listing: ToolListing;
  readonly name: string;
  readonly hints: ToolHints;
  readonly label?: Partial<Label>;
  readonly isConduit?: boolean;
  readonly passesResultsOn?: boolean;
  readonly budget: BudgetClass;
  readonly isLong: boolean;
  readonly isResumable: boolean;
  readonly runKind?: string;
  readonly isListedWhenLean: boolean;
  readonly needsModel?: boolean;
  readonly requires: readonly string[];
}

export function listTool(tool: AnyTool): ListedTool {
  return {
    listing: toListing(tool),
    name: tool.name,
    hints: tool.annotations,
    ...(tool.label ? { label: tool.label } : {}),
    ...(tool.isConduit ? { isConduit: true } : {}),
    ...(passesResultsOn(tool) ? { passesResultsOn: true } : {}),
    budget: tool.budget,
    isLong: tool.isLong === true,
    isResumable: tool.isResumable === true,
    ...(tool.run ? { runKind: tool.run.name } : {}),
    isListedWhenLean: tool.isListedWhenLean === true,
    ...(tool.needsModel ? { needsModel: true } : {}),
    requires: tool.requires ?? [],
  };
}
