import type { Mutants } from './mutants.ts';

const HEAD =
  '| File | Mutants | Killed | By a hang | Survivors | Of those that a test could kill |\n| --- | --- | --- | --- | --- | --- |\n';

/** The page with the row of one file as it is now; rows stay in the order of their names. */
export function withFigures(page: string, path: string, mutants: Mutants, score: number): string {
  const start = page.indexOf(HEAD);
  if (start < 0) throw new Error('the page has no table of figures');
  const [table = '', ...after] = page.slice(start + HEAD.length).split('\n\n');
  const name = `| \`${path}\` |`;
  const row = `${name} ${mutants.total} | ${mutants.killed} | ${mutants.hung} | ${mutants.survivors.length} | ${score.toFixed(1)}% |`;
  const rows = [...table.split('\n').filter((line) => line !== '' && !line.startsWith(name)), row].toSorted();
  return [
    page.slice(0, start + HEAD.length) + rows.join('\n') + (after.length === 0 ? '\n' : ''),
    ...after,
  ].join('\n\n');
}
