import { refuseSpread } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import type { Offer } from '../catalogue/offer.ts';
import type { Holdings } from './holdings.ts';
import { createOpenings } from './openings.ts';
import type { Session } from './session.ts';

/** Openings whose record is slow, so that a caller can go while it writes. */
function slowRecord() {
  const onRecord = new Set<string>();
  let release = () => {};
  let begun = 0;
  const openings = createOpenings({
    offers: {
      of: () =>
        ({
          toolbox: 'box',
          servers: [],
          settings: { faults: [] },
          tools: () => ({ faults: [] }),
          inSight: () => [],
        }) as never as Offer,
      source: { toolMode: 'dynamic' },
    } as never,
    holdings: { set: () => [] } as never as Holdings,
    take: undefined as never,
    record: {
      async add(_, toolbox) {
        begun += 1;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        onRecord.add(toolbox);
      },
      async remove(_, toolbox = '') {
        onRecord.delete(toolbox);
      },
      of: async () => [...onRecord],
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const session = {
    id: 's',
    isClients: true,
    holdings: new Map(),
    environment: {},
    scope: { hasEnded: false },
  } as never as Session;
  return { openings, session, onRecord, release: () => release(), begun: () => begun };
}

it('an opening that everyone has cancelled leaves nothing on record, and takes nobody in', async () => {
  const under = slowRecord();
  const cancel = new AbortController();
  const first = under.openings.open(under.session, 'box', { signal: cancel.signal });
  await expect.poll(under.begun).toBe(1);
  cancel.abort(new Error('pressed cancel'));
  await expect(first).rejects.toThrow('pressed cancel');
  const second = under.openings.open(under.session, 'box', { signal: new AbortController().signal });
  second.catch(() => {});
  under.release();
  await expect.poll(under.begun).toBe(2);
  expect([...under.onRecord]).toEqual([]);
  under.release();
  expect(await second).toMatchObject({ toolbox: 'box', wasOpen: false });
  expect([...under.onRecord]).toEqual(['box']);
});

it('opens though its record waits for who writes to the database, which is told once it is written', async () => {
  const under = slowRecord();
  const opened = await under.openings.open(under.session, 'box', { signal: new AbortController().signal });
  expect(opened).toMatchObject({ toolbox: 'box', wasOpen: false });
  expect([...under.onRecord]).toEqual([]);
  under.release();
  await expect.poll(() => [...under.onRecord]).toEqual(['box']);
});

it('opens for a call whose context cannot be copied, as those of tools cannot', async () => {
  const under = slowRecord();
  const context = { signal: new AbortController().signal };
  refuseSpread(context);
  const opening = under.openings.open(under.session, 'box', context);
  await expect.poll(under.begun).toBe(1);
  under.release();
  expect(await opening).toMatchObject({ toolbox: 'box' });
});
