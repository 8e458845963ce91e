import { afterEach, expect, test, vi } from 'vitest';

const createLog = vi.hoisted(() => vi.fn());
vi.mock('../log.ts', () => ({ createLog }));

const { lazyLog, logsWritten } = await import('./lazy-log.ts');

afterEach(() => vi.restoreAllMocks());

test('a line is written where the file of the log can not be told any more', async () => {
  const error = vi.fn();
  createLog.mockReturnValue({ error });
  const log = lazyLog('info', () => {
    throw new Error('the folder is gone');
  });
  log.error('something happened', { at: 1 });
  await logsWritten();
  expect(createLog).toHaveBeenCalledWith('info', undefined);
  expect(error).toHaveBeenCalledWith('something happened', { at: 1 });
});

test('a log whose writer can not be made says so, and rejects nothing that would be logged again', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  createLog.mockImplementation(() => {
    throw new Error('no writer');
  });
  const log = lazyLog('info');
  log.error('something happened');
  await logsWritten();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(stderr).toHaveBeenCalledWith('A line of the log could not be written: Error: no writer\n');
  expect(unhandled).not.toHaveBeenCalled();
});
