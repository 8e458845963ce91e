/** What a diff says of these files, as a diff that can be applied by itself; empty where it says nothing of them. */
export function partsOfDiff(diff: string, paths: readonly string[]): string {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
  // After a name with a space stands a tab.
  const isOf = (part: string, path: string) =>
    part.includes(`\n+++ b/${path}\n`) || part.includes(`\n+++ b/${path}\t\n`);
  return parts.filter((part) => paths.some((path) => isOf(part, path))).join('');
}
