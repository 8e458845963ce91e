import { type Check, type Finding, lookedAtNothing } from '../check.ts';
import { findLimits, type Limit } from '../limits/find-limits.ts';
import { KINDS, type LimitTable } from '../limits/kinds.ts';

const NAME = 'limits';
export const LIMIT_TABLE = 'governance/limits.json';

export const limits: Check = {
  name: NAME,
  proves: `each limit of the code is named by a message that a test holds, or ${LIMIT_TABLE} says what becomes of what meets it`,
  run({ workspace }) {
    const found = findLimits(workspace);
    if (found.length === 0) return lookedAtNothing(NAME, 'limits');
    const table = JSON.parse(workspace.read(LIMIT_TABLE)) as LimitTable;
    return [...found.flatMap((limit) => untold(limit, table)), ...stale(found, table)];
  },
};

function untold({ file, name, messages, isTested }: Limit, table: LimitTable): Finding[] {
  const kind = table[file]?.[name];
  const finding = (what: string, fix: string) => [{ check: NAME, where: file, what: `${name} ${what}`, fix }];
  if (kind !== undefined && !(kind in KINDS)) {
    return finding(`is "${kind}", which is no kind`, `use one of ${Object.keys(KINDS).join(', ')}`);
  }
  const isProven = messages.length > 0 && isTested;
  if (isProven && kind !== undefined) {
    return finding('is told by a message that a test holds', `take it out of ${LIMIT_TABLE}`);
  }
  if (kind !== undefined || isProven) return [];
  return messages.length > 0
    ? finding('is told by a message that no test holds', 'hold three words of the message in a test')
    : finding(
        'is named by no message',
        `say which limit was met, how much it is and what to do; where that is said otherwise, add its kind to ${LIMIT_TABLE}`,
      );
}

function stale(found: readonly Limit[], table: LimitTable): Finding[] {
  const there = new Set(found.map(({ file, name }) => `${file} ${name}`));
  return Object.entries(table).flatMap(([file, names]) =>
    Object.keys(names)
      .filter((name) => !there.has(`${file} ${name}`))
      .map((name) => ({
        check: NAME,
        where: LIMIT_TABLE,
        what: `has ${name} of ${file}, which is not there`,
        fix: 'take it out',
      })),
  );
}
