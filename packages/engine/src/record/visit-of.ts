/** The node and the visit that a step's name begins with: `after` and `after#2` of `after#2/call`, also of items. */
export function visitOf(name: string): { readonly node?: string | undefined; readonly visit?: string } {
  const [, node, visit] = /^([^/#]+?)(?:\.items)?#(\d+)/.exec(name) ?? [];
  return node === undefined ? {} : { node, visit: `${node}#${visit}` };
}
