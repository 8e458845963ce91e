/**
 * A view with less and less told of it, where a host shows little: what may be left out goes in that order, and is named.
 * Whatever else it has stays whole.
 */
export function* fewerTold<View extends object>(
  view: View,
  order: readonly string[],
): Generator<Partial<View> & { readonly leftOut: string }> {
  const leftOut: string[] = [];
  for (const name of order) {
    if (!(name in view)) continue;
    leftOut.push(name);
    const rest = Object.entries(view).filter(([each]) => !leftOut.includes(each));
    yield { ...(Object.fromEntries(rest) as Partial<View>), leftOut: leftOut.join(', ') };
  }
}
