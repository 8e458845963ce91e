import type { Definition } from './read-definitions.ts';

/** As many as any answer shows, each of which is read several times while it is made. */
const MAX_READ = 64;

/** The definitions read last, the one longest unused first. */
const read = new Map<ListedTool, Definition>();

/**
 * A tool of a server's list. Its definition stays text until somebody looks at it: of twenty thousand a search shows
 * five, and as objects they take five times the memory and most of a second.
 */
export class ListedTool {
  readonly name: string;
  /** Of what pins go by. */
  readonly hash: string;
  readonly #text: string;

  /** @param text its definition as JSON, checked before */
  constructor(name: string, hash: string, text: string) {
    this.name = name;
    this.hash = hash;
    this.#text = text;
  }

  get definition(): Definition {
    const definition = read.get(this) ?? (JSON.parse(this.#text) as Definition); // as it was checked
    read.delete(this);
    read.set(this, definition);
    const oldest = read.keys().next().value;
    if (read.size > MAX_READ && oldest) read.delete(oldest);
    return definition;
  }
}
