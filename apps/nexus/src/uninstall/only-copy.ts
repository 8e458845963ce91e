/** Asks git in one tree. @throws {GitFailure} */
export type AskGit = (args: readonly string[]) => Promise<string>;

/**
 * What of the commits that lead to a place is nowhere else, for a person: on no branch but those below `nexus/`, no remote
 * and no tag.
 */
export async function onlyCopyAt(ask: AskGit, place: string): Promise<string | undefined> {
  const elsewhere = ['--exclude=nexus/*', '--branches', '--remotes', '--tags'];
  const alone = await ask(['rev-list', '--count', place, '--not', ...elsewhere, '--']);
  return Number(alone) > 0 ? 'it has commits that are on no other branch and no remote' : undefined;
}
