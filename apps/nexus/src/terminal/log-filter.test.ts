import { expect, it } from 'vitest';
import { isWanted } from './log-filter.ts';

const record = { level: 40, msg: 'm', server: 'github', runId: 'run_0f12ab34', requestId: 7 };

it.each([
  [{}, true],
  [{ server: 'github' }, true],
  [{ server: 'git' }, false],
  [{ run: 'run_0f12' }, true],
  [{ run: '0f12ab' }, true],
  [{ run: 'ffff' }, false],
  [{ call: '7' }, true],
  [{ call: '8' }, false],
  [{ least: 40 }, true],
  [{ least: 50 }, false],
  [{ server: 'github', run: 'ffff' }, false],
])('a record is shown where all that is asked for fits: %j', (filter, isShown) => {
  expect(isWanted(record, filter)).toBe(isShown);
});
