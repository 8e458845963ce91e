import type { RunDetail, Runs } from '@nexus/plugin-sdk';

/** Steps that one reading has, of a run and all its children: some hundred kilobytes at most. */
export const STEPS_A_PAGE = 500;

/** A run as its resource has it: compact, and of many steps a page that says where the next is. */
export async function runPage(
  runs: Pick<Runs, 'get'>,
  { id, user, after }: { readonly id: string; readonly user?: string | undefined; readonly after?: number },
): Promise<string> {
  return JSON.stringify(
    withUris(await runs.get(id, { user, page: { most: STEPS_A_PAGE, after }, toldTo: {} })),
  );
}

function withUris(run: RunDetail): object {
  const { more, children } = run;
  return {
    ...run,
    ...(more ? { more: { ...more, uri: `nexus://runs/${run.id}/after/${more.after}` } } : {}),
    children: children.map(withUris),
  };
}
