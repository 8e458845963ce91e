import { counted } from '@nexus/primitives';
import type { Place } from './fault-places.ts';

/** One thing wrong with the config. */
export interface ConfigFault {
  /** Dotted, as one would write it: `tools.search_codebase.timeoutMs`. */
  readonly path: string;
  /** What is wrong, with the value, what is allowed, and the nearest key where one is misspelt. */
  readonly message: string;
  /** Where in the file, where that is known. */
  readonly place?: Place | undefined;
}

/** So many faults are told one by one, each with its place; of the others how many there are. */
export const SHOWN_FAULTS = 50;

/** All faults of a config at once; stops the boot. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly source: string;
  readonly faults: readonly ConfigFault[];

  constructor(source: string, faults: readonly ConfigFault[]) {
    const lines = faults
      .slice(0, SHOWN_FAULTS)
      .map(({ path, message, place }) => `  ${path || '(whole file)'}: ${message}${describePlace(place)}`);
    const left = faults.length - lines.length;
    if (left > 0) lines.push(`  and ${left} more; mend these, and the next ${SHOWN_FAULTS} are told`);
    super(`${source} has ${counted(faults.length, 'fault')}:\n${lines.join('\n')}`);
    this.source = source;
    this.faults = faults;
  }
}

function describePlace(place: Place | undefined): string {
  return place === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
}
