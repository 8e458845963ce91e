import { it } from 'vitest';
import { expectShortWaits, toldOf } from '../harness/soak/expect-short-waits.ts';
import { soak } from '../harness/soak/soak.ts';

// With the attackers' own five they are sixteen sessions.
it('nobody waits for what a hostile repository, server, HTTP client, text, feed and model do in a minute', {
  retry: 1,
}, async () => {
  const report = await soak({ ms: 60_000, victims: 11 });
  expectShortWaits(report);
  console.info(toldOf(report));
});
