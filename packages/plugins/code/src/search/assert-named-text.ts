import { join } from 'node:path';
import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/primitives';
import type { ReadAs } from '../files/decode-text.ts';
import { readText } from '../files/read-text.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';

/**
 * A file that was named must not be passed over in silence, as one found in a folder is.
 * @returns how it is to be read, where it is not UTF-8
 * @throws {ToolError} NEXUS_FILE_UNREADABLE when it is binary, too large, not permitted, or in UTF-32, which rg can't read
 */
export async function assertNamedText(
  { cwd, file }: Target,
  { state, host }: Pick<CallContext<CodeState>, 'state' | 'host'>,
): Promise<ReadAs | undefined> {
  if (file === undefined) return undefined;
  const path = join(cwd, file);
  const shown = visibleLine(displayPath(host.projectRoot, path));
  const { readAs } = await readText(path, { shown, maxBytes: state.maxFileBytes });
  if (!readAs?.startsWith('UTF-32')) return readAs;
  const text = `${shown} is ${readAs}, which no search reads; read_file does.`;
  throw new ToolError('NEXUS_FILE_UNREADABLE', text);
}
