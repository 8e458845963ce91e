import { describe, expect, it } from 'vitest';
import type { Asked } from './ask.ts';
import type { Call } from './calls.ts';
import type { Fault } from './faults.ts';
import { type Evidence, judge, repeatedCalls } from './judge.ts';
import type { Recorded } from './record.ts';

const mark = 'CHAOS-0001';
const answer = {
  runId: 'run_1',
  decision: 'approved',
  votes: Array(7).fill({ reasoning: `It is seen of ${mark}.` }),
  usage: { inputTokens: 10, outputTokens: 5 },
};
const recorded: Recorded = {
  runs: [{ id: 'run_1', kind: 'consensus.vote', status: 'completed', error: '' }],
  jobs: [{ id: 'job_1', status: 'completed' }],
  tokens: 15,
  unsettled: 0,
  effects: 0,
};
const call: Call = { key: 'k', mark, place: 'a', askedAt: 100, answeredAt: 200, tokens: 15 };

function sound(
  changes: Omit<Partial<Evidence>, 'asked'> & { readonly asked?: Partial<Asked>[] } = {},
): Evidence {
  const { asked = [{}], ...rest } = changes;
  const base: Asked = {
    item: { at: 1, mark, kind: 'consensus_vote' },
    told: [{ host: 'a', answer }],
    jobId: undefined,
    retried: new Map(),
    tookMs: 1,
  };
  return {
    asked: asked.map((each) => ({ ...base, ...each })),
    calls: [call],
    faults: [],
    record: new Map([[mark, recorded]]),
    callsOfKind: new Map([['consensus_vote', 1]]),
    windowMs: 50,
    ...rest,
  };
}

const charges = (evidence: Evidence) => judge(evidence).findings.map(({ charge }) => charge);
const onRecord = (changes: Partial<Recorded>) => ({ record: new Map([[mark, { ...recorded, ...changes }]]) });
function fault(kind: Fault['kind'], at: number, endedAt = at, place: string | undefined = 'a'): Fault {
  return { kind, at, endedAt, place };
}

describe('what is held against a run', () => {
  it('is nothing where it came to what it should, once, for what was given out', () => {
    expect(charges(sound())).toEqual([]);
  });

  it.each<[string, Evidence, string[]]>([
    ['no last word of a run that is there', sound({ asked: [{ told: [] }] }), ['hung']],
    ['no last word and nothing on record', sound({ asked: [{ told: [] }], record: new Map() }), ['lost']],
    [
      'no last word of a run that failed',
      sound({
        asked: [{ told: [] }],
        ...onRecord({ runs: [{ id: 'run_1', kind: 'consensus.vote', status: 'failed', error: 'x' }] }),
      }),
      ['failed'],
    ],
    ['a job that is gone', sound({ asked: [{ jobId: 'job_9' }] }), ['lost']],
    [
      'an error, though the run is completed',
      sound({ asked: [{ told: [{ host: 'a', error: { code: 'NEXUS_CRASHED', message: 'x' } }] }] }),
      ['failed', 'misreported'],
    ],
    [
      'three deaths without a step between, after which it ended as promised',
      sound({
        asked: [{ told: [{ host: 'a', error: { code: 'NEXUS_CRASHED', message: 'x' } }] }],
        faults: [300, 400, 500].map((at) => fault('kill', at)),
        ...onRecord({ runs: [{ id: 'run_1', kind: 'consensus.vote', status: 'failed', error: '' }] }),
      }),
      ['crashed'],
    ],
    [
      'fewer deaths than it may have, after which it ended all the same',
      sound({
        asked: [{ told: [{ host: 'a', error: { code: 'NEXUS_CRASHED', message: 'x' } }] }],
        faults: [100, 400, 500].map((at) => fault('kill', at)),
        ...onRecord({ runs: [{ id: 'run_1', kind: 'consensus.vote', status: 'failed', error: '' }] }),
      }),
      ['failed'],
    ],
    [
      'two clients that were told different things',
      sound({
        asked: [
          {
            told: [
              { host: 'a', answer },
              { host: 'b', answer: { ...answer, decision: 'no' } },
            ],
          },
        ],
      }),
      ['misreported'],
    ],
    [
      'another answer than it should be',
      sound({ asked: [{ told: [{ host: 'a', answer: { ...answer, decision: 'rejected' } }] }] }),
      ['wrong answer'],
    ],
    ['a run that is not completed', sound(onRecord({ runs: [] })), ['doubled', 'misreported']],
    [
      'two runs of one call',
      sound(
        onRecord({
          runs: [...recorded.runs, { id: 'run_2', kind: 'consensus.vote', status: 'failed', error: '' }],
        }),
      ),
      ['doubled'],
    ],
    ['an effect too many', sound(onRecord({ effects: 1 })), ['doubled']],
    ['a usage that was not given out', sound(onRecord({ tokens: 16 })), ['wrong usage']],
    ['a call that is never settled', sound(onRecord({ unsettled: 1 })), ['wrong usage']],
    [
      'calls that it usually does not make',
      sound({ calls: [call, { ...call, key: 'other', tokens: 0 }] }),
      ['doubled'],
    ],
  ])('is %s', (_, evidence, expected) => {
    expect(charges(evidence)).toEqual(expected);
  });
});

describe('a call that was made again', () => {
  const again: Call = { ...call, place: 'b', askedAt: 400, answeredAt: 500 };
  const afterOf = (calls: readonly Call[], ...faults: Fault[]) =>
    repeatedCalls({ calls, faults }).map(({ afterMs }) => afterMs);

  it('is measured from its answer to the fault that took it', () => {
    expect(afterOf([call, again], fault('kill', 230))).toEqual([30]);
    expect(afterOf([call, again], fault('stop', 230, 390))).toEqual([30]);
  });

  it('had no ground where no fault came between, or another machine’s', () => {
    expect(afterOf([call, again])).toEqual([undefined]);
    expect(afterOf([call, again], fault('kill', 230, 230, 'b'))).toEqual([undefined]);
    expect(afterOf([call, again], fault('kill', 450))).toEqual([undefined]);
    expect(afterOf([call, again], fault('immediate', 230, 300, undefined))).toEqual([undefined]);
  });

  it('had none where both were under way at a time', () => {
    expect(afterOf([call, { ...again, askedAt: 150 }], fault('kill', 230))).toEqual([undefined]);
  });

  it('does not count where the first answer reached nobody', () => {
    expect(afterOf([{ key: 'k', mark, place: 'a', askedAt: 100 }, again])).toEqual([]);
    expect(afterOf([call, again], fault('kill', 150))).toEqual([]);
    expect(afterOf([call, again], fault('stop', 150, 390))).toEqual([]);
  });

  it('is held against its run only outside the window', () => {
    const evidence = (at: number) => sound({ calls: [call, again], faults: [fault('kill', at)] });
    expect(charges(evidence(250))).toEqual([]);
    expect(charges(evidence(251))).toEqual(['repeated']);
    expect(judge(evidence(250)).repeated).toHaveLength(1);
  });
});
