const CUT =
  /characters left out; the whole text is the resource nexus:\/\/results\/|… \(\d+ more characters\)$/;
/** Where there is little room, not all that have fewer are named. */
const OTHERS = / and \d+ more fewer/;

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
  const isToldOf = (place: string, kept: number, of: number) =>
    kept === of || told.includes(`${place} ${kept} of ${of}`) || OTHERS.test(told);
  if (Array.isArray(whole)) {
    const few = shown as readonly unknown[];
    const isTold = isToldOf(path, few.length, whole.length);
    const inside = few.flatMap((each, index) => lostSilently(whole[index], each, told, `${path}[${index}]`));
    return [...(isTold ? [] : [`${path}: ${few.length} of ${whole.length}`]), ...inside];
  }
  const members = Object.entries(whole);
  const names = Object.keys(shown);
  const isTold = isToldOf(path || 'its members', names.length, members.length);
  const left = isTold ? members.filter(([key]) => names.includes(key)) : members;
  return left.flatMap(([key, value]) =>
    lostSilently(
      value,
      (shown as Readonly<Record<string, unknown>>)[key],
      told,
      path === '' ? key : `${path}.${key}`,
    ),
  );
}
