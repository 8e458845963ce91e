import type { CodeOptions } from './options.ts';
import type { Ripgrep } from './ripgrep/run.ts';

/** What the calls share. */
export interface CodeState {
  readonly options: CodeOptions;
  readonly ripgrep: Ripgrep;
}

export function createState(options: CodeOptions): CodeState {
  const { exclude, maxFileBytes } = options;
  return { options, ripgrep: { binary: options.ripgrepPath, exclude, maxFileBytes } };
}
