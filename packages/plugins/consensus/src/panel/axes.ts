/** What a trade-off of the supply chain is judged by, unless the caller names other axes. */
export const axes = {
  build_time_determinism:
    'Whether the same source gives the same build: pinned versions, lock files, hashes, no network while building.',
  supply_chain_risk:
    'What is trusted and how it could be turned against us: who publishes it, how many packages come along, install scripts, provenance, how fast a bad release would be noticed.',
  update_cadence:
    'How fast fixes arrive and what each update costs: who watches, how often it breaks, how long known holes stay open.',
} as const satisfies Record<string, string>;

export const defaultAxes = Object.keys(axes) as readonly (keyof typeof axes)[];

/** What an axis asks; one that the caller made up is asked by its name. */
export function meaningOf(axis: string): string {
  const known: Readonly<Record<string, string>> = axes;
  return known[axis] ?? 'As its name says.';
}
