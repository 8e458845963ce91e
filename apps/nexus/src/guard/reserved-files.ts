import { relative, resolve, sep } from 'node:path';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { ReservationsView } from '@nexus/plugin-bus';
import { visibleLine } from '@nexus/untrusted/shown';
import type { Client } from '../client/connect-to-nexus.ts';

/** Files that a refusal names. */
const SHOWN = 20;

interface Commit {
  /** As git names them: from the top of the repository. */
  readonly names: readonly string[];
  readonly treeTop: string;
  readonly projectRoot: string;
  /** Who commits, where that is known. */
  readonly worker: string | undefined;
  /** Whether the project is not that of the top of the tree that is committed from. */
  readonly isElsewhere: boolean;
}

/** What speaks against a commit: nothing, or lines that say which files are whose. */
export async function refuses(client: Client, commit: Commit): Promise<readonly string[]> {
  const { names, treeTop, projectRoot, worker, isElsewhere } = commit;
  const paths = names
    .map((name) => relative(projectRoot, resolve(treeTop, name)).split(sep).join('/'))
    .filter((path) => path !== '' && !path.startsWith('../'));
  if (paths.length === 0) return [];
  const { contents } = (await client.request(
    'resources/read',
    { uri: 'nexus://reservations' },
    { signal: endsWithin(ANSWER_MS) },
  )) as { contents: readonly { text: string }[] }; // of our own server
  const { items } = JSON.parse(contents[0]?.text ?? '{"items":[]}') as ReservationsView;
  // Loaded here: the bus is no part of other commands.
  const { findReserved } = await import('@nexus/plugin-bus');
  const reserved = await findReserved(paths, items, worker);
  if (reserved.length === 0) return [];
  return [
    `Not committed: ${reserved.length === 1 ? 'a file is' : `${reserved.length} files are`} reserved by others${isElsewhere ? ` in ${visibleLine(projectRoot)}` : ''}.`,
    ...reserved
      .slice(0, SHOWN)
      .map(({ path, held }) =>
        visibleLine(`  ${path}: ${held.worker} has ${held.glob} until ${until(held.expiresAt)}`),
      ),
    ...(reserved.length > SHOWN ? [`  and ${reserved.length - SHOWN} more`] : []),
    worker === undefined
      ? 'Wait, or ask the holder by send_message. Where one of them is you, set NEXUS_WORKER to your name.'
      : 'Wait, or ask the holder by send_message.',
    '`git commit --no-verify` commits all the same.',
  ];
}

function until(moment: string): string {
  return new Date(moment).toLocaleTimeString();
}
