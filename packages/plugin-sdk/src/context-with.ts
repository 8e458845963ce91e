/**
 * A context in which some members are others: what `{ ...context, signal }` would be, if a context could be spread.
 * All else is read of the given one when it is asked for.
 * @param members those that are others, such as a signal that ends sooner
 */
export function contextWith<Context extends object>(
  context: Context,
  members: { readonly [Name in keyof Context]?: Context[Name] | undefined },
): Context {
  return new Proxy(context, {
    // By the given context itself: its accessors read what only a context of their class has.
    get: (of, name) => Reflect.get(Object.hasOwn(members, name) ? members : of, name),
  });
}

/** Read by whoever copies all own members of an object, and by nobody else. */
const COPIED = Symbol('the members of this context, copied');

const REFUSAL = {
  enumerable: true,
  get(): never {
    throw new TypeError(
      'A context can’t be spread, assigned or copied: its members are no own ones, and would be lost. Pass it on as it is, name what you pass on ({ signal: context.signal }), or write contextWith(context, { signal }).',
    );
  },
};

/** Has a spread of this object fail in so many words, instead of losing its members without any. */
export function refuseSpread(context: object): void {
  Object.defineProperty(context, COPIED, REFUSAL);
}
