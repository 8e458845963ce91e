import type { Host } from './host.ts';

/** One resource with a fixed URI (MCP `Resource`). */
export interface ResourceDefinition<State = unknown> {
  /** `nexus://<name>`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** @throws {ToolError} NEXUS_NOT_FOUND when there is nothing to read now */
  read(context: { readonly state: State; readonly host: Host }): Promise<string | Uint8Array>;
}
