/** A variable without value and without default. */
export interface MissingVariable {
  readonly variable: string;
  /** Where it stands, dotted: `toolboxes.prod.mcpServers.api.args.2`; empty for the value itself. */
  readonly path: string;
}

/** What to do about a missing variable, in one sentence for a message about its path. */
export function describeMissing(variable: string): string {
  return `the environment variable ${variable} is not set; set it, or give a default: \${${variable}:-default}`;
}

/** Variables that a value needs and the environment lacks: all of them at once. */
export class ExpansionError extends Error {
  override readonly name = 'ExpansionError';
  readonly missing: readonly MissingVariable[];
  /** The value with everything expanded that could be; what is missing stands as written. */
  readonly expanded: unknown;

  constructor(missing: readonly MissingVariable[], expanded: unknown) {
    const lines = missing.map(({ variable, path }) => `${path || '(value)'}: ${describeMissing(variable)}`);
    super(lines.join('\n'));
    this.missing = missing;
    this.expanded = expanded;
  }
}
