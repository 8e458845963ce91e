import type { Patterns } from '@nexus/untrusted/patterns';
import type { ListedTool } from '../definitions/listed-tool.ts';
import type { Definition } from '../definitions/read-definitions.ts';
import type { OfferedServer } from '../server-address.ts';

/** A tool that may be offered, by its server's name for it. */
export interface ToolOrigin {
  readonly from: OfferedServer;
  readonly server: string;
  /** As the config renames it. */
  readonly name: string;
  readonly listed: ListedTool;
  /** The config's in place of its own. */
  readonly description: string | undefined;
  /** Where its schema has a pattern. */
  readonly patterns: Patterns | undefined;
}

/** As served, the config's description laid over it. */
export function definitionOf({ listed, description }: ToolOrigin): Definition {
  return description === undefined ? listed.definition : { ...listed.definition, description };
}
