/** The value below which this share of the samples lies; nearest rank. */
function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('no samples');
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/**
 * Runs each contestant `rounds` times by turns, so that whatever else the machine does hits all alike. Each round has an
 * order of its own: where two cores take turns, every second contestant of one order is woken on the core that sleeps,
 * which cost the same server a third more.
 */
export async function interleave<Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(names)) samples[name].push(await contestants[name]());
  }
  return samples;
}

/** Each order as likely as the others. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (left.length > 0) drawn.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return drawn;
}
