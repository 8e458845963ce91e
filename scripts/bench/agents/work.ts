import type { Ground } from './ground.ts';

/** A call of one of our tools. */
export interface ToolUse {
  readonly tool: string;
  readonly arguments: object;
}

/** Something that an agent wants to know or to have done, both ways. */
export interface Task {
  readonly asked: string;
  readonly nexus: readonly ToolUse[];
  /** Command lines, one a call of the host's shell tool, as somebody writes them who knows the programs well. */
  readonly shell: readonly string[];
  /** What each way's answers have to hold, so that they are the same answers. */
  readonly holds: readonly string[];
}

/** A kind of work that agents do on a repository. */
export interface Kind {
  readonly name: string;
  /** How much of the shell's tokens it may take. */
  readonly most: typeof AT_MOST | typeof BELOW;
  tasks(ground: Ground): readonly Task[];
}

export const AT_MOST = 1.2;
/** Fewer than the shell's. */
export const BELOW = 1;
