import { join } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/primitives';
import { readText } from '../files/read-text.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';

/**
 * A file that was named must not be passed over in silence, as one found in a folder is.
 * @throws {ToolError} NEXUS_FILE_UNREADABLE when it is binary, too large or not permitted
 */
export async function assertNamedText(
  { cwd, file }: Target,
  { state, host }: Pick<CallContext<CodeState>, 'state' | 'host'>,
): Promise<void> {
  if (file === undefined) return;
  const path = join(cwd, file);
  await readText(path, {
    shown: visibleLine(displayPath(host.projectRoot, path)),
    maxBytes: state.maxFileBytes,
  });
}
