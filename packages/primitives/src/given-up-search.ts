/** As GitHub answers a search; `incomplete_results` where its time for that was over. */
interface SearchAnswer {
  readonly incomplete_results?: boolean | null | undefined;
  readonly items: readonly unknown[];
}

/** Why an empty list of what GitHub found says nothing; undefined where it says that there is nothing, or is not empty. */
export function givenUpSearch({ incomplete_results: isIncomplete, items }: SearchAnswer): string | undefined {
  if (isIncomplete !== true || items.length > 0) return undefined;
  return 'GitHub gave its search up before it found anything; call again in some minutes.';
}
