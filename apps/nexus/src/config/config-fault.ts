/** One thing wrong with the config. */
export interface ConfigFault {
  /** Dotted, as one would write it: `tools.search_codebase.timeoutMs`. */
  readonly path: string;
  /** What is wrong, with the value, what is allowed, and the nearest key where one is misspelt. */
  readonly message: string;
}

/** All faults of a config at once; stops the boot. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly ConfigFault[];

  constructor(source: string, faults: readonly ConfigFault[]) {
    const lines = faults.map(({ path, message }) => `  ${path || '(whole file)'}: ${message}`);
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    super(`${source} has ${count}:\n${lines.join('\n')}`);
    this.faults = faults;
  }
}
