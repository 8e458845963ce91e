/**
 * What a project would run, load, send or reach by what lies in it, and so counts only once its user trusts it:
 * a part of its config, or what its repository says of itself.
 */
export interface Part {
  /** What the user's word about it is remembered by: the config file's or repository's real path. */
  readonly place: string;
  /** Where it stands, by its keys: `['toolboxes', 'dev', 'mcpServers', 'github']`. */
  readonly path: readonly string[];
  /** The same whatever is written before it: `toolboxes.dev.mcpServers.github`, `plugins: ./review.mjs`. */
  readonly name: string;
  /** What it would run, load or send, for a person to read: whole, and as it is written. */
  readonly lines: readonly string[];
  /** The same with each file by its name, where lines stand for the files of packages. */
  readonly wholeLines?: readonly string[];
  /** Of all that, and of the files that it runs. */
  readonly hash: string;
  /** SHA-256 by absolute path of the files that it runs, none of what may not be there, to be held to when it is started. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Begins the name of what a repository says that it is. */
export const CLAIM_NAME = 'project: ';

/** A part of a config, wherever that lies. */
export type ConfigPart = Omit<Part, 'place'>;
