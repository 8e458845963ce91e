import type { Root } from './context.ts';
import type { Host } from './host.ts';
import type { Icon } from './icon.ts';

/** What a reading, or a completion, is given. */
export interface ResourceContext<State = unknown> {
  readonly state: State;
  readonly host: Host;
  /** Who reads; absent for whoever runs as the same user as the server. */
  readonly user?: string | undefined;
  /**
   * What of the project whoever reads may read: what is told of files lies inside of these.
   * @throws {ToolError} NEXUS_OUTSIDE_ROOTS where a client by HTTP names others than the project's
   */
  roots(): Promise<readonly Root[]>;
}

/** One resource with a fixed URI (MCP `Resource`). */
export interface ResourceDefinition<State = unknown> {
  /** `nexus://<name>`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly icons?: readonly Icon[];
  /** @throws {ToolError} NEXUS_NOT_FOUND when there is nothing to read now */
  read(context: ResourceContext<State>): Promise<string | Uint8Array>;
}

/** A family of resources with one URI template (MCP `ResourceTemplate`). */
export interface ResourceTemplateDefinition<State = unknown> {
  /** RFC 6570: `nexus://runs/{id}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly icons?: readonly Icon[];
  /**
   * @param values of the template's variables, as the URI has them
   * @throws {ToolError} NEXUS_NOT_FOUND when there is no such resource
   */
  read(
    values: Readonly<Record<string, string>>,
    context: ResourceContext<State>,
  ): Promise<string | Uint8Array>;
  /** Values of a variable that start with, or contain, what was typed so far, of what this user may read; at most 100 are sent. */
  complete?(
    variable: string,
    typed: string,
    context: ResourceContext<State>,
  ): readonly string[] | Promise<readonly string[]>;
}
