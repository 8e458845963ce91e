const UNFINISHED = 'nexus/unfinished';
const ID_CHARS = 8;
const MAX_SLUG_CHARS = 40;
const MADE = /^nexus\/(?:unfinished\/)?[a-z0-9][a-z0-9-]{0,39}-[0-9a-f]{8}$/;

export interface BranchNames {
  /** Of the work, in paths too. */
  readonly shortId: string;
  /** While the work is not done. */
  readonly branch: string;
  readonly doneBranch: string;
}

/** @param id a UUID */
export function branchNames(title: string, id: string): BranchNames {
  const shortId = id.replace(/-/g, '').slice(0, ID_CHARS);
  const name = `${slugOf(title)}-${shortId}`;
  return { shortId, branch: `${UNFINISHED}/${name}`, doneBranch: `nexus/${name}` };
}

/** Whether a branch is called as those that Nexus makes are: another below `nexus/` is somebody's own. */
export function isMadeBranch(branch: string): boolean {
  return MADE.test(branch);
}

function slugOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^-+|(?<!-)-+$/g, '');
  return words === '' ? 'work' : words;
}
