import { describe, expect, it } from 'vitest';
import { contextWith, refuseSpread } from './context-with.ts';

class Context {
  readonly #name: string;
  readonly done: string[] = [];
  constructor(name: string) {
    this.#name = name;
    refuseSpread(this);
  }
  get signal(): AbortSignal {
    return AbortSignal.abort(this.#name);
  }
  get said() {
    return `said by ${this.#name}`;
  }
  progress(message: string): void {
    this.done.push(message);
  }
}

describe('a context', () => {
  it('has other members where it is told so, and its own for the rest', () => {
    const context = new Context('one');
    const { signal } = new AbortController();
    const other = contextWith(context, { signal });
    expect(other.signal).toBe(signal);
    expect(other.said).toBe('said by one');
    other.progress('half');
    expect(context.done).toEqual(['half']);
    expect(context.signal.aborted).toBe(true);
    expect(contextWith(other, { said: 'else' })).toMatchObject({ said: 'else', signal });
  });

  it.each<[string, (context: Context) => unknown]>([
    ['spread', (context) => ({ ...context })],
    ['taken apart with a rest', ({ done: _, ...rest }) => rest],
    ['assigned', (context) => Object.assign({}, context)],
    ['derived, and then spread', (context) => ({ ...contextWith(context, { said: '' }) })],
  ])('is not %s, which would lose its members without a word', (_, copy) => {
    expect(() => copy(new Context('one'))).toThrow(
      new TypeError(
        'A context can’t be spread, assigned or copied: its members are no own ones, and would be lost. Pass it on as it is, name what you pass on ({ signal: context.signal }), or write contextWith(context, { signal }).',
      ),
    );
  });

  it('is taken apart by name, and is JSON', () => {
    const { said, done } = new Context('one');
    expect([said, done]).toEqual(['said by one', []]);
    expect(JSON.stringify(new Context('one'))).toBe('{"done":[]}');
  });
});
