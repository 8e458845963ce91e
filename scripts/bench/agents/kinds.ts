import { filesAndHistory } from './kinds/files-and-history.ts';
import { findingCode } from './kinds/finding-code.ts';
import { memory } from './kinds/memory.ts';
import { otherServers } from './kinds/other-servers.ts';
import { outline } from './kinds/outline.ts';
import { readsInBulk } from './kinds/reads-in-bulk.ts';
import { rename } from './kinds/rename.ts';
import type { Kind } from './work.ts';

export const kinds: readonly Kind[] = [
  findingCode,
  outline,
  rename,
  readsInBulk,
  otherServers,
  memory,
  filesAndHistory,
];
