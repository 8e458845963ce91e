import type { z } from 'zod';
import type { Host } from './host.ts';
import type { PromptDefinition } from './prompt.ts';
import type { ResourceDefinition, ResourceTemplateDefinition } from './resource.ts';
import type { Retention } from './retention.ts';
import type { AnyRunKind } from './runs/run-kind.ts';
import type { AnyTool } from './tool.ts';

/**
 * A plugin is static data: importing its module has no side effect, so docs and governance read it
 * without starting it. Work begins in `start`, and what is slow begins at the first call.
 */
export interface Plugin<Options extends z.ZodObject = z.ZodObject, State = unknown> {
  /** Equals the folder in the tree, or the last part of the package's name. */
  readonly name: string;
  /** The plugin's own section of the config, checked at boot. */
  readonly options: Options;
  /** In any order: lists are served sorted by name. */
  readonly tools: readonly AnyTool<State>[];
  readonly resources?: readonly ResourceDefinition<State>[];
  readonly resourceTemplates?: readonly ResourceTemplateDefinition<State>[];
  readonly prompts?: readonly PromptDefinition<State>[];
  /**
   * Kinds of durable runs that `host.runs` then starts, and goes on with after a crash: those that the plugin's tools
   * start in their steps. Those that are tools (`defineRunTool`) are listed by that.
   */
  readonly runs?: readonly AnyRunKind<State>[];
  /** How long the rows of its tables stay: each table has its word here. */
  readonly retention?: readonly Retention[];
  /**
   * A folder in the data directory that holds something only while there is work, or where that was cut off. Where
   * a process finds anything there, it starts the plugin, whose `start` takes away what is left over.
   */
  readonly leaves?: string;
  /** Its result is `context.state` of every call. */
  start(options: z.output<Options>, host: Host): Promise<State>;
  /** Frees what `start` and the calls acquired; at most 5 seconds. */
  stop(state: State): Promise<void>;
}

/** A plugin of any options and state, as the app holds it. */
// biome-ignore lint/suspicious/noExplicitAny: state and options are contravariant in start and stop
export type AnyPlugin = Plugin<any, any>;

/** Types a plugin, and lists the kinds of its tools; options are inferred from their schema, the state from `start`. */
export function definePlugin<Options extends z.ZodObject, State>(
  plugin: Plugin<Options, State>,
): Plugin<Options, State> {
  const ofTools = plugin.tools.flatMap(({ run }) => run ?? []);
  if (ofTools.length === 0) return plugin;
  return { ...plugin, runs: [...new Set([...(plugin.runs ?? []), ...ofTools])] };
}
