import { closeSync, openSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { endingGuard } from '../../test/models-under-test.ts';
import { ModelFailure, toToolError } from '../failure.ts';
import { readProgram } from './run-program.ts';

const run = (program: { command: string; args?: string[]; cwd?: string }) => {
  const guard = endingGuard();
  const ended = readProgram(
    {
      args: [],
      cwd: tmpdir(),
      environment: {},
      input: 'x'.repeat(100_000),
      signal: AbortSignal.timeout(60_000),
      line() {},
      ...program,
    },
    guard,
  );
  return { guard, ended };
};

/** Takes every file descriptor that this process may have, for as long as the work goes on. */
async function withoutDescriptors<T>(work: () => Promise<T>): Promise<T> {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync(devNull, 'r'));
  } catch {
    try {
      return await work();
    } finally {
      for (const each of taken) closeSync(each);
    }
  }
}

describe('a program that can’t be started is an answer of the model, which the caller reads', () => {
  it.each([
    ['it is not there', { command: '/nowhere/claude' }, 'ENOENT'],
    ['its folder is not there', { command: process.execPath, cwd: '/nowhere' }, 'ENOENT'],
    ['it is no program', { command: tmpdir() }, 'EACCES'],
    ['an argument is none', { command: process.execPath, args: ['\u0000'] }, 'null bytes'],
  ])('%s', async (_, program, reason) => {
    const { guard, ended } = run(program);
    const failure = await ended.catch((error: unknown) => error);
    if (!(failure instanceof ModelFailure)) return expect.unreachable(String(failure));
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(reason) });
    expect(failure.message).toContain(`"${program.command}" can't be started`);
    expect(toToolError(failure, 'claude')).toMatchObject({ code: 'NEXUS_MODEL_UNAVAILABLE' });
    expect(guard.watched).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('no file descriptor is left', async () => {
    const failure = await withoutDescriptors(() => run({ command: process.execPath }).ended.catch((e) => e));
    expect(failure).toBeInstanceOf(ModelFailure);
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/EMFILE|EBADF/) });
  });
});
