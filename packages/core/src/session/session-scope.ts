import type { SessionScope } from '@nexus/plugin-sdk';

/** A scope in the hands of who made it, and who alone ends it. */
export interface OwnedScope extends SessionScope, AsyncDisposable {
  /**
   * Releases all that is kept with it, begun with the latest, none waiting for another. Once, however often it is asked for.
   * @throws {AggregateError} what could not be released, once all else was
   */
  end(): Promise<void>;
}

export interface ScopeOptions {
  readonly id: string;
  /** Looked up each time: a session may come and go while a run works for it. */
  outer?(): SessionScope | undefined;
}

export function createSessionScope(options: ScopeOptions): OwnedScope {
  return new Scope(options);
}

/** A scope for work that ends by itself; it is no session, so what it opens is gone with it. */
export async function inScope<T>(
  options: ScopeOptions,
  work: (scope: SessionScope) => Promise<T>,
): Promise<T> {
  await using scope = createSessionScope(options);
  return await work(scope);
}

/** The session at whose cost all of this is. */
export function outermost(scope: SessionScope): SessionScope {
  let found = scope;
  while (found.outer) found = found.outer;
  return found;
}

/** A class for its price: calls read `outer` and `hasEnded`. */
class Scope implements OwnedScope {
  readonly id: string;
  readonly #outer: ScopeOptions['outer'];
  readonly #releases = new Set<() => void | Promise<void>>();
  #hasEnded = false;
  #ending: Promise<void> | undefined;

  constructor({ id, outer }: ScopeOptions) {
    this.id = id;
    this.#outer = outer;
  }

  get hasEnded() {
    return this.#hasEnded;
  }

  get outer() {
    const outer = this.#outer?.();
    return outer?.hasEnded ? undefined : outer;
  }

  onEnd(release: () => void | Promise<void>) {
    if (this.#hasEnded) void releaseAll([release]).catch(() => {});
    else this.#releases.add(release);
    return () => void this.#releases.delete(release);
  }

  end() {
    // Before anything is released: what comes meanwhile keeps nothing.
    this.#hasEnded = true;
    this.#ending ??= releaseAll([...this.#releases].reverse());
    this.#releases.clear();
    return this.#ending;
  }

  [Symbol.asyncDispose]() {
    return this.end();
  }
}

async function releaseAll(releases: readonly (() => void | Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(releases.map(async (release) => release()));
  const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'What a session kept could not be released');
}
