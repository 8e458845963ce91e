import type { RunDetail } from '@nexus/plugin-sdk';

/** Asks for a run, or for its steps after those of another page. */
export type ReadPage = (id: string, after?: number) => Promise<RunDetail>;

/** A run with all its steps and those of its children, read page by page, so that nobody else waits for it. */
export async function wholeRun(read: ReadPage, id: string): Promise<RunDetail> {
  return completed(read, await read(id));
}

async function completed(read: ReadPage, { more, deeper = [], ...first }: RunDetail): Promise<RunDetail> {
  const steps = [...first.steps];
  const children = [...first.children];
  const below = [...deeper];
  for (let rest = more; rest; ) {
    const page = await read(first.id, rest.after);
    // One without steps says no more than the one before: the run was forgotten, or begun anew.
    if (page.steps.length === 0) break;
    steps.push(...page.steps);
    children.push(...page.children);
    below.push(...(page.deeper ?? []));
    rest = page.more;
  }
  for (const id of below) children.push(await read(id));
  const families: RunDetail[] = [];
  for (const child of children) families.push(await completed(read, child));
  return { ...first, steps, children: families };
}
