/** Of a graph: the node, how often it was visited by then, which of its items, and what the step is called there. */
const OF_VISIT = /^([^/#]+?)(?:\.items)?#(\d+)(\[\d+\])?\/(.+)$/;

/** How a step is called for people: one without a title of its own by its name, `after#2/waits` as `after 2: waits`. */
export function stepTitle({ name, title }: { readonly name: string; readonly title: string }): string {
  if (title !== name) return title;
  const [, node, visit = '1', item = '', what] = OF_VISIT.exec(name) ?? [];
  return node === undefined ? title : `${node}${visit === '1' ? '' : ` ${visit}`}${item}: ${what}`;
}
