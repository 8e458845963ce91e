/** About as many as a model’s tokenizer makes of JSON. */
const CHARS_PER_TOKEN = 3.5;

export type Cut = {
  readonly field: string;
  readonly shown: number;
  readonly total: number;
};

/**
 * Keeps an answer to about so many tokens: its longest lists are shortened to fewer whole items until it fits, and
 * what was left out is counted in `cut`.
 * @param whole lists that are not shortened, since they say what to make of the rest
 */
export function fitAnswer<Answer extends object>(
  answer: Answer,
  maxTokens: number,
  whole: readonly (keyof Answer)[] = [],
): Answer & { cut?: Cut[] } {
  const lists = new Map<string, readonly unknown[]>(
    Object.entries(answer).flatMap(([field, value]) =>
      Array.isArray(value) && !whole.includes(field as keyof Answer) ? [[field, value]] : [],
    ),
  );
  const shown = new Map([...lists].map(([field, list]) => [field, list.length]));
  const made = () => {
    const cut = [...lists].flatMap(([field, { length: total }]) => {
      const count = shown.get(field) ?? 0;
      return count < total ? [{ field, shown: count, total }] : [];
    });
    const shortened = [...lists].map(([field, list]) => [field, list.slice(0, shown.get(field))]);
    return { ...answer, ...Object.fromEntries(shortened), ...(cut.length > 0 ? { cut } : {}) };
  };
  for (;;) {
    const fitted = made();
    if (JSON.stringify(fitted).length <= maxTokens * CHARS_PER_TOKEN) return fitted;
    const sizes = [...lists].map(([field, list]) => {
      const count = shown.get(field) ?? 0;
      return { field, count, size: JSON.stringify(list.slice(0, count)).length };
    });
    const [largest] = sizes.filter(({ count }) => count > 0).sort((a, b) => b.size - a.size);
    if (!largest) return fitted;
    shown.set(largest.field, Math.floor(largest.count / 2));
  }
}

/** The parts that were asked for, in the order of `all`; all of them where none was. */
export function pickFields<Answer extends object>(
  answer: Answer,
  { always, fields }: { readonly always: readonly string[]; readonly fields: readonly string[] | undefined },
): Answer {
  if (!fields) return answer;
  const kept = Object.entries(answer).filter(([field]) => always.includes(field) || fields.includes(field));
  return Object.fromEntries(kept) as Answer; // the fields that may be missing are optional in every answer
}
