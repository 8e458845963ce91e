import { it } from 'vitest';
import { expectShortWaits } from '../harness/soak/expect-short-waits.ts';
import { soak } from '../harness/soak/soak.ts';

// A wait that is not the machine's is there again.
it('nobody waits for what a hostile repository, server, HTTP client, text, feed and model do (test/slow has a minute of it)', {
  retry: 2,
  timeout: 120_000,
}, async () => {
  expectShortWaits(await soak({ ms: 10_000, victims: 11 }));
});
