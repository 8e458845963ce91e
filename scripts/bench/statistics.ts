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

/** Runs the contestants in turn, `rounds` times each, so that whatever else the machine does hits all alike. */
export async function interleave<Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) samples[name].push(await contestants[name]());
  }
  return samples;
}
