const CUT = /characters left out; the whole text is the resource nexus:\/\/results\//;

/**
 * What a shorter structure has not, and says nothing of: texts without a mark where they are cut, lists of which no
 * note tells the number, members that are gone.
 * @param told all text beside the structure
 */
export function lostSilently(whole: unknown, shown: unknown, told: string, path = ''): string[] {
  if (typeof whole === 'string')
    return whole === shown || (typeof shown === 'string' && CUT.test(shown)) ? [] : [path];
  if (typeof whole !== 'object' || whole === null) return whole === shown ? [] : [path];
  if (typeof shown !== 'object' || shown === null) return [path];
  if (Array.isArray(whole)) {
    const few = shown as readonly unknown[];
    const isTold = few.length === whole.length || told.includes(`${path} ${few.length} of ${whole.length}`);
    const inside = few.flatMap((each, index) => lostSilently(whole[index], each, told, `${path}[${index}]`));
    return [...(isTold ? [] : [`${path}: ${few.length} of ${whole.length}`]), ...inside];
  }
  return Object.entries(whole).flatMap(([key, value]) =>
    lostSilently(
      value,
      (shown as Readonly<Record<string, unknown>>)[key],
      told,
      path === '' ? key : `${path}.${key}`,
    ),
  );
}
