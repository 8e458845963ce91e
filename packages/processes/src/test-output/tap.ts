/** Lines that were kept, and how many were not. */
export interface Kept {
  readonly lines: readonly string[];
  readonly leftOut: number;
}

/** The Test Anything Protocol, https://testanything.org, as node:test and tap print it. */
export function isTap(output: string): boolean {
  return /^TAP version 1[34]$/m.test(output);
}

const POINT = /^( *)(not )?ok\b(?: \d+)?(?: - ([\s\S]*?))?(?: # ([\s\S]*))?$/;

/** Without its passed test points, their diagnostics, the comments that begin them, and the plans within tests. */
export function withoutPassedTap(lines: readonly string[]): Kept {
  const kept: string[] = [];
  let leftOut = 0;
  /** The indentation of the diagnostics that are read, and whether they are of a test that passed. */
  let block: { readonly indent: string; readonly isDropped: boolean } | undefined;
  let point: { readonly indent: string; readonly isDropped: boolean } | undefined;
  for (const line of lines) {
    if (block) {
      if (block.isDropped) leftOut += 1;
      else kept.push(line);
      if (line === `${block.indent}...`) block = undefined;
      continue;
    }
    if (point && line === `${point.indent}  ---`) {
      block = { indent: `${point.indent}  `, isDropped: point.isDropped };
      if (block.isDropped) leftOut += 1;
      else kept.push(line);
      continue;
    }
    const [whole, indent = '', isNot, name = '', directive = ''] = POINT.exec(line) ?? [];
    point = undefined;
    if (whole !== undefined) {
      const isDropped = isNot === undefined && !/^(?:skip|todo)\b/i.test(directive);
      point = { indent, isDropped };
      if (isDropped) {
        leftOut += 1 + takeBeginning(kept, `${indent}# Subtest: ${name}`);
        continue;
      }
    }
    if (/^ +1\.\.\d+$/.test(line)) leftOut += 1;
    else if (line.trim() !== '' || kept.at(-1)?.trim() !== '') kept.push(line);
  }
  return { lines: kept, leftOut };
}

/** @returns how many lines that tell of it were taken away */
function takeBeginning(kept: string[], beginning: string): number {
  const at = kept.findLastIndex((line) => line.trim() !== '');
  if (at < 0 || kept[at] !== beginning) return 0;
  kept.length = at;
  return 1;
}
