import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryLedger } from './memory-ledger.ts';

it('never lets calls side by side exceed the cap together, and frees what they did not use', async () => {
  const call = fc.record({ estimate: fc.nat(100), used: fc.double({ min: 0, max: 1, noNaN: true }) });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 50 }), fc.nat(500), async (calls, tokens) => {
      const ledger = memoryLedger({ tokens });
      const held = await Promise.all(
        calls.map(async ({ estimate, used }) => {
          const reservation = await ledger
            .reserve({ tokens: estimate, costUsd: 0 }, 'a')
            .catch(() => undefined);
          return reservation && { reservation, spent: { tokens: Math.floor(estimate * used), costUsd: 0 } };
        }),
      );
      for (const each of held) await each?.reservation.settle(each.spent);
      const sum = held.reduce((all, each) => all + (each?.spent.tokens ?? 0), 0);
      expect(ledger.spent.tokens).toBe(sum);
      expect(sum).toBeLessThanOrEqual(tokens);
      // What was reserved and not used is free again.
      await expect(ledger.reserve({ tokens: tokens - sum, costUsd: 0 }, 'rest')).resolves.toBeDefined();
    }),
  );
});

it('says what is spent, what it would cost and the cap, and goes on once the cap is raised', async () => {
  const ledger = memoryLedger({ costUsd: 0.01 });
  const first = await ledger.reserve({ tokens: 10, costUsd: 0.009 }, 'first');
  await expect(ledger.reserve({ tokens: 10, costUsd: 0.002 }, 'second')).rejects.toMatchObject({
    code: 'NEXUS_BUDGET_EXCEEDED',
    message: expect.stringMatching(/second.*10 tokens and \$0\.0020.*\$0\.0090.*\$0\.01/),
    detail: { spent: { tokens: 0, costUsd: 0 }, reserved: { tokens: 10, costUsd: 0.009 } },
  });
  ledger.cap = { costUsd: 1 };
  await expect(ledger.reserve({ tokens: 10, costUsd: 0.002 }, 'second')).resolves.toBeDefined();
  await first.settle({ tokens: 7, costUsd: 0.005 });
  await first.settle({ tokens: 7, costUsd: 0.005 });
  expect(ledger.spent).toEqual({ tokens: 7, costUsd: 0.005 });
});

it('counts what was spent before against its cap', async () => {
  const ledger = memoryLedger({ costUsd: 1 }, { tokens: 5, costUsd: 0.9 });
  await expect(ledger.reserve({ tokens: 1, costUsd: 0.2 }, 'more')).rejects.toMatchObject({
    code: 'NEXUS_BUDGET_EXCEEDED',
  });
  expect(ledger.spent).toEqual({ tokens: 5, costUsd: 0.9 });
});

it('never counts a call that was interrupted as nothing', async () => {
  const ledger = memoryLedger({}, { tokens: 5, costUsd: 0.9, unknownCalls: 1 });
  const call = await ledger.reserve({ tokens: 10, costUsd: 0.1 }, 'asked');
  for (const _ of [1, 2]) await call.settle({ tokens: 2, costUsd: 0.01, isUnknown: true });
  expect(ledger.spent).toEqual({ tokens: 7, costUsd: 0.91, unknownCalls: 2 });
});
