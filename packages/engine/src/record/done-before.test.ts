import { ToolError } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecord, type RecordUnderTest } from '../../test/record-of-runs.ts';
import { doneBefore } from './done-before.ts';
import { errorText } from './errors.ts';
import type { StepRow } from './tables.ts';

let record: RecordUnderTest;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record[Symbol.asyncDispose]());
beforeEach(() => record.on.db.deleteFrom('runs_steps').execute());

const UNKNOWN = errorText(new ToolError('NEXUS_OUTCOME_UNKNOWN', 'nobody knows'));
const put = (run_id: string, step: Partial<StepRow>) => record.putStep({ run_id, name: 's', ...step });
const find = () =>
  doneBefore(
    record.on,
    [
      { id: 'last', error: null },
      { id: 'first', error: null },
    ],
    's',
  );

describe('what a step had come to in the runs before', () => {
  const CUT_OFF: readonly Partial<StepRow>[] = [
    { status: 'running', end_seq: null, is_repeatable: 1 },
    { status: 'waiting', end_seq: null, is_repeatable: 1 },
  ];

  it.each(CUT_OFF)('is its last end, whatever was cut off since ($status)', async (cutOff) => {
    await put('first', { digest: 'd', end_seq: 2 });
    await put('last', cutOff);
    expect(await find()).toMatchObject({
      completed: { run_id: 'first' },
      isOnce: true,
      digest: 'd',
      wasTold: false,
    });
  });

  it.each(CUT_OFF)('was told where nobody knows, whatever was cut off since ($status)', async (cutOff) => {
    await put('first', { status: 'failed', error: UNKNOWN, end_seq: 2 });
    await put('last', cutOff);
    expect(await find()).toMatchObject({ completed: undefined, wasTold: true });
  });

  it('is no end where it failed since', async () => {
    await put('first', { end_seq: 2 });
    await put('last', { status: 'failed', error: errorText(new Error('broken')), end_seq: 2 });
    expect(await find()).toMatchObject({ completed: undefined, isOnce: true, wasTold: false });
  });

  it('is nothing where it was never begun, and no end where it was only cut off', async () => {
    expect(await find()).toBeUndefined();
    await put('last', CUT_OFF[0] ?? {});
    expect(await find()).toMatchObject({ completed: undefined, wasTold: false });
  });
});
